"""Faults put by hand into a new game and a game with hands: the contract finds each, and its words say which it is."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import chance_games
import pytest

from companion import games
from companion.commands.new import game_files
from companion.gamekit import contract
from companion.gamekit.contract import random_rounds
from companion.games.api.manifest import InstalledGame

WITH_LIST = (("number: int", "number: list"), ("State(0, 1)", "State([0], 1)"), (".number", ".number[0]"))
CHANCE = ("GOAL_NUMBER = 21", "import random\nGOAL_NUMBER = 21")
FAULTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "the position is changed in place": (
        r"the position was changed in place by play_move of \+\d, which must return a new one: State\.number was \[0\]",
        (*WITH_LIST, ("return State(number,", "state.number[0] = number; return State(state.number,")),
    ),
    "the position has a list": (
        r"a position can be changed: State\.number is a list; use tuples",
        (*WITH_LIST, ("return State(number,", "return State([number],")),
    ),
    "chance in the rules": (
        "the same events lead to another position, so the rules use chance|do the rules use chance",
        (CHANCE, ("return State(number,", "return State(number - (number > 2 and random.random() < 0.5),")),
    ),
    "another order each time": (
        "legal_moves lists other moves, or in another order, when asked again",
        (CHANCE, ("count in range(1, ", "count in shuffled("),
         ("SENTENCES = {", "def shuffled(end): return random.sample(range(1, end), end - 1)\n\nSENTENCES = {")),
    ),
    "a refusal without a reason": (
        r"play_move refuses '\+\d' with code beyond and no reason",
        (('("{number}+{added} = {sum}", "goal {goal}", "stop at {goal}")', '("", "", "")'),),
    ),
    "a refusal without a row": (
        r"SENTENCES of .* has no row 'too-far' in rules\.py, line \d+ \(play_move\)",
        (('RefusedError("beyond"', 'RefusedError("too-far"'),),
    ),
    "a move is listed and refused": (
        r"play_move refuses \+4, which legal_moves lists, for seat \d: count",
        (("min(MAX_ADDED,", "min(MAX_ADDED + 1,"),),
    ),
    "a legal move is not listed": (
        r"play_move accepts \+3 of seat \d, which legal_moves does not list",
        (("min(MAX_ADDED,", "min(MAX_ADDED - 1,"),),
    ),
    "nothing is listed": (
        "is to move, but nothing is legal", (("GOAL_NUMBER - state.number) + 1)", "GOAL_NUMBER - state.number))"),),
    ),
    "a move is written otherwise than it is read": (
        r"a move is not read back: parse_move reads '\+", (("Move(int(text[1:]))", "Move(int(text[1:]) + 1)"),),
    ),
    "two spellings": (
        r"play_move accepts \+[0+]\d of seat \d, which leads to the same position as \+\d, but only \+\d is listed",
        (("added: int\n", "added: int\n    sign: str = '+'\n"), ('f"+{self.added}"', 'f"{self.sign}{self.added}"'),
         ('r"\\+[1-9]"', 'r"\\+[0+]?[1-9]"'), ("Move(int(text[1:]))", "Move(int(text[-1]), text[:-1])")),
    ),
    "moves are not equal": (
        "a move is not read back: .*which is not == ",
        (("class Move(NamedTuple):", "class Move:"),
         ("    added: int\n", "    def __init__(self, added: int) -> None:\n        self.added = added\n")),
    ),
    "the turn does not pass": (
        r"seat 2 never has a turn, in \d+ events of 2 players: does play_move pass the turn",
        (("State(number, 3 - seat)", "State(number, seat)"),),
    ),
    "the third seat has no turn": (
        r"seat 3 never has a turn, in \d+ events of 3 players",
        (("Manifest(id=", "Manifest(players=(3,), id="), ("check_seat(seat, 2)", "check_seat(seat, 3)"),
         ("Outcome((0, 0)", "Outcome((0, 0, 0)"), ("int(winner == 2))", "int(winner == 2), 0)")),
    ),
    "another seat may move": (
        r"play_move accepts \+\d of seat \d, but ", (("        check_turn(seat, self.seat_to_move(state))\n", ""),),
    ),
    "a score is missing": ("outcome has 1 scores for 2 seats", (("Outcome((0, 0)", "Outcome((0,)"),)),
    "the end has no reason": (
        "nobody is to move, but outcome gives no reason why", (('"the goal is reached"', '""'),),
    ),
    "winners before the end": (
        "is to move, but outcome names winners", (('Outcome((0, 0), (), "")', 'Outcome((0, 0), (1,), "")'),),
    ),
    "the wrong seat has won": (
        r"records/whole\.tcr, line \d+, is not valid any more: result",
        (("winner = 3 - state.seat", "winner = state.seat"),),
    ),
    "the wrong seat wins by points": (
        r"the wrong seat wins: outcome says that seat \d wins with 0, but seat \d has 1",
        (("scores_are_points=False, ", ""), ("(winner,), ", "(3 - winner,), ")),
    ),
    "a round without an end": (
        "the round is not over", (("number = state.number + move.added", "number = (state.number + move.added) % 20"),),
    ),
    "an error for a text that is no move": (
        r"ValueError: .* in rules\.py, line \d+ \(parse_move\)",
        (('if not re.fullmatch(r"\\+[1-9]", text):', 'if text == "+":'),),
    ),
    "a tick for what is refused": (
        r"'\+\d' is shown as possible, but play_move refuses \+\d: (count|beyond)",
        (("self.judged_draft(state, move,", "Draft(str(move), str(move), 'ok',"),),
    ),
    "a move that no keys type": (
        r"\+3 cannot be (typed|picked)|3 types no move, but is told", (('tuple("123456789")', 'tuple("12")'),),
    ),
    "wrong keys are told": (r"\+1 and \+2 both have the keys 1 in one position", (("return event[1:]", 'return "1"'),)),
    "a misspelled function": (
        "nobody calls position_line of the class MoveInput: is it position_lines",
        (("def position_lines(", "def position_line("),),
    ),
    "a function with its words in another order": (
        "nobody calls instructions_input of the class MoveInput: is it input_instructions",
        (("def position_lines(", "def instructions_input(self): return ''\n\n    def position_lines("),),
    ),
    "a function with its old name": (
        "nobody calls stray of the class MoveInput: it is called stray_key_text now",
        (("def position_lines(", "def stray(self, state, keys, key): return ''\n\n    def position_lines("),),
    ),
    "a letter that the panel lacks": (
        "has '♞', which the face .* lacks, so the panel shows hollow boxes",
        (("return (str(view.number),)", 'return (f"{view.number} ♞",)'),),
    ),
    "words that are cut": (
        r"'makes the number \d+ at last' is cut", (('"makes {number}"', '"makes the number {number} at last"'),),
    ),
    "a screen that fails": (
        r"ZeroDivisionError: .* in screen\.py, line \d+ \(draw\)", (("range(GOAL_NUMBER)", "range(GOAL_NUMBER // 0)"),),
    ),
    "slow rules": ("the rules are slow: legal_moves takes 1.0 seconds here", ()),
    "a catalogue that is not compiled": ("languages/de.po is not compiled, so nobody reads it: msgfmt makes de.mo", ()),
}  # fmt: skip
"""The fault → what the contract says, and what is replaced by what in the files of a new game."""


VARIANT_FAULTS: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "a secret hand lays a third copy of two": (
        "hands", r"play_move accepts play \d of the sealed hand of seat \d, but all copies of \d, 2 of them, are in "
        r"open hands or were played, after these events of a round of its own: \d: ",
        (("state.count_known(move.card) == COPIES:",
          "(state if is_draw else state._replace(laid=())).count_known(move.card) == COPIES:"),),
    ),
    "hands with a copy too many": (
        "hands", r"initial_state accepts hands with 3 copies of \d, but deal_holdings deals from 2",
        (("state.count_known(card) > COPIES", "state.count_known(card) > COPIES + 1"),),
    ),
    "hands with a copy too few": (
        "hands", "initial_state refuses hands (with 2 copies of .|that deal_holdings deals): .*too many alike",
        (("state.count_known(card) > COPIES", "state.count_known(card) >= COPIES"),),
    ),
    "a copy too many is offered": (
        "hands", r"available_pieces offers 3 copies of \d before any hand is known, but deal_holdings deals from 2",
        (("COPIES - view.count_known", "COPIES + 1 - view.count_known"),),
    ),
    "a copy too many is drawn from": (
        "hands", r"complete_draw samples too many copies of 9 for seat 1: deal_holdings deals from 2, and hands hold",
        (("(COPIES - state.count_known(card))", "(COPIES + (card == 9) - state.count_known(card))"),),
    ),
    "a card too many in the deck": (
        "hands", "complete_draw fails for draw of seat .*Either nothing is left, and legal_moves must not list",
        (("len(CARDS) * COPIES - HAND", "len(CARDS) * COPIES + 1 - HAND"),),
    ),
    "a draw of a third copy": (
        "hands", r"play_move accepts draw \d of seat \d, but all copies of \d are in hands",
        (("(is_draw or pieces is None) and", "pieces is None and"),),
    ),
    "a hand of less than nothing": (
        "hands", r"play_move accepts play \d of seat \d, after which a hand counts -1 pieces",
        (("not hand.size or (pieces", "(pieces"),),
    ),
    "a hand that is not sorted": (
        "hands", "the pieces of a holding are not sorted", (("sorted((*pieces, move.card))", "(*pieces, move.card)"),),
    ),
    "a view that forgets what the box knows": (
        "hands", "seat_view loses whether the box knows a hand",
        (("hand.sealed() for", "Holding(hand.size, None) for"),),
    ),
    "handed in and not sorted": (
        "hands", r"the players hand in a deal as '\d \d \d', but parse_deal makes",
        (("tuple(sorted(map(int, text.replace(\" \", \"\"))))", 'tuple(map(int, text.replace(" ", "")))'),),
    ),
    "no words for what a takeback reveals": (
        "hands", r"revealed_piece_text has no words for draw \d", (('text("a drawn card") if', '"" if'),),
    ),
    "a throw that is missing": (
        "dice", r"chance_outcomes has 20 throws of dice, and lacks 66 \(in the round of seed 0, after 0 events\)",
        (("(range(1, 7), 2)}", "(range(1, 7), 2) if low < 6}"),),
    ),
    "a die that is not fair": (
        "dice", r"chance_outcomes gives 'roll 66' the weight 3 and 'roll \d\d' 1, but fair dice give them 1 and 1 "
        r"\(in the round of seed 0, after 0 events\)",
        (("1 + (low < high) for", "1 + (low < high) + 2 * (low == 6) for"),),
    ),
    "a zero before a number": (
        "hands", r"parse_move reads 'draw 0?\d' as 'draw \d', though legal_moves lists no such spelling|"
        r"parse_move reads 'play (0|٠)?.' as 'play \d'",
        (('"(draw|play)(?: ([1-9]))?"', 'r"(draw|play)(?: 0?([1-9]))?"'),),
    ),
    "two choices with one key": (
        "dice", "again and stop both have the keys 1 in one position: keys_for_event must give one of them other keys",
        (('"stop": "0"', '"stop": "1"'),),
    ),
    "the words of another decision": (
        "dice", r"input_instructions says '1 again, 0 stop, #', but the key 0 does nothing there \(in the round",
        (("if view.may_stop else text", "if not view.may_stop else text"),),
    ),
    "a first key that is crossed": (
        "dice", r"draft_from_keys crosses the keys \d as impossible, but \d\d play roll \d\d: while further keys",
        (('return super().draft_from_keys(state, "".join(sorted(keys)))',
          'draft = super().draft_from_keys(state, "".join(sorted(keys)))\n        '
          'return draft._replace(verdict="no") if draft and draft.verdict == "more" else draft'),),
    ),
    "the turn is not passed on": (
        "hands", r"the turn is not passed on: after moves such as 'play \d' the same player moves again, (\d+) times "
        r"of \1: .*\(in the round of seed 0, after \d+ events\)",
        (("seat % len(state.hands) + 1,", "seat % len(state.hands) + 1 if is_draw else seat,"),
         ("return MoveTexts(str(move.card), sentence=", 'return MoveTexts(str(move.card), text("{move}, again", '
          'move=str(move)) if moves_again else "", sentence=')),
    ),
}  # fmt: skip
"""The fault → the template, what the contract says or warns of, and what is replaced by what."""


@pytest.mark.parametrize("fault", VARIANT_FAULTS)
def test_a_fault_in_a_new_game_with_hands_or_dice_is_named(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its words name the function and the pieces, keys or events that it is about."""
    variant, said, edits = VARIANT_FAULTS[fault]
    game = f"varied-{[*VARIANT_FAULTS].index(fault)}"
    files = {path: content for path, content in game_files(game, variant).items() if not path.endswith(".tcr")}
    install_with(edits, files, game, monkeypatch, tmp_path)
    found = first_failure(game, share=0.5)
    assert re.search(said, found), found


def install_with(
    edits: Sequence[tuple[str, str]], files: dict[str, str], game: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    for old, new in edits:
        assert any(old in content for content in files.values()), old
        files = {path: content.replace(old, new) for path, content in files.items()}
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    package = f"{game.replace('-', '_')}_at_the_table"
    monkeypatch.syspath_prepend(folder)
    manifest = importlib.import_module(package).GAME
    monkeypatch.setattr(games, "find_added_games", lambda: ({game: InstalledGame(manifest, package)}, {}))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_new_game_is_named(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first failure among some seeds says what is wrong, in words that its author understands."""
    said, edits = FAULTS[fault]
    game = f"put-in-{[*FAULTS].index(fault)}"  # Each has its own name, since what is loaded once is kept.
    files = game_files(game)
    if fault == "slow rules":
        monkeypatch.setattr(random_rounds, "_seconds_of", lambda function: 1.0)
    if fault == "a catalogue that is not compiled":
        files[f"{game.replace('-', '_')}_at_the_table/languages/de.po"] = ""
    install_with(edits, files, game, monkeypatch, tmp_path)
    found = first_failure(game, share=0.5)
    assert re.search(said, found), found


def first_failure(game: str, share: float) -> str:
    """The first line of what the contract reports within twenty seeds, or else its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for seed in range(20):
            try:
                contract.check(game, seed, share)
            except AssertionError as failure:
                return str(failure).splitlines()[0]
            if seed > 5 and found:
                break
    return " ".join({str(each.message) for each in found})


def tell_hand(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    play = rules.play_move

    def telling(state: Any, seat: int, move: str) -> Any:
        try:
            return play(state, seat, move)
        except chance_games.RefusedError as refused:
            if refused.code != "held":
                raise
            raise chance_games.RefusedError("held", card=(state.hands[seat - 1].pieces or (0,))[0]) from None

    patch.setattr(rules, "play_move", telling)


def read_draw(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    judged = entry._judged
    patch.setattr(entry, "_judged", lambda state, keys: judged(state, keys)._replace(text=keys))


def tell_draw(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    patch.setattr(entry, "is_piece_hidden", lambda kind, piece: kind != "draw")


def verdict_tells(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    judged = entry._judged

    def telling(state: Any, keys: str) -> Any:
        draft, pieces = judged(state, keys), state.hands[state.to_move - 1].pieces
        return draft._replace(message=f"best {pieces[-1]}") if pieces and draft.verdict == "ok" else draft

    patch.setattr(entry, "_judged", telling)


def view_keeps_draw(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    view = rules.seat_view

    def larger_hands_stay(state: Any, seat: int | None) -> Any:
        hands = (old if old.size > 3 else new for old, new in zip(state.hands, view(state, seat).hands, strict=True))
        return state._replace(hands=tuple(hands))

    patch.setattr(rules, "seat_view", larger_hands_stay)


def empty_deck(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    complete = rules.complete_draw
    patch.setattr(rules, "complete_draw", lambda state, move, sample: complete(state, move, lambda *_: sample([], 1)))


def swapped_hands(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    view = rules.seat_view
    patch.setattr(rules, "seat_view", lambda state, seat: view(state, seat and 3 - seat))


def hidden_from_owner(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    patch.setattr(entry, "own_pieces_text", lambda view, seat: "your cards")


def wrong_winner(patch: pytest.MonkeyPatch, rules: Any, entry: Any) -> None:
    right = rules.outcome

    def outcome(state: Any) -> Any:
        found = right(state)
        return found._replace(winners=tuple(3 - seat for seat in found.winners)) if len(found.winners) == 1 else found

    patch.setattr(rules, "outcome", outcome)


HAND_FAULTS: dict[Callable[..., None], str] = {
    tell_hand: r"refusing play \d tells what seat \d holds",
    read_draw: r"\w+'s \d can be read in the draft of the keys 0\d: '0\d', but '0\d' for draw \d\. Show a dot",
    tell_draw: r"\w+'s \d can be read in the words of draw \d, though seat_view hides it: see is_piece_hidden",
    verdict_tells: r"the draft of the keys \d tells what seat \d holds: .*best \d",
    view_keeps_draw: r"\w+'s \d can be seen in the public's view after draw \d: see seat_view",
    empty_deck: r"complete_draw fails for draw of seat \d, which legal_moves lists: ValueError.*Either nothing is left",
    swapped_hands: r"seat \d has drawn \d with draw \d, but does not hold it in its own view",
    hidden_from_owner: "own_pieces_text shows seat 1 the same for two hands: your cards",
    wrong_winner: r"the wrong seat wins: outcome says that seat \d wins with -?\d+, but seat \d has -?\d+",
}


@pytest.mark.parametrize("put_in", HAND_FAULTS, ids=lambda each: each.__name__)
def test_a_fault_in_a_game_with_hands_is_named(put_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose piece can be read, and where."""
    chance_games.install_games(monkeypatch)
    put_in(monkeypatch, games.load_rules("draw-or-play"), games.load_move_input("draw-or-play"))
    found = first_failure("draw-or-play", share=1)
    assert re.search(HAND_FAULTS[put_in], found), found
