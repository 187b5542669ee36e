"""Checks of what the coach says about moves: in a review, in a hint, and as a computer player.

A game without a coach is searched by its rules. So the game's own methods get positions as one seat knows them, and
moves of hands that are guessed. What fails then may also be the program's own coach, so the report says whose fault it
is.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.coach.advice import advise, coach_for_game, seat_knowledge
from companion.coach.hints import make_hint
from companion.coach.lookback import Mark, judge_moves
from companion.coach.lookback import PlayedRound as Round
from companion.coach.plain import RulesCoach
from companion.coach.search import Budget
from companion.gamekit.contract.play import check_words, refusal
from companion.games.api.words import decided_part, is_chance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.gamekit.contract.play import Played
    from companion.games.api.coach import Coach, SeatKnowledge

EVERY = 0.5
"""The share of rounds that are checked, since this takes longer than other checks."""
NODES = 100
"""The positions that are searched for each.

They are few and there is no time limit, so that a seed gives the same result on every machine.
"""
LATEST = 40
"""Only so many events of a round are checked. Later, sealed hands that only draw may have too many moves."""
MOST_MOVES = 60
"""The most moves of a position that is checked: even the shallowest search looks at each in several guessed hands."""

OURS = "a fault of the coach and not of {game}, please report it"
"""Whose fault it is if the coach is part of this program."""


def moves_are_judged(played: Played, chance: Random) -> None:
    """The review, a hint and the computer player use legal moves only, at two positions of half of the rounds."""
    decided = [number for number, (_, move) in enumerate(played.events[:LATEST]) if not is_chance(str(move))]
    if not decided or chance.random() >= EVERY:
        return
    for number in sorted({chance.choice(decided), decided[-1]}):
        played.state(number)
        _check_position(played, number)
    played.at.clear()


def _check_position(played: Played, number: int) -> None:
    """Check what is said about the position before an event, and about the event."""
    rules, entry = played.rules, played.entry
    states, seat = played.states[: number + 1], played.events[number][0]
    events = [(who, str(move)) for who, move in played.events[: number + 1]]
    with _blamed("the look back", played):
        coach = coach_for_game(played.manifest.id)
        sight = seat_knowledge(rules, entry, states, events[:number], seat)
        legal = {decided_part(str(move)) for move in rules.legal_moves(sight.view)} if coach.knows_own_pieces(sight) else set()
    if len(legal) > MOST_MOVES:
        return
    move = events[number][1]
    if move in legal:
        with _blamed("the look back", played):
            for name in ("look_at", "reason"):
                check_words(f"{name} of the coach, for {move}", getattr(coach, name)(sight, played.events[number][1]))
            check_words("words of the coach, for a lead of 1", coach.value_text(1))
        _check_verdict(played, coach, Round(rules, entry, [*states, played.states[number + 1]], events), legal)
    if legal:
        _check_hint(played, sight)
    if legal and played.manifest.allows_computer_player:
        with _blamed("the box as a player", played):
            found = [decided_part(str(each.move)) for each in advise(coach, sight, Budget(NODES), is_narrow=True).ranked_moves]
        _check(played, coach, bool(found), f"the computer player finds none of the moves {_listed(legal)}")
        _check(
            played,
            coach,
            set(found) <= legal,
            f"the computer player finds moves that are not legal: {_listed({*found} - legal)}",
        )
        _check(played, coach, len({*found}) == len(found), f"the computer player finds a move twice: {found}")


def _check_verdict(played: Played, coach: Coach[Any], round_: Round, legal: set[str]) -> None:
    """Check the verdict on the last event of a round, which is one of the legal moves."""
    with _blamed("the look back", played):
        verdict = next(judge_moves(coach, round_, lambda _: Budget(NODES, extra_nodes=NODES)), None)
    if verdict is None or verdict.event != len(round_.events) - 1:
        return  # The coach counts this move and another one as the same.
    move, best = verdict.move, verdict.best_move
    _check(played, coach, best in legal, f"the look back calls {best} better than {move}, which is not legal")
    mistake = verdict.mark in (Mark.SLIP, Mark.LOSING)
    _check(played, coach, not (mistake and best == move), f"the look back calls {move} a mistake, and the best move")
    _check(played, coach, verdict.value <= verdict.best_value, f"the look back values {move} above the best move, {best}")
    winners = played.rules.outcome(round_.states[-1]).winners
    if winners and verdict.is_value_proven and not verdict.is_only_move:
        value = 0 if len(winners) > 1 and verdict.seat in winners else 1 if verdict.seat in winners else -1
        wrong = f"the look back is certain that {move} leads to {verdict.value}, and then {winners} have won"
        _check(played, coach, (verdict.value > 0) - (verdict.value < 0) == value, wrong)


def _check_hint(played: Played, sight: SeatKnowledge[Any]) -> None:
    """Check that all parts of a hint have words, and that the moves they offer are legal."""
    with _blamed("a hint", played):
        parts = make_hint(played.manifest.id, sight, NODES)
    for part in parts:
        assert all(line.strip() for line in part.text_lines), f"a part of a hint has no words: {part}"
        for event in filter(None, (part.event, part.place)):
            refused = refusal(played.rules, sight.view, sight.seat, event)
            assert refused is None, f"a hint offers {event}, but play refuses it: {refused}"


@contextmanager
def _blamed(what: str, played: Played) -> Iterator[None]:
    """Turn an error into one that says whose code has failed: the game's or the coach's."""
    try:
        yield
    except Exception as error:
        step, game = games.frame_at_fault(error), played.manifest.id
        if step is None:
            raise
        code = step.tb_frame.f_code
        whose = f"by {OURS.format(game=game)}" if games.is_coach_frame(step) else f"in {code.co_qualname} of {game}"
        where = f"{Path(code.co_filename).name}, line {step.tb_lineno}"
        raise AssertionError(f"{what} fails {whose}: {type(error).__name__}: {error} in {where}") from error


def _check(played: Played, coach: Coach[Any], holds: bool, wrong: str) -> None:
    """Raise AssertionError with the fault unless `is_right`, and with whose coach it is."""
    game = played.manifest.id
    whose = OURS.format(game=game) if isinstance(coach, RulesCoach) else f"a fault of the COACH of {game}, or of ours"
    assert holds, f"{wrong}: {whose}"


def _listed(moves: set[str]) -> str:
    return ", ".join(sorted(moves))[:80]
