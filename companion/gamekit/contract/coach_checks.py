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
from companion.coach.rules_coach import RulesCoach
from companion.coach.search import Budget
from companion.coach.verdicts import Mark, PlayedRound, judge_moves
from companion.gamekit.contract.random_rounds import check_text, refusal_of_text
from companion.games.api.game_texts import chosen_part, is_chance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.gamekit.contract.random_rounds import RandomRound
    from companion.games.api.coach import Coach, SeatKnowledge

CHECKED_SHARE = 0.5
"""The share of rounds that are checked, since this takes longer than other checks."""
SEARCH_NODES = 100
"""The positions that are searched for each.

They are few and there is no time limit, so that a seed gives the same result on every machine.
"""
MAX_CHECKED_EVENTS = 40
"""Only so many events of a round are checked. Later, sealed hands that only draw may have too many moves."""
MAX_MOVES = 60
"""The most moves of a position that is checked: even the shallowest search looks at each in several guessed hands."""

COACH_FAULT_TEXT = "a fault of the coach and not of {game}, please report it"
"""Whose fault it is if the coach is part of this program."""


def moves_are_judged(played: RandomRound, chance: Random) -> None:
    """The review, a hint and the computer player use legal moves only, at two positions of half of the rounds."""
    decided = [
        number
        for number, (_, move) in enumerate(played.events[:MAX_CHECKED_EVENTS])
        if not (is_chance(str(move)) or played.rules.chance_outcomes(played.states[number]))
    ]
    if not decided or chance.random() >= CHECKED_SHARE:
        return
    for number in sorted({chance.choice(decided), decided[-1]}):
        played.position_to_check(number)
        _check_position(played, number)
    played.checked_position.clear()


def _check_position(played: RandomRound, number: int) -> None:
    """Check what is said about the position before an event, and about the event."""
    rules, move_input = played.rules, played.move_input
    states, seat = played.states[: number + 1], played.events[number][0]
    events = [(who, str(move)) for who, move in played.events[: number + 1]]
    with _blaming_failed_code("the look-back", played):
        coach = coach_for_game(played.manifest.id)
        knowledge = seat_knowledge(rules, move_input, states, events[:number], seat)
        legal = (
            {chosen_part(str(move)) for move in rules.legal_moves(knowledge.view)}
            if coach.knows_own_pieces(knowledge)
            else set()
        )
    if len(legal) > MAX_MOVES:
        return
    move = events[number][1]
    if move in legal:
        with _blaming_failed_code("the look-back", played):
            for name in ("look_here_text", "move_reason"):
                check_text(
                    f"{name} of the coach, for {move}", getattr(coach, name)(knowledge, played.events[number][1])
                )
            check_text("value_text of the coach, for a lead of 1", coach.value_text(1))
        round_ = PlayedRound(rules, move_input, [*states, played.states[number + 1]], events)
        _check_verdict(played, coach, round_, legal)
    if legal:
        _check_hint(played, knowledge)
    if legal and played.manifest.allows_computer_player:
        with _blaming_failed_code("the computer player", played):
            found = [
                chosen_part(str(each.move))
                for each in advise(coach, knowledge, Budget(SEARCH_NODES), is_narrow=True).ranked_moves
            ]
        _check_coach(played, coach, bool(found), f"the computer player finds none of the moves {_joined_moves(legal)}")
        _check_coach(
            played,
            coach,
            set(found) <= legal,
            f"the computer player finds moves that are not legal: {_joined_moves({*found} - legal)}",
        )
        _check_coach(played, coach, len({*found}) == len(found), f"the computer player finds a move twice: {found}")


def _check_verdict(played: RandomRound, coach: Coach[Any], round_: PlayedRound, legal: set[str]) -> None:
    """Check the verdict on the last event of a round, which is one of the legal moves."""
    with _blaming_failed_code("the look-back", played):
        verdict = next(judge_moves(coach, round_, lambda _: Budget(SEARCH_NODES, extra_nodes=SEARCH_NODES)), None)
    if verdict is None or verdict.event_index != len(round_.events) - 1:
        return  # The coach counts this move and another one as the same.
    move, best = verdict.move, verdict.best_move
    _check_coach(played, coach, best in legal, f"the look-back calls {best} better than {move}, which is not legal")
    mistake = verdict.mark in (Mark.SLIP, Mark.LOSING)
    _check_coach(
        played, coach, not (mistake and best == move), f"the look-back calls {move} a mistake, and the best move"
    )
    _check_coach(
        played, coach, verdict.value <= verdict.best_value, f"the look-back values {move} above the best move, {best}"
    )
    winners = played.rules.outcome(round_.states[-1]).winners
    if winners and verdict.is_value_proven and not verdict.is_only_move:
        value = 0 if len(winners) > 1 and verdict.seat in winners else 1 if verdict.seat in winners else -1
        wrong = f"the look-back is certain that {move} leads to {verdict.value}, and then {winners} have won"
        _check_coach(played, coach, (verdict.value > 0) - (verdict.value < 0) == value, wrong)


def _check_hint(played: RandomRound, knowledge: SeatKnowledge[Any]) -> None:
    """Check that all parts of a hint have words, and that the moves they offer are legal."""
    with _blaming_failed_code("a hint", played):
        parts = make_hint(played.manifest.id, knowledge, SEARCH_NODES)
    for part in parts:
        assert all(line.strip() for line in part.text_lines), f"a part of a hint has no words: {part}"
        for event in filter(None, (part.event, part.place)):
            refused = refusal_of_text(played.rules, knowledge.view, knowledge.seat, event)
            assert refused is None, f"a hint offers {event}, but play_move refuses it: {refused}"


@contextmanager
def _blaming_failed_code(task: str, played: RandomRound) -> Iterator[None]:
    """Turn an error into one that says whose code has failed: the game's or the coach's."""
    try:
        yield
    except Exception as error:
        step, game = games.frame_at_fault(error), played.manifest.id
        if step is None:
            raise
        code = step.tb_frame.f_code
        culprit = (
            f"by {COACH_FAULT_TEXT.format(game=game)}"
            if games.is_frame_in_coach_code(step)
            else f"in {code.co_qualname} of {game}"
        )
        where = f"{Path(code.co_filename).name}, line {step.tb_lineno}"
        raise AssertionError(f"{task} fails {culprit}: {type(error).__name__}: {error} in {where}") from error


def _check_coach(played: RandomRound, coach: Coach[Any], is_right: bool, fault: str) -> None:
    """Raise AssertionError with the fault unless `is_right`, and with whose coach it is."""
    game = played.manifest.id
    culprit = (
        COACH_FAULT_TEXT.format(game=game)
        if isinstance(coach, RulesCoach)
        else f"a fault of the COACH of {game}, or of ours"
    )
    assert is_right, f"{fault}: {culprit}"


def _joined_moves(moves: set[str]) -> str:
    return ", ".join(sorted(moves))[:80]
