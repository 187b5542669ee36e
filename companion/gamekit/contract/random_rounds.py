"""Random rounds of any game, played by its rules alone, and the report about a round in which a check fails."""

from __future__ import annotations

import re
import tempfile
import time
import traceback
from copy import copy
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.games.api import RefusedError
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import ARROWS
from companion.games.plugins import error_with_renaming_explained
from companion.rounds import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from companion.games.api import Rules
    from companion.games.api.manifest import Manifest
    from companion.games.api.move_input import MoveInput


PLAYER_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
RECORDS_FOLDER = "records"
"""The folder of a game's package with records that must be valid, files ending in ``.tcr``."""
MAX_GUESSES = 200
"""How many guessed events are tried for a sealed holding before its owner claims to have no move."""
CLAIM_SHARE = 0.03
"""The share of turns in which the owner of a sealed holding claims to have no move, whatever the pieces are."""
DRAW_SHARE = 0.25
"""The share of turns with a draw if there are other moves too: a round may end only after everything has been drawn."""
TRIED_TEXTS = (
    "",
    "x",
    "-1",
    "0",
    "9x9",
    "1:1",
    "a1 b2",
    "9999999999999",
    "draw",
    "draw A",
    "refill",
    "pass",
    "½",
    "é1",
)
"""Texts that any game must refuse or accept without an error: words from records of many games, and texts of no game.
"""
MAX_ROUND_EVENTS = 400
"""The number of events that a round played at random may have, unless its test allows more."""


MAX_SECONDS = 0.2
"""The longest time that a function of the rules may take on the computer of its author."""
MAX_ROUND_SECONDS = 20
"""A round that takes longer is not played on: then some function of the rules takes long."""


class RandomRound(NamedTuple):
    """A round that was played at random.

    `states` has its positions from the start on, one more than `events`, which are (seat, move). `longest` is the
    number of events that it may have. With `plays_guesses` a sealed holding plays guesses, if these find a legal play.
    `checked_position` has the number of the position that a check looks at, for the failure report; it is empty while a
    check looks at the round as a whole.
    """

    manifest: Manifest
    rules: Rules[Any, Any]
    move_input: MoveInput
    header: record.Header
    deals: dict[tuple[str, int], tuple[Any, ...]]
    events: list[tuple[int, Any]]
    states: list[Any]
    longest: int
    plays_guesses: bool
    checked_position: list[int]

    @property
    def record_text(self) -> str:
        """The record of the round."""
        return self.record_text_up_to(len(self.events))

    def record_text_up_to(self, count: int) -> str:
        """The record of the round up to the position after `count` events."""
        return record.format_record(
            self.header, self.deals, self.events[:count], self.rules.outcome(self.states[count])
        )

    def sample_positions(self, count: int) -> Iterator[Any]:
        """At most `count` positions of the round, evenly spaced from the start."""
        for number in range(0, len(self.states), len(self.states) // count + 1):
            yield self.position_to_check(number)
        self.checked_position.clear()

    def sample_turns(self, count: int) -> Iterator[tuple[Any, int]]:
        """The positions among `sample_positions` in which a seat decides, with that seat.

        Positions in which a seat must name what it has drawn are left out.
        """
        for state in self.sample_positions(count):
            if (seat := self.rules.seat_to_move(state)) is not None and self.move_input.due_refill(state) is None:
                yield state, seat

    def position_to_check(self, number: int) -> Any:
        """The position after `number` events, which is also the one that a failure report will name."""
        self.checked_position[:] = [number]
        return self.states[number]

    def is_open(self, seat: int) -> bool:
        """Whether the rules know all that a seat holds."""
        return all((kind, seat) in self.deals for kind in self.manifest.holdings)


def option_combinations(game: str) -> Iterator[tuple[str, dict[str, str], int]]:
    """Yield (game, options, players) for each combination of option values and each number of players."""
    manifest = games.manifest_of(game)
    for values in product(*manifest.option_values.values()):
        for players in manifest.players:
            yield game, dict(zip(manifest.options, values, strict=True)), players


def play_random_round(
    game: str,
    options: dict[str, str],
    players: int,
    random: Random,
    *,
    share: float = 0.5,
    longest: int = MAX_ROUND_EVENTS,
    guess: Callable[[Random], str] | None = None,
    on_begin: Callable[[RandomRound], object] = bool,
) -> RandomRound:
    """Play a random round to its end, or until `longest` events, or until no legal event is found.

    Each holding is open with the probability `share`. `guess` returns the text of some event, to be tried for a sealed
    holding; without it the seat plays from the pieces that it was dealt, which the rules do not know. `on_begin` is
    called with the round before its first event, and so still has what was played if the game fails.
    """
    manifest, rules = games.manifest_of(game), games.load_rules(game)
    dealt = rules.deal_holdings(players, options, random.sample)
    deals = {key: pieces for key, pieces in dealt.items() if random.random() < share}
    header = record.Header(game, options, PLAYER_NAMES[:players], (("note", "played at random"),))
    events: list[tuple[int, Any]] = []
    try:
        states = [rules.initial_state(players, options, deals)]
    except RefusedError as refused:
        raise AssertionError(f"initial_state refuses hands that deal_holdings deals: {deals}: {refused}") from None
    played = RandomRound(
        manifest, rules, games.load_move_input(game), header, deals, events, states, longest, guess is not None, []
    )
    on_begin(played)
    dealt_hands = _DealtHands(
        played, rules.initial_state(players, options, dealt) if deals != dealt and guess is None else None
    )
    started = time.thread_time()
    while (seat := rules.seat_to_move(states[-1])) is not None and len(events) < longest:
        if (seconds := time.thread_time() - started) > MAX_ROUND_SECONDS:
            raise AssertionError(
                slow_function_text(rules, states[-1])
                or f"the rules are slow: {len(events)} events took {seconds:.0f} s"
            )
        move = dealt_hands.choose_play(states[-1], seat, random)
        if move is None:
            move = choose_event(rules, states[-1], seat, random, guess if manifest.holdings else None)
            if move is None:
                move = dealt_hands.choose_play(states[-1], seat, random, always=True)
            else:
                move = dealt_hands.complete_draw(states[-1], seat, move, random)
        if move is None:
            # Once dealt pieces contradict the round, the player is to blame here, and not the rules.
            return played._replace(plays_guesses=played.plays_guesses or dealt_hands.are_lost)
        states.append(_state_after_listed(rules, states[-1], seat, move))
        dealt_hands.follow_event(states[-1], seat, move, random)
        events.append((seat, move))
    return played._replace(plays_guesses=played.plays_guesses or dealt_hands.are_lost)


def slow_function_text(rules: Rules[Any, Any], state: Any) -> str:
    """Which function of the rules takes long in a position, in words; "" if none does."""
    seat = rules.seat_to_move(state)
    move = next(iter(rules.legal_moves(state)), None)
    functions: dict[str, Callable[[], object]] = {
        "legal_moves": lambda: rules.legal_moves(state),
        "find_legal_move": lambda: rules.find_legal_move(state),
        "seat_view": lambda: rules.seat_view(state, seat),
        "outcome": lambda: rules.outcome(state),
        "play_move": lambda: move is None or rules.refusal(state, move),
    }
    for name, function in functions.items():
        seconds = min(_seconds_of(function) for _ in range(2))
        if seconds > MAX_SECONDS:
            return (
                f"the rules are slow: {name} takes {seconds:.1f} seconds here, and longer on a box; hints and "
                "look-backs ask it in thousands of positions"
            )
    return ""


def _seconds_of(function: Callable[[], object]) -> float:
    """The processor time of a call."""
    started = time.thread_time()
    function()
    return time.thread_time() - started


def play_listed_move(rules: Rules[Any, Any], state: Any, seat: int, move: Any, chance: Random) -> Any:
    """The position after a move of `legal_moves`, with the pieces that it draws.

    Raises AssertionError if the rules refuse it after all, or cannot complete it.
    """
    return _state_after_listed(rules, state, seat, with_drawn_pieces(rules, state, move, chance))


def _state_after_listed(rules: Rules[Any, Any], state: Any, seat: int, move: Any) -> Any:
    before = field_texts(state)
    try:
        after = rules.play_move(state, seat, move)
    except RefusedError as refused:
        if not is_draw(str(move)):
            source, advice = "which legal_moves lists", ""
        elif len(str(move).split()) > 1:
            source, advice = "which complete_draw makes of a draw", ". Let it sample what may still be left"
        else:
            source = "which legal_moves lists and complete_draw leaves without a piece"
            advice = ". Let complete_draw name the piece where play_move asks for it, for a hand that is_told"
        raise AssertionError(f"play_move refuses {move}, {source}, for seat {seat}: {refused}{advice}") from None
    check_unchanged(before, state, f"play_move of {move}")
    return after


def field_texts(state: Any) -> dict[str, str]:
    """The fields of a position in words, to be compared with the same position later."""
    name = type(state).__name__
    return {f"{name}.{field}": repr(getattr(state, field)) for field in getattr(state, "_fields", ())} or {
        f"the {name}": repr(state)
    }


def check_unchanged(before: dict[str, str], state: Any, culprit: str) -> None:
    """Check that the fields of a position are still what they were `before`; `culprit` was called since."""
    for (field, old), new in zip(before.items(), field_texts(state).values(), strict=True):
        assert old == new, (
            f"the position was changed in place by {culprit}, which must return a new one: {field} was {old}, and is "
            f"{new} now"
        )


class _DealtHands:
    """The pieces that were dealt, from which sealed holdings play; the rules of the round do not know them.

    Args:
        played: the round, with the rules and the move input of the game.
        open_state: the position with all holdings open; None if nothing is to be played from the dealt pieces.
    """

    def __init__(self, played: RandomRound, open_state: Any) -> None:
        self._rules, self._move_input = played.rules, played.move_input
        self._open_state = open_state
        self._plays_by_seat: dict[int, list[Any]] = {}
        self.are_lost = False
        """Whether an event has contradicted the dealt pieces, so that nobody knows what sealed holdings have."""

    def choose_play(self, state: Any, seat: int, chance: Random, *, always: bool = False) -> Any:
        """A random play of a sealed holding that the rules accept; None if there is none, or if the holding is open.

        Unless `always`, it is sometimes None for a holding that has plays: its owner draws, or claims to have none.
        """
        rules = self._rules
        if rules.chance_outcomes(state) or rules.find_legal_move(state) is not None:
            return None
        share = CLAIM_SHARE
        if self._open_state is not None and rules.seat_to_move(self._open_state) == seat:
            listed = rules.legal_moves(self._open_state)
            self._plays_by_seat[seat] = [move for move in listed if not is_draw(str(move))]
            share = DRAW_SHARE if len(self._plays_by_seat[seat]) < len(listed) else CLAIM_SHARE
        plays = self._plays_by_seat.get(seat, [])
        if share == CLAIM_SHARE and not any(
            self._move_input.claim_text(str(each)) for each in rules.legal_moves(state)
        ):
            share = 0  # What is no claim is played only if the dealt pieces allow it.
        if not plays or (not always and chance.random() < share):
            return None
        found = (
            move for move in chance.sample(plays, len(plays)) if not refusal_of_text(rules, state, seat, str(move))
        )
        return next(found, None)

    def complete_draw(self, state: Any, seat: int, move: Any, chance: Random) -> Any:
        """A move with what it draws.

        As far as the dealt pieces fit the round, it draws nothing that is in a sealed holding.
        """
        rules, open_state = self._rules, self._open_state
        completed = with_drawn_pieces(rules, state, move, chance)
        if (
            completed == move
            or open_state is None
            or rules.seat_to_move(open_state) != seat
            or move not in rules.legal_moves(open_state)
        ):
            return completed
        better = with_drawn_pieces(rules, open_state, move, chance)
        return completed if refusal_of_text(rules, state, seat, str(better)) else better

    def follow_event(self, state_after: Any, seat: int, move: Any, chance: Random) -> None:
        """Update the dealt pieces after an event; `state_after` is the round's own position after it.

        What a sealed holding draws is no event, so the open one draws here until the turns agree. After an event that
        contradicts the pieces, such as a false claim, each seat has the plays that it had last.
        """
        rules, open_state = self._rules, self._open_state
        self._plays_by_seat[seat] = [play for play in self._plays_by_seat.get(seat, ()) if play != move]
        if open_state is None:
            return
        try:
            open_state = rules.play_move(open_state, seat, with_drawn_pieces(rules, open_state, move, chance))
            while rules.seat_to_move(open_state) == seat != rules.seat_to_move(state_after):
                draw = next(move for move in rules.legal_moves(open_state) if is_draw(str(move)))
                open_state = rules.play_move(open_state, seat, with_drawn_pieces(rules, open_state, draw, chance))
        except (RefusedError, AssertionError, StopIteration):
            open_state, self.are_lost = None, True
        self._open_state = open_state


def choose_event(
    rules: Rules[Any, Any], state: Any, seat: int, chance: Random, guess: Callable[[Random], str] | None
) -> Any:
    """A random legal event; None if none is found. For a sealed holding it is usually a guess that the rules accept.

    Pieces that it draws still have to be added.
    """
    listed = list(rules.legal_moves(state))
    if outcomes := rules.chance_outcomes(state):
        return chance.choices(list(outcomes), list(outcomes.values()))[0]
    if guess is not None and rules.find_legal_move(state) is None and chance.random() < 0.8:
        refused = set()
        for _ in range(MAX_GUESSES):
            if (text := guess(chance)) in refused:
                continue
            move = rules.parse_move(text)
            if refusal_of_text(rules, state, seat, str(move)) is None:
                return move
            refused.add(text)
    draw_events = [move for move in listed if is_draw(str(move))]
    if 0 < len(draw_events) < len(listed):
        listed = draw_events if chance.random() < DRAW_SHARE else [move for move in listed if move not in draw_events]
    return chance.choice(listed) if listed else None


def with_drawn_pieces(rules: Rules[Any, Any], state: Any, move: Any, chance: Random) -> Any:
    """A draw with its pieces. A move that names pieces already is returned unchanged."""
    if len(str(move).split()) > 1:
        return move
    try:
        return rules.complete_draw(state, move, chance.sample)
    except (ValueError, IndexError) as error:
        raise AssertionError(
            f"complete_draw fails for {move} of seat {rules.seat_to_move(state)}, which legal_moves lists: "
            f"{type(error).__name__}: {error}. Either nothing is left, and legal_moves must not list the draw, or "
            "complete_draw leaves out pieces that may still be drawn"
        ) from error


def random_picks(move_input: MoveInput, state: Any, random: Random, count: int) -> Iterator[Any]:
    """Yield the initial pick, and the picks after random presses of the six buttons.

    After the last step of a pick comes the initial pick again.
    """
    pick = move_input.initial_pick(state)
    for _ in range(count):
        yield pick
        button = random.choice((*ARROWS, "ok", "back"))
        if button in ARROWS:
            pick = move_input.pick_after_arrow(state, pick, button)
        else:
            pick = (move_input.pick_after_ok if button == "ok" else move_input.pick_after_back)(
                state, pick
            ) or move_input.initial_pick(state)


def refusal_of_text(rules: Rules[Any, Any], state: Any, seat: int, text: str) -> RefusedError | None:
    """The error with which the rules refuse the event; None if they accept it."""
    try:
        rules.play_move(state, seat, rules.parse_move(text))
    except RefusedError as refused:
        return refused
    return None


class GameError(AssertionError):
    """A fault of the game as a whole, and not of one of its rounds."""


def failure_report(
    error: Exception, check_call: tuple[str, str, int], share: float, longest: int, played: RandomRound | None
) -> str:
    """What was found, at which position of which game, what runs the check again, and the record up to that position.

    `check_call` has the game, the check and the seed. `played` is None if not even the first position could be made.
    For a fault of the game as a whole no position is named.
    """
    more_arguments = (f", share={share}" if share != 0.5 else "") + (
        f", longest={longest}" if longest != MAX_ROUND_EVENTS else ""
    )
    run = f"again: contract.run_check({', '.join(map(repr, check_call))}{more_arguments})"
    if played is None or isinstance(error, GameError):
        return f"{_error_text(error)}\n  {run}"
    count = played.checked_position[0] if played.checked_position else len(played.events)
    header = played.header
    options = ", ".join([*(f"{name}={value}" for name, value in header.options.items()), f"{header.seats} players"])
    lines = [
        _error_text(error),
        f"  after {count} events of {header.game}: {options}",
        f"  {run}",
        *_record_lines(played, count),
    ]
    return "\n".join(lines)


def _error_text(error: Exception) -> str:
    """What is wrong; for an error that no check has found, also its type and where the game raised it."""
    if isinstance(error, AssertionError):
        return str(error) or f"a check failed{_code_position_text(error)}"
    renamed = error_with_renaming_explained(error)
    return f"{type(error).__name__}: {error if renamed is error else renamed}{_code_position_text(error)}"


def _code_position_text(error: Exception) -> str:
    """The line of the game's code that raised an error; of any code if the game's is not among the frames."""
    step = games.frame_at_fault(error)
    frames = traceback.extract_tb(error.__traceback__)
    if step is not None:
        file, line, name = step.tb_frame.f_code.co_filename, step.tb_lineno, step.tb_frame.f_code.co_name
    elif frames:
        file, line, name = frames[-1].filename, frames[-1].lineno or 0, frames[-1].name
    else:
        return ""
    return f" in {Path(file).name}, line {line} ({name})"


def _record_lines(played: RandomRound, count: int) -> list[str]:
    """The record up to a position; it is also written to a file that is ready to be replayed."""
    try:
        text = played.record_text_up_to(count)
    except Exception as error:  # An error of the game must not hide the failed check.
        return [f"  its record cannot be written: {type(error).__name__}: {error}"]
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix=f"{played.header.game}-", suffix=".tcr", delete=False
        ) as file:
            file.write(text)
        file_name = file.name
    except OSError:
        file_name = "FILE"
    return [f"  to see it: companion replay {file_name} --png pictures", text.rstrip("\n")]


def with_saved_drafts(move_input: MoveInput) -> MoveInput:
    """The same move input, which saves its drafts: the inherited picker asks for each of them again and again."""
    saved, drafts = copy(move_input), cache(move_input.draft_from_keys)
    vars(drafts)["__func__"] = getattr(move_input.draft_from_keys, "__func__", None)  # For `is_inherited`.
    vars(saved)["draft_from_keys"] = drafts
    return saved


def first_word(event: str) -> str:
    """The word that an event begins with; "" for an event of numbers."""
    return re.split("[^a-z]", event, maxsplit=1)[0]


def check_text(owner: str, text: object) -> None:
    """Check that a text is one line and not empty; `owner` says whose text it is."""
    assert isinstance(text, str), f"{owner}: {text!r} is not a text"
    assert text.strip(), f"{owner}: there are no words"
    assert "\n" not in text, f"{owner}: {text!r} has more than one line"
