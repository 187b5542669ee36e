"""Faults put by hand into a new game and a game with hands: the contract finds each, and its words say which it is."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
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
        r"the position was changed in place by play_move of \+\d, which must return a new one",
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
        r"play_move refuses \+4, which legal_moves lists for seat \d: count",
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
    "wrong keys are told": (r"1 is told for \+1 and for \+", (("return event[1:]", 'return "1"'),)),
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


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_new_game_is_named(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The first failure among some seeds says what is wrong, in words that its author understands."""
    said, edits = FAULTS[fault]
    game = f"put-in-{[*FAULTS].index(fault)}"  # Each has its own name, since what is loaded once is kept.
    package = f"{game.replace('-', '_')}_at_the_table"
    files = game_files(game)
    for old, new in edits:
        assert any(old in content for content in files.values()), old
        files = {path: content.replace(old, new) for path, content in files.items()}
    if fault == "slow rules":
        monkeypatch.setattr(random_rounds, "_seconds_of", lambda function: 1.0)
    if fault == "a catalogue that is not compiled":
        files[f"{package}/languages/de.po"] = ""
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    manifest = importlib.import_module(package).GAME
    monkeypatch.setattr(games, "find_added_games", lambda: ({game: InstalledGame(manifest, package)}, {}))
    found = first_failure(game, share=0.5)
    assert re.search(said, found), found


def first_failure(game: str, share: float) -> str:
    """The first line of what the contract reports within twenty seeds; "" for nothing."""
    for seed in range(20):
        try:
            contract.check(game, seed, share)
        except AssertionError as failure:
            return str(failure).splitlines()[0]
    return ""


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
    empty_deck: "complete_draw fails for draw, which legal_moves lists: is anything left to draw",
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
