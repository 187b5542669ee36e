"""Entering a move of Prime Attactics: a sign, a number, then an optional double; a leading `0` is for the other score.

Drafts hold tiles in written form (``+5``, ``D-``); `printed_signs` converts them to the signs printed on the tiles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from companion.games.api import RefusedError
from companion.games.api.move_input import Draft, DueRefill
from companion.games.api.text import plural_text, text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.game_texts import DOUBLE_KEY_TEXT, SLAM_SIGNS_TEXT, GameTexts
from companion.games.prime_attactics.picker import (
    LOWERING_SIGNS,
    SIGN_OF_KEY,
    TYPED_PLAY_PATTERN,
    Marks,
    Pick,
    Picker,
    face_up_tiles,
    may_claim_pass,
    possible_second_tiles,
    printed_signs,
    printed_tile,
    tile_choices,
    typed_score_and_sign,
    without_overridden_keys,
)
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import COPIES_IN_SET, Play, tile_text

_KEY_OF_SIGN = str.maketrans({"@": "0", "D": "0"} | {sign: letter for letter, sign in SIGN_OF_KEY.items()})

_TYPED_TILE_PATTERN = re.compile(r"(?:[A-C][0-9]|D[1-9])|([A-D])")

_SHORT_REASONS = {
    "level": text("no such tile"),
    "held": text("don't have it"),
    "supply": text("none left"),
    "double-black": text("no ÷ double"),
    "slam-level": text("not in easy"),
    "slam-target": text("other's only"),
    "slam-once": text("only one a round"),
    "slam-early": text("from turn 7"),
    "negative": text("below 0"),
    "turn": text("draw first"),
}
"""Refusal code → the reason in about 12 characters, for which there is room beside the draft."""


class MoveInput(GameTexts, Picker):
    """Entering a move of Prime Attactics."""

    def draft_from_keys(self, state: State, keys: str) -> Draft | None:
        """``C70`` is ``x7D``, ``0D3`` is ``@/3``, ``0A2D3`` is ``@+2/3``; ``0`` alone also enters the pass."""
        match = TYPED_PLAY_PATTERN.fullmatch(keys)
        if match is None or not keys:
            return None
        number, double, slam_key, divisor = match.groups()[2:]
        at_other_score, sign = typed_score_and_sign(keys)
        if slam_key and (double or sign not in "+-"):
            return (
                _invalid_slam_draft(state, f"{sign}{number}{'D' if double else ''}", divisor)
                if at_other_score
                else None
            )
        if not sign:
            return _aim_draft(state)
        if not number:
            return Draft(
                _entered_text(at_other_score, f"{sign}_"),
                None,
                "more",
                "",
                _number_question(sign),
                Marks(at_other_score),
            )
        tile = sign + number
        if slam_key and not divisor:
            return _partial_slam_draft(state, at_other_score, tile)
        return _play_draft(state, at_other_score, tile, "D" if double else f"/{divisor}" if slam_key else "")

    def effective_keys(self, state: State, keys: str) -> str:
        """Only the last sign and the last score count."""
        return without_overridden_keys(keys)

    def draft_from_pick(self, state: State, pick: Pick) -> Draft:
        view = RULES.seat_view(state, None)
        choices, chosen = _choices_off_display(state, view, pick)
        marks = Marks(pick.at_other_score, choices=choices, chosen_index=chosen)
        if pick.tile == "pass" and pick.step != "sure" and may_claim_pass(state):
            return Draft("pass", working=text("no move"), marks=marks, next_step=text("pass"))
        if pick.tile == "pass":
            message = text("end the round") if state.missed_turns else text("miss the turn")
            return Draft("pass", "pass", "ok", text("no move"), message, marks, next_step=message)
        if pick.step == "sign":
            partial_play = f"{pick.tile}_{'/_' if pick.second_tile == '/' else pick.second_tile}"
            next_step = text("choose {sign}", sign=printed_signs("/" if pick.second_tile == "/" else pick.tile))
            return Draft(_entered_text(pick.at_other_score, partial_play), marks=marks, next_step=next_step)
        if pick.second_tile == "/":
            marks = marks._replace(used_tiles=(pick.tile,))
            return Draft(
                _entered_text(pick.at_other_score, f"{pick.tile}/_"),
                message=text("slam dunk"),
                marks=marks,
                next_step=text("choose {sign}", sign="÷"),
            )
        draft = _play_draft(view, pick.at_other_score, pick.tile, pick.second_tile)
        has_usual_aim = pick.at_other_score and pick.tile[0] in LOWERING_SIGNS
        if (
            draft.verdict == "no"
            and not has_usual_aim
            and _play_draft(view, not pick.at_other_score, pick.tile, pick.second_tile).verdict == "ok"
        ):
            # OK shows the reason.
            draft = draft._replace(message=text("▴ your own?") if pick.at_other_score else text("▴ other's?"))
        elif (
            draft.verdict == "ok" and face_up_tiles(view) and "/" in (pick.tile[0], pick.second_tile[:1])
        ):  # Only the owner knows.
            draft = draft._replace(message=text("if in rack"))
        return draft._replace(marks=draft.marks._replace(choices=choices, chosen_index=chosen))

    def refused_draft(self, draft: Draft, refused: RefusedError) -> Draft:
        return draft._replace(verdict="no", message=_short_reason(refused))

    def due_refill(self, state: State) -> DueRefill | None:
        coloured, black = state.due_refill
        if state.end_reason or not coloured + black:
            return None
        kind, prompt = "refill", text("{coloured} coloured, {black} black", coloured=coloured, black=black)
        if not black:
            kind, prompt = "deal", plural_text(coloured, "name {number} coloured tile", "name {number} coloured tiles")
        elif not coloured:
            kind, prompt = "rack", plural_text(black, "name {number} black tile", "name {number} black tiles")
        return DueRefill("refill", coloured + black, prompt, kind)

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        """``A5`` is ``+5`` and ``A0`` is ``D+``. A rack has black tiles only, a display none, a refill both.

        For a rack the numbers alone are enough. A tile that no set of the level has is not accepted.
        """
        known_tiles = {tile for row in self.piece_rows(kind, options) for tile in row}
        tiles: list[str] = []
        rest = keys
        while rest:
            if kind == "rack" and rest[0] in "123456789":
                rest = f"D{rest}"
            match = _TYPED_TILE_PATTERN.match(rest)
            if match is None or (kind == "rack") > (rest[0] == "D") or (kind == "deal" and rest[0] == "D"):
                return None
            if match[1]:
                break
            sign = SIGN_OF_KEY[rest[0]]
            tile, rest = f"D{sign}" if rest[1] == "0" else sign + rest[1], rest[2:]
            if tile not in known_tiles:
                return None
            tiles.append(tile)
        return (tuple(tiles), rest) if len(rest) < 2 else None

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        tiles = [tile_text(tile) for tile in COPIES_IN_SET[options.get("level", "full")]]
        signs = {"rack": "/", "deal": "+-x"}.get(kind, "+-x/")
        return [[tile for tile in tiles if sign in tile] for sign in signs]

    def available_pieces(self, view: State, kind: str, seat: int) -> Mapping[str, int]:
        """How many copies of each tile of the seat's own set are neither played nor face up."""
        side = view.sides[seat - 1]
        return Counter(map(tile_text, side.unseen_coloured + side.unseen_black))

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        return piece.startswith("/")

    def stray_key_text(self, state: State, keys: str, key: str) -> str:
        return text("type A+ B- C× or D÷") if keys in ("", "0") else text("{key} is not a number", key=key)

    def incomplete_text(self, state: State, keys: str) -> str:
        sign = "/" if keys[-1] == "D" else typed_score_and_sign(keys)[1]
        if not sign:
            return text("not yet: which sign?")
        return text("not yet: its number, {numbers}", numbers=_number_range(state, sign))

    def stray_piece_key_text(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """After a sign, or for a rack, the numbers that the level has; otherwise the signs that may be typed."""
        sign = SIGN_OF_KEY[keys[-1]] if keys else "/" if kind == "rack" else ""
        numbers = [tile[1] for row in self.piece_rows(kind, options) for tile in row if tile[0] == sign]
        if numbers:
            return text("its number: {least} to {most}", least=numbers[0], most=numbers[-1])
        return text("type A+ B- or C×") if kind == "deal" else text("type A+ B- C× or D÷")

    def partial_piece_text(self, keys: str) -> str:
        return printed_signs(SIGN_OF_KEY.get(keys, keys))

    def keys_for_event(self, event: str) -> str:
        """``@/3`` is ``0D3``, ``x7D`` is ``C70``; "" for a refill, which is typed tile by tile."""
        return "0" if event == "pass" else "" if event.startswith("refill") else event.translate(_KEY_OF_SIGN)


MOVE_INPUT = MoveInput()


def _choices_off_display(state: State, view: State, pick: Pick) -> tuple[tuple[str, ...], int]:
    """The picker's choices that are not on the open display, as printed, and the index of the chosen one.

    Returns ``((), 0)`` while the chosen tile is on the open display.
    """
    choices, chosen = tile_choices(state, pick)
    open_tiles = face_up_tiles(view)
    if pick.step == "tile":
        if choices[chosen] in open_tiles:
            return (), 0
        choices = tuple(tile for tile in choices if tile not in open_tiles)
        chosen = choices.index(pick.tile)
    return tuple(map(printed_signs, choices)), chosen


def _entered_text(at_other_score: bool, written: str) -> str:
    return printed_signs(("@" if at_other_score else "") + written)


def _number_range(state: State, sign: str) -> str:
    """The range of numbers on the tiles of a sign: ``2-7``."""
    numbers = [tile[1] for tile in map(tile_text, COPIES_IN_SET[state.level]) if tile[0] == sign]
    return f"{min(numbers)}-{max(numbers)}"


def _number_question(sign: str) -> str:
    return text("{sign} number?", sign=printed_tile(sign))


def _aim_draft(state: State) -> Draft:
    """The draft for ``0`` alone: the start of a play on the other score, or with # a pass.

    The draft does not say whether the pass would be accepted, since that depends on hidden tiles.
    """
    if not may_claim_pass(state):
        return Draft("→_", None, "more", "", text("which sign?"), Marks(True), "pass")
    verb = text("end the round") if state.missed_turns else text("pass")
    return Draft("→_", None, "more", "", text("or a sign"), Marks(True), "pass", verb)


def _partial_slam_draft(state: State, at_other_score: bool, tile: str) -> Draft:
    """The draft of a slam dunk without its ÷; it is refused at once where no slam dunk may be made."""
    draft = Draft(
        _entered_text(at_other_score, f"{tile}/_"),
        working=text("slam dunk"),
        message=_number_question("/"),
        marks=Marks(at_other_score, (tile,)),
    )
    event = f"{'@' if at_other_score else ''}{tile}/{_number_range(state, '/')[0]}"
    move = RULES.parse_move(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    try:
        rules.check_slam_dunk(state, move)
    except RefusedError as refused:
        working = text("double? type 0") if "D" in possible_second_tiles(state, tile[0]) else draft.working
        return draft._replace(event=event, verdict="no", working=working, message=_short_reason(refused))
    return draft


def _invalid_slam_draft(state: State, played: str, divisor: str) -> Draft:
    """The draft of a ÷ after something that no slam dunk begins with.

    A player who types D alone may mean a double, which is typed as 0.
    """
    message = text("no double") if played.endswith("D") else SLAM_SIGNS_TEXT
    if (
        message == SLAM_SIGNS_TEXT
        and not (divisor or rules.may_slam_dunk(state))
        and "D" in possible_second_tiles(state, played[0])
    ):
        message = DOUBLE_KEY_TEXT
    entered_text = _entered_text(True, f"{played}/{divisor or '_'}")
    return Draft(
        entered_text, None, "no", text("slam dunk"), message, Marks(True), attempted_event=f"@{played}/{divisor or 1}"
    )


def _play_draft(state: State, at_other_score: bool, tile: str, second: str) -> Draft:
    event = f"{'@' if at_other_score else ''}{tile}{second}"
    entered_text = _entered_text(at_other_score, tile + second)
    used_tiles = (tile, f"D{tile[0]}") if second == "D" else (tile, second) if second else (tile,)
    move = RULES.parse_move(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    if refused := RULES.refusal(state, move):
        figure = printed_signs(refused.figure)
        working = "" if figure in entered_text else figure
        return Draft(entered_text, event, "no", working, _short_reason(refused), Marks(at_other_score, used_tiles))
    sum_, score = rules.working_of_play(state, state.to_move, move)
    message = f"{printed_signs(sum_)} = {score}"
    if not score:
        message = text("= 0, you win") if at_other_score else text("= 0, you lose")
    verb = text("slam dunk") if second[:1] == "/" else text("play {tile}", tile=printed_tile(tile))
    marks = Marks(at_other_score, used_tiles, score)
    return Draft(entered_text, event, "ok", printed_signs(sum_), message, marks, next_step=verb)


def _short_reason(refused: RefusedError) -> str:
    if refused.code == "negative" and refused.conflict == "below 1":
        return text("below 1")
    return _SHORT_REASONS.get(refused.code, refused.conflict)
