"""What the contract reports about a game with a fault; each fault is one that an author made in a first game."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from companion import games
from companion.__main__ import main
from companion.gamekit import contract
from companion.gamekit.contract import screen_checks
from companion.gamekit.contract.coach_checks import moves_are_judged
from companion.gamekit.contract.input_checks import (
    drafts_are_judged,
    hidden_pieces_are_masked,
    moves_can_be_entered,
    pieces_can_be_named,
)
from companion.gamekit.contract.part_checks import rounds_can_be_played
from companion.gamekit.contract.piece_checks import hands_hold_drawn_pieces
from companion.gamekit.contract.rules_checks import (
    claims_belong_to_their_seat,
    listed_events_are_legal,
    outcome_and_turn_agree,
    public_views_hide_pieces,
    saved_records_are_valid,
    unlisted_events_are_refused,
)
from companion.gamekit.contract.screen_checks import (
    boards_are_drawn,
    computer_moves_are_shown,
    namings_are_whole,
    pictures_are_whole,
)
from companion.gamekit.contract.secrecy_checks import (
    owners_see_their_own_hands,
    picks_reveal_nothing_hidden,
    refusals_reveal_nothing_hidden,
)
from companion.gamekit.contract.text_checks import help_fits, moves_have_texts, texts_have_expected_lengths
from companion.games.api import Holding, Outcome, RefusedError
from companion.games.api.game_texts import MoveTexts
from companion.games.api.move_input import Draft
from companion.games.api.text import text
from companion.games.plain_screen import PLAIN_SCREEN
from companion.panel.canvas import Canvas
from companion.panel.fonts import NAME, TEXT, wrap_text
from companion.rounds import record

GAME = "27"
LONG = "far too many words for a line of the panel"


def check_random_rounds(holds: Callable[..., None]) -> None:
    for seed in range(8):
        chance = Random(seed)
        holds(contract.play_random_round(*next(contract.option_combinations(GAME)), chance), chance)


INPUT_FAULTS: dict[str, tuple[str, Any, Callable[..., None], str]] = {
    "no key types a whole move": (
        "draft_from_keys", lambda state, keys: Draft(keys) if len(keys) < 2 else None,
        moves_can_be_entered, "no keys type a move",
    ),
    "what is incomplete has an event": (
        "draft_from_keys", lambda state, keys: Draft(keys, "1x1", "more"),
        drafts_are_judged, "is incomplete, but has the event",
    ),
    "what is possible has no event": (
        "draft_from_keys", lambda state, keys: Draft(keys, None, "ok"), drafts_are_judged, "but has no event",
    ),
    "OK would play what is incomplete": (
        "draft_from_keys", lambda state, keys: Draft(keys, attempted_event="1x1"),
        drafts_are_judged, "OK would play 1x1",
    ),
    "OK never plays what is picked": (
        "draft_from_pick", lambda state, pick: Draft("x"), moves_can_be_entered, "no presses",
    ),
    "the arrows do nothing": (
        "pick_after_arrow", lambda state, pick, arrow: pick, moves_can_be_entered, "cannot be picked",
    ),
    "the told keys are not the entry's": (
        "keys_for_event", lambda event: "99", moves_can_be_entered, "99 types (9x9|no move), but is told for",
    ),
    "a verdict is too long": (
        "draft_from_keys", lambda state, keys: Draft("1", message=LONG), pictures_are_whole, f"'{LONG}' is cut",
    ),
    "how a move is entered is too long": (
        "input_instructions", lambda view, buttons: LONG, pictures_are_whole, f"'{LONG}' is cut",
    ),
    "a tick stands where OK goes on": (
        "pick_after_ok", lambda state, pick: pick, drafts_are_judged, "has a tick, but OK goes on",
    ),
    "what a wrong key is told is too long": (
        "stray_key_text", lambda state, keys, key: LONG, pictures_are_whole, f"'{LONG}' is cut",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", INPUT_FAULTS)
def test_a_fault_of_the_move_input_is_reported(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be entered, or is cut on the panel, is an AssertionError that says what and where."""
    name, wrong, holds, said = INPUT_FAULTS[fault]
    monkeypatch.setattr(games.load_move_input(GAME), name, wrong)
    with pytest.raises(AssertionError, match=said):
        check_random_rounds(holds)


def test_an_illegal_pick_with_a_tick_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without holdings everything is public, so a pick that the rules refuse must have no tick."""
    monkeypatch.setattr(games.load_move_input(GAME), "draft_from_pick", lambda state, pick: Draft("9x9", "9x9", "ok"))
    with pytest.raises(AssertionError, match="'9x9' is shown as possible, but play_move refuses 9x9: not-yours: "):
        check_random_rounds(drafts_are_judged)


def test_a_lit_edge_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outer columns of a picture stay dark, so that the picture can move by a pixel."""
    monkeypatch.setattr(games.load_screen(GAME), "draw", lambda canvas, scene: canvas.fill(0, 20, 9, 22))
    with pytest.raises(AssertionError, match="column 0 is lit"):
        check_random_rounds(pictures_are_whole)


def test_a_long_paragraph_of_help_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of help has four lines; a fifth would not be visible."""
    monkeypatch.setattr(games, "help_pages", lambda game: (LONG * 3,))
    with pytest.raises(AssertionError, match=r"help\.txt has \d lines"):
        check_random_rounds(help_fits)


def check_a_game_with_hands(
    holds: Callable[..., None], game: str = "ziggurat", share: float = 0.5, seeds: int = 8
) -> None:
    for seed in range(seeds):
        chance = Random(seed)
        holds(contract.play_random_round(*next(contract.option_combinations(game)), chance, share=share), chance)


def test_a_deal_that_cannot_be_handed_in_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players hand in pieces with a blank between two, whatever records have."""
    rules = games.load_rules("ziggurat")
    right = rules.parse_deal
    monkeypatch.setattr(rules, "parse_deal", lambda text, *rest: right(text.replace(" ", "?"), *rest))
    with pytest.raises(AssertionError, match=r"hand in a deal as '.*', but parse_deal refuses it"):
        check_a_game_with_hands(pieces_can_be_named)


def test_a_play_that_cannot_be_picked_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """With hands too, the six buttons must reach every play that the rules allow an open hand."""
    entry = games.load_move_input("prime-attactics")
    right = entry.pick_after_arrow
    check_a_game_with_hands(moves_can_be_entered, "prime-attactics", share=1)
    monkeypatch.setattr(
        entry,
        "pick_after_arrow",
        lambda state, pick, arrow: pick if arrow in ("up", "down") else right(state, pick, arrow),
    )
    with pytest.raises(AssertionError, match="cannot be picked"):
        check_a_game_with_hands(moves_can_be_entered, "prime-attactics", share=1)


def test_a_hand_that_loses_a_drawn_piece_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that an open hand drew is in it afterwards, and the hand has as many pieces as it counts."""
    entry = games.load_move_input("coral-reef")
    with monkeypatch.context() as patched:
        patched.setattr(entry, "held_pieces", lambda view, seat: ())
        with pytest.raises(AssertionError, match=r"seat \d has drawn .* with draw ., but does not hold it in its own"):
            check_a_game_with_hands(hands_hold_drawn_pieces, "coral-reef", share=1)
    state = (Holding(8, None), ((Holding(3, ("5", "5")),), 7))  # As if a draw only counted.
    played: Any = SimpleNamespace(sample_positions=lambda most: [state], events=[], checked_position=[])
    with pytest.raises(AssertionError, match="a holding counts 3 pieces, but has 5 5"):
        hands_hold_drawn_pieces(played, Random(1))


def test_a_piece_that_cannot_be_picked_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that can be dealt but is not offered could not be named by buttons."""
    monkeypatch.setattr(games.load_move_input("ziggurat"), "piece_rows", lambda kind, options: [["0-0"]])
    with pytest.raises(AssertionError, match="can be dealt, but piece_rows of the deal has no"):
        check_a_game_with_hands(pieces_can_be_named)


def test_a_piece_that_no_keys_type_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that cannot be typed would leave its player stuck."""
    monkeypatch.setattr(games.load_move_input("ziggurat"), "parse_typed_pieces", lambda keys, kind, options: None)
    with pytest.raises(AssertionError, match="no keys type these pieces of the deal"):
        check_a_game_with_hands(pieces_can_be_named)


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [("is_piece_hidden", False, "everybody could read"), ("own_pieces_text", "", "own_pieces_text has no words")],
)
def test_a_hand_without_its_words_is_reported(
    name: str, wrong: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The inherited methods of a move input show a hand to everybody, or nothing to its owner."""
    monkeypatch.setattr(games.load_move_input("ziggurat"), name, lambda *given: wrong)
    with pytest.raises(AssertionError, match=said):
        check_a_game_with_hands(hidden_pieces_are_masked)


def test_a_play_found_in_a_sealed_hand_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows whether a sealed hand has a play; the inherited `find_legal_move` would answer with a pass."""
    rules = games.load_rules("coral-reef")
    monkeypatch.setattr(rules, "find_legal_move", lambda state: next(iter(rules.legal_moves(state)), None))
    with pytest.raises(AssertionError, match="for a seat whose hand is sealed"):
        check_a_game_with_hands(listed_events_are_legal, "coral-reef", share=0)


def test_a_view_that_hides_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a `seat_view` of its own a game would show every open hand to everybody."""
    monkeypatch.setattr(games.load_rules("ziggurat"), "seat_view", lambda state, seat: state)
    with pytest.raises(AssertionError, match="the public's view differs"):
        check_a_game_with_hands(public_views_hide_pieces)


def test_a_picker_that_shows_a_hand_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who moves the picker over the pieces would reveal to all which ones somebody holds."""
    rules, entry = games.load_rules("ziggurat"), games.load_move_input("ziggurat")
    with monkeypatch.context() as patched:
        patched.setattr(
            entry, "draft_from_pick", lambda state, pick: Draft("x", message=str(state == rules.seat_view(state, None)))
        )
        with pytest.raises(AssertionError, match="draft_from_pick tells a hidden piece"):
            check_a_game_with_hands(picks_reveal_nothing_hidden, share=1)
    begins = entry.initial_pick

    def first_of_hand(state: Any) -> Any:
        seat = rules.seat_to_move(state) or 1
        held = entry.held_pieces(rules.seat_view(state, seat), seat)
        return begins(state) if not held else begins(state)._replace(p=int(held[0][0]), q=int(held[0][2]))

    monkeypatch.setattr(entry, "initial_pick", first_of_hand)
    with pytest.raises(AssertionError, match=r"initial_pick tells what seat \d holds"):
        check_a_game_with_hands(picks_reveal_nothing_hidden, share=1)


def test_own_pieces_of_another_seat_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that shows the first seat's hand to everybody has words, but the wrong ones."""
    entry = games.load_move_input("coral-reef")
    own = entry.own_pieces_text
    monkeypatch.setattr(entry, "own_pieces_text", lambda view, seat: own(view, 1) or "none")
    with pytest.raises(AssertionError, match="own_pieces_text shows seat 2 the same for two hands"):
        check_a_game_with_hands(owners_see_their_own_hands, "coral-reef", share=1)


def test_a_refusal_that_names_a_hidden_piece_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody can read a refusal on the panel."""
    rules, entry = games.load_rules("coral-reef"), games.load_move_input("coral-reef")
    play = rules.play_move

    def telling(state: Any, seat: int, move: Any) -> Any:
        try:
            return play(state, seat, move)
        except RefusedError as refused:
            held = entry.held_pieces(rules.seat_view(state, seat), seat) if 1 <= seat <= 2 else ()
            raise RefusedError(refused.code, refused.figure, f"you hold {held}", refused.rule) from None

    monkeypatch.setattr(rules, "play_move", telling)
    with pytest.raises(AssertionError, match=r"refusing .* tells what seat \d holds"):
        check_a_game_with_hands(refusals_reveal_nothing_hidden, "coral-reef", share=1)


def test_a_claim_with_an_impossible_example_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of a false claim says what could have been played, and that must be true."""
    rules = games.load_rules("coral-reef")
    claims = rules.false_claims
    monkeypatch.setattr(
        rules,
        "false_claims",
        lambda *round_: tuple(each._replace(example="1:22", is_certain=True) for each in claims(*round_)),
    )
    with pytest.raises(
        AssertionError, match=r"false_claims says that instead of .* seat \d could have played 1:22: sum"
    ):
        check_a_game_with_hands(claims_belong_to_their_seat, "coral-reef", share=0, seeds=60)


def test_a_pass_without_instructions_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player with a sealed hand who can't move must learn how to say so."""
    monkeypatch.setattr(games.load_move_input("coral-reef"), "claim_instructions", lambda state, buttons=False: "")
    with pytest.raises(AssertionError, match="claim_instructions does not say how to enter that one can't move"):
        check_a_game_with_hands(texts_have_expected_lengths, "coral-reef", share=0)


def test_an_extra_turn_without_words_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last line did not say that the same player moves again, the others would begin to move."""
    rules = games.load_rules(GAME)
    chance, turn = Random(1), rules.seat_to_move
    played = contract.play_random_round(*next(contract.option_combinations(GAME)), chance)
    monkeypatch.setattr(rules, "seat_to_move", lambda state: turn(state) and 1)
    with pytest.raises(AssertionError, match="does not say that the same player moves again"):
        moves_have_texts(played, chance)


def test_a_board_that_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sees a board at the table, so its faults would wait for the first evening with a television."""
    monkeypatch.setattr(games.load_board(GAME), "draw", lambda *given: "a picture")
    with pytest.raises(AssertionError, match="draw returns 'a picture', which is not an Svg"):
        check_random_rounds(boards_are_drawn)


def test_a_phone_keypad_without_a_first_key_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key with an empty label is not offered."""
    monkeypatch.setattr(games.load_board(GAME), "key_labels", lambda view, keys: dict.fromkeys("0123456789ABCD", ""))
    with pytest.raises(AssertionError, match="no key that is offered begins a move"):
        check_random_rounds(boards_are_drawn)


@pytest.mark.parametrize("game", [game for game in games.built_in_game_ids() if games.manifest_of(game).holdings])
def test_sealed_hands_play_what_they_were_dealt(game: str) -> None:
    """Without random events of the game's own, a round with sealed hands goes as far as one with open hands."""
    lengths = []
    for share in (0, 1):
        chance = Random(3)
        rounds = [
            contract.play_random_round(*next(contract.option_combinations(game)), chance, share=share) for _ in range(8)
        ]
        lengths.append(sum(len(played.events) for played in rounds))
        assert all(played.rules.seat_to_move(played.states[-1]) is None for played in rounds)
    assert lengths[0] > lengths[1] / 4


def test_sealed_hands_make_false_claims() -> None:
    """Some seats claim that they can't move and play later, so that `false_claims` has something to find."""
    chance = Random(3)
    rounds = [
        contract.play_random_round(*next(contract.option_combinations("coral-reef")), chance, share=0)
        for _ in range(20)
    ]
    assert any(played.rules.false_claims(played.states[0], played.events) for played in rounds)


# -- what a game may be wrong in without failing ------------------------------------------------------------------


def test_a_round_in_which_nothing_is_legal_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat is to move and `legal_moves` lists nothing, so the round could never go on."""
    rules = games.load_rules(GAME)
    right, later = rules.legal_moves, rules.initial_state(2, {}, {})
    monkeypatch.setattr(rules, "legal_moves", lambda state: right(state) if state == later else [])
    with pytest.raises(AssertionError, match="seat 2 is to move, but nothing is legal"):
        check_random_rounds(rounds_can_be_played)


def test_a_sealed_hand_without_a_way_on_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sealed hand that can neither play nor pass leaves its owner stuck."""
    rules = games.load_rules("coral-reef")
    right = rules.play_move

    def play(state: Any, seat: int, move: Any) -> Any:
        if move.kind in ("draw", "pass"):
            raise RefusedError("pass", "no", "", "nobody draws here")
        return right(state, seat, move)

    monkeypatch.setattr(rules, "play_move", play)
    monkeypatch.setattr(rules, "legal_moves", lambda state: [])
    with pytest.raises(AssertionError, match="is to move, but no play of its sealed pieces is accepted"):
        check_a_game_with_hands(rounds_can_be_played, "coral-reef", share=0)


def test_a_round_without_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that reaches the limit counts as endless; an author with a long game raises the limit."""
    rules = games.load_rules(GAME)
    start = rules.initial_state(2, {}, {})
    monkeypatch.setattr(rules, "play_move", lambda state, seat, move: start)
    with pytest.raises(AssertionError, match="after 400 events the round is not over"):
        check_random_rounds(rounds_can_be_played)


@pytest.mark.parametrize(("game", "share"), [(GAME, 0.5), ("ziggurat", 1.0)])
def test_an_event_that_is_played_and_not_listed_is_reported(
    game: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If nothing is hidden, or hands are open, `play_move` refuses what `legal_moves` does not list."""
    rules = games.load_rules(game)
    right = rules.play_move

    def lenient(state: Any, seat: int, move: Any) -> Any:
        try:
            return right(state, seat, move)
        except RefusedError as refused:
            if refused.code not in ("count", "held"):
                raise
            return state

    monkeypatch.setattr(rules, "play_move", lenient)
    with pytest.raises(AssertionError, match=r"play_move accepts .* of seat \d, which legal_moves does not list"):
        check_a_game_with_hands(unlisted_events_are_refused, game, share=share)


@pytest.mark.parametrize("draw", [lambda canvas: canvas.text(2, 24, "seven"), lambda canvas: canvas.box(1, 15, 40, 28)])
def test_a_text_that_touches_another_is_reported(draw: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters that touch other letters or a frame cannot be read across a table."""

    def touching(canvas: Any, scene: Any) -> None:
        canvas.text(2, 17, "eleven", NAME)
        draw(canvas)

    monkeypatch.setattr(games.load_screen(GAME), "draw", touching)
    monkeypatch.setattr(screen_checks, "MARGIN_CHECK_SHARE", 1)
    with pytest.raises(AssertionError, match=r"'eleven' (touches another text|is painted over)"):
        check_random_rounds(pictures_are_whole)


@pytest.mark.parametrize(("scene", "words"), [("draw_naming", "look there"), ("draw_peek", "all the tiles")])
def test_a_text_that_touches_another_while_pieces_are_named_is_reported(
    scene: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures of hands are checked like those of the position."""
    monkeypatch.setattr(
        games.load_screen("ziggurat"), scene, lambda canvas, scene: (canvas.text(2, 20, words), canvas.hline(29))
    )
    with pytest.raises(AssertionError, match=f"'{words}' touches another text, a line or a picture"):
        check_a_game_with_hands(namings_are_whole)


def test_a_computer_move_that_is_not_shown_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """People make the computer's move, so they must be able to see it."""
    screen = games.load_screen(GAME)
    monkeypatch.setattr(screen, "draw", lambda canvas, scene: PLAIN_SCREEN.draw(canvas, scene._replace(draft=None)))
    with pytest.raises(AssertionError, match=r"the picture of the computer player's move .* is that of its move"):
        check_random_rounds(computer_moves_are_shown)


def test_a_last_move_that_is_not_shown_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who looked away reads on the panel what was played."""
    screen = games.load_screen(GAME)
    right = screen.draw
    monkeypatch.setattr(
        screen, "draw", lambda canvas, scene: right(canvas, scene._replace(last_move=None, last_move_texts=None))
    )
    with pytest.raises(AssertionError, match="at rest the picture does not show the last move"):
        check_random_rounds(pictures_are_whole)


def test_a_cut_name_of_the_player_to_move_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all names that one is looked for first; the last line may still have it whole."""

    def cut_all_names(canvas: Canvas, scene: Any) -> None:
        canvas.text(2, 24, f"{scene.player_name(scene.seat_to_move or 1)[:2]}…")
        canvas.text(2, 54, f"{scene.last_move}")

    monkeypatch.setattr(games.load_screen(GAME), "draw", cut_all_names)
    with pytest.raises(AssertionError, match=r"(Ann|Ben) is to move, and the name is cut: '(An|Be)…'; let the other"):
        check_random_rounds(pictures_are_whole)


def test_a_reason_with_numbers_that_the_manifest_lacks_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a reason is saved in English, and would stay English in every language."""
    rules = games.load_rules(GAME)
    right = rules.outcome

    def outcome(state: Any) -> Outcome:
        found = right(state)
        return found._replace(reason=text("{number} discs are left", number=2)) if found.reason else found

    monkeypatch.setattr(rules, "outcome", outcome)
    with pytest.raises(AssertionError, match=r"'{number} discs are left' is missing in the manifest's endings"):
        check_random_rounds(outcome_and_turn_agree)


@pytest.mark.parametrize(
    ("part", "name", "holds", "said"),
    [
        (games.load_move_input, "move_texts", moves_have_texts, "short of move_texts, for .*: there are no words"),
        (games.load_coach, "move_reason", moves_are_judged, "move_reason of the coach, for .*: there are no words"),
    ],
)
def test_missing_words_of_a_move_are_reported(
    part: Callable[..., Any], name: str, holds: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move without words would be an empty line in a report or a hint."""
    monkeypatch.setattr(part(GAME), name, lambda *given, **more: MoveTexts("") if name == "move_texts" else "")
    with pytest.raises(AssertionError, match=said):
        check_random_rounds(holds)


RECORD_HEADER = "companion-record: 1\ngame: 27\noptions: variant=expert\nplayers: Ann, Ben\n"
DRAWN_ROUND_EVENTS = "1: 1x10\n2: 8x2\n1: 1x3\n2: 7x3\n1: 2x4\n2: 4x4\n1: 3x3\n2: 2x3\n"


@pytest.fixture
def keep_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Makes a text the only record in the game's folder."""
    monkeypatch.setattr(games, "package_folder", lambda game: str(tmp_path))

    def keep(text: str) -> None:
        (tmp_path / "records").mkdir(exist_ok=True)
        (tmp_path / "records" / "drawn.tcr").write_text(text, encoding="utf-8")

    return keep


def test_valid_records_of_a_game_pass(keep_record: Callable[[str], None]) -> None:
    """A whole round with its result, and the beginning of a round, are valid."""
    check_random_rounds(saved_records_are_valid)  # There is no folder.
    for written in (f"{RECORD_HEADER}{DRAWN_ROUND_EVENTS}result: 11 11 winners 1 2\n", f"{RECORD_HEADER}1: 1x10\n"):
        keep_record(written)
        check_random_rounds(saved_records_are_valid)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{RECORD_HEADER}1: 1x10\n2: 8x99\n", "drawn.tcr, line 6, is not valid any more: count: "),
        (
            f"{RECORD_HEADER}{DRAWN_ROUND_EVENTS}result: 11 10 winners 1\n",
            "drawn.tcr, line 13, is not valid any more: result: wrong scores",
        ),
        (
            f"{RECORD_HEADER}{DRAWN_ROUND_EVENTS}",
            "drawn.tcr has no result, .*: add the line 'result: 11 11 winners 1 2'",
        ),
        ("companion-record: 1\ngame: ziggurat\n", "drawn.tcr is not a record of 27"),
    ],
)
def test_a_record_that_the_rules_now_refuse_is_reported(
    text: str, said: str, keep_record: Callable[[str], None]
) -> None:
    """Changed rules are found before they are shipped, with the file and the line; no random round is named."""
    keep_record(text)
    with pytest.raises(AssertionError, match=said):
        check_random_rounds(saved_records_are_valid)
    assert len(contract_failure().splitlines()) == 2


# -- what is said of it -------------------------------------------------------------------------------------------


def contract_failure(**more: Any) -> str:
    """The failure that the whole contract reports about the game."""
    try:
        for seed in range(8):
            contract.check(GAME, seed, **more)
    except AssertionError as found:
        return str(found)
    raise LookupError("the contract found nothing")


def test_a_failure_names_its_round(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It has the position, the options, the call that runs it again, and the record up to there, also as a file."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    screen = games.load_screen(GAME)
    right = screen.draw

    def fails(canvas: Any, scene: Any) -> None:
        right(canvas, scene)
        if scene.view.stacks != games.load_rules(GAME).initial_state(2, scene.options, {}).stacks:
            (1, 2)[16]

    monkeypatch.setattr(screen, "draw", fails)
    said = contract_failure()
    first, after, again, see, *text = said.splitlines()
    assert first.startswith("IndexError: tuple index out of range in test_contract_finds_faults.py, line")
    count = int(re.fullmatch(r"  after (\d+) events of 27: variant=.+, 2 players", after)[1])  # type: ignore[index]
    report = record.check_record("\n".join(text))
    assert (report.fault, len(report.events)) == (None, count)
    options = after.partition(": ")[2].removesuffix(", 2 players").replace(", ", " ")
    assert f"options: {options}" in text
    call = re.fullmatch(r"  again: contract\.run_check\('27', '(\w+)', (\d+)\)", again)
    assert call is not None
    with pytest.raises(AssertionError) as once_more:
        contract.run_check(GAME, call[1], int(call[2]))
    assert str(once_more.value).splitlines()[:3] == [first, after, again]
    file = re.fullmatch(r"  to see it: companion replay (\S+) --png pictures", see)
    assert file is not None
    monkeypatch.setattr(screen, "draw", right)
    assert main(["replay", file[1], "--png", str(tmp_path / "pictures")]) == 0
    assert len(list((tmp_path / "pictures").glob("*.png"))) == count + 1 + report.is_over


def test_rules_that_fail_name_their_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of an error while a round is played has what was played up to that point."""
    rules = games.load_rules(GAME)
    right, start = (
        rules.play_move,
        [rules.initial_state(2, options, {}) for _, options, _ in contract.option_combinations(GAME)],
    )
    monkeypatch.setattr(
        rules, "play_move", lambda state, *given: right(state, *given) if state in start else Outcome((), (), "")[16]
    )
    said = contract_failure(longest=30).splitlines()
    assert said[0].startswith("IndexError: tuple index out of range in ")
    assert said[1].startswith("  after 1 events of 27: variant=")
    assert said[2].endswith(", longest=30)")
    assert len(record.check_record("\n".join(said[4:])).events) == 1


def test_a_cut_text_is_reported_with_its_place_and_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The author sees which text it was, and by how much it must be shortened."""
    screen = games.load_screen(GAME)
    monkeypatch.setattr(screen, "draw", lambda canvas, scene: canvas.fitted_text(36, 48, LONG, (TEXT,), 90))
    cut, _, where = contract_failure().splitlines()[0].partition("…'")
    assert cut.startswith(f"'{LONG}' is cut: 'far too man")
    assert where == f" at column 36, row 48: it is {TEXT.width(LONG)} columns wide, and has 90"
    monkeypatch.setattr(screen, "draw", lambda canvas, scene: canvas.text(20, 48, LONG, TEXT))
    assert contract_failure().splitlines()[0].endswith(f": it is {TEXT.width(LONG)} columns wide, and has 107")
    monkeypatch.setattr(screen, "draw", lambda canvas, scene: wrap_text(LONG, TEXT, 60, 2))
    assert contract_failure().splitlines()[0].endswith(": it takes 5 lines of 60 columns, and has 2")
