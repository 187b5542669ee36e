"""A referee for board games: rules, records, move input, screens and the store."""

__version__ = "0.9.0"

MOVED_MODULES = {
    "companion.contract": "companion.gamekit.contract",
    "companion.game": "companion.games.api",
    "companion.gamekit.contract.play": "companion.gamekit.contract.random_rounds",
    "companion.gamekit.contract.preview": "companion.gamekit.sentence_preview",
    "companion.games.api.box_seats": "companion.games.api.computer_players",
    "companion.games.api.entry": "companion.games.api.move_input",
    "companion.games.api.words": "companion.games.api.game_texts",
    "companion.games.plain": "companion.games.plain_screen",
    "companion.panel.menus": "companion.panel.widgets",
    "companion.panel.names": "companion.panel.name_cutting",
    "companion.panel.parts": "companion.panel.widgets",
    "companion.panel.pieces": "companion.panel.own_pieces",
    "companion.record": "companion.rounds.record",
    "companion.template": "companion.gamekit.template",
}
"""Modules as games of other packages may still know them → their names now."""
RENAMED_NAMES = {
    "after_arrow": "draft_after_arrow",
    "after_stray": "draft_after_stray_key",
    "against": "conflict",
    "as_much_as_fits": "append_while_fits",
    "as_seen": "public_event_text",
    "asks": "prompt",
    "attempt": "attempted_event",
    "awaits": "awaits_move",
    "best": "has_best_score",
    "cannot": "claim_instructions",
    "charted": "chart_rows",
    "circle": "add_circle",
    "claimed": "claim_text",
    "counted": "plural_text",
    "crossed": "refused_draft",
    "decimal": "format_decimal",
    "device_missing": "is_device_missing",
    "DRAWING": "DRAW_WORDS",
    "Due": "DueRefill",
    "Entry": "MoveInput",
    "face_up": "is_face_up",
    "fewer": "lower_is_better",
    "first_pick": "pick_at_first_arrow",
    "first_repeated": "first_repeat_position",
    "goes_to": "next_step",
    "how_to_enter": "input_instructions",
    "in_words": "position_sentences",
    "inherits": "is_inherited",
    "joined": "join_texts",
    "key_words": "key_labels",
    "listed": "format_list",
    "look_at": "look_here_text",
    "mark": "is_on_title_screen",
    "masked": "is_piece_hidden",
    "move_words": "move_texts",
    "MoveWords": "MoveTexts",
    "names_of_winners": "winner_names",
    "naming_keys": "draw_naming_keys",
    "naming_line": "draw_naming_line",
    "no_more": "extra_key_text",
    "NOWHERE": "NO_FURTHER_TEXT",
    "nowhere": "blocked_arrow_text",
    "of_others": "rows_about_others",
    "on_phone": "draw_for_phone",
    "opponent": "allows_computer_player",
    "peek": "draw_peek",
    "phrases": "endings",
    "pick_changed": "pick_after_arrow",
    "piece_keys": "piece_keys_text",
    "piece_words": "printed_piece",
    "PLAIN": "PLAIN_SCREEN",
    "plays": "button_label",
    "points": "scores_are_points",
    "read_deal": "parse_deal",
    "recorded": "has_records",
    "rect": "add_rect",
    "Refused": "RefusedError",
    "reported": "option_report",
    "reveals": "revealed_piece_text",
    "say": "bottom_line",
    "settled": "final_value",
    "Sight": "SeatKnowledge",
    "single_winner": "single_winner_name",
    "skipped_because": "skip_reason",
    "spare": "available_pieces",
    "stray_piece": "stray_piece_key_text",
    "suggestion": "suggested_move_text",
    "tap": "add_tap",
    "too_many": "excess_text",
    "turn_ended_because": "turn_end_reason",
    "twice": "repeated_number",
    "who_is_in": "player_in_seat",
    "why": "reason",
    "without_hidden": "without_hidden_pieces",
    "Words": "GameTexts",
    "write_deal": "format_deal",
}
"""Names in those modules as games of other packages may still know them → the names now."""


def __getattr__(name: str) -> object:
    """Say where a module has gone. Raises ImportError or AttributeError."""
    if new := MOVED_MODULES.get(f"{__name__}.{name}"):
        raise ImportError(f"companion.{name} is now {new}: see docs/adding-a-game.md", name=f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class UnusableError(Exception):
    """Something that comes from outside cannot be used: arguments, a file, a setting, the store, a socket.

    The message is one sentence for the person who gave it; `sentence` is the same as a text of the catalogues, and
    `short_sentence` its form for the panel. `status` is the exit status of a command that ends with this error.
    """

    status = 2

    def __init__(self, sentence: str, short_sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.short_sentence = short_sentence or sentence
