"""Moves of Prime Attactics in words, with the numbers that speak for or against them; only the public's view is used.

A score is in danger of the black tiles that divide it (sheet, Further Notes: primes are defence positions), and of
what lies face up on the other display.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from companion.game import Refused
from companion.game.hint import as_much_as_fits, fits
from companion.game.text import text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.moves import list_plays
from companion.games.prime_attactics.tiles import NUMBER, Play, arithmetic, result

if TYPE_CHECKING:
    from companion.games.prime_attactics.state import State
    from companion.games.prime_attactics.tiles import Move

LOST = 100_000
"""The gain, negated, of a play that brings the own score to 0."""


def look_at(view: State, seat: int, move: Play) -> str:
    """The score that a play is for, before and after it; never its tile."""
    before, made = view.sides[2 - seat if move.aimed else seat - 1].score, rules.working(view, seat, move)[1]
    if made:
        message = "Bring your own score from {before} to {score}. How?"
        if move.aimed:
            message = "Bring the other score from {before} to {score}. How?"
        return text(message, before=before, score=made)
    return text("The other score can be brought to 0." if move.aimed else "Your own score comes to 0: that loses.")


def reason(view: State, seat: int, move: Play) -> str:
    """The arithmetic of a play, both scores after it, and what can be played against them: as much of it as fits."""
    said, made = rules.working(view, seat, move)
    message = "The other's {sum} = {score}" if move.aimed else "Your {sum} = {score}"
    if move.slam:
        message = "Slam dunk: the other's {sum} = {score}"
    play = text(message, sum=said, score=made)
    if made == 0:
        return text("{play}: you win." if move.aimed else "{play}: you lose.", play=play)
    own, other = (made, view.sides[2 - seat].score) if not move.aimed else (view.sides[seat - 1].score, made)
    told = text("{play}: then {own} against {other}.", play=play, own=own, other=other)
    if not fits(told):
        return text("{play}.", play=play)
    counter, danger = counterplay(view, seat, own, other), divided(view, seat, own)
    counter_first = move.aimed or counter.endswith(" = 0.")
    return as_much_as_fits(told, *((counter, danger) if counter_first else (danger, counter)))


def divided(view: State, seat: int, score: int) -> str:
    """The other seat's unplayed black tiles that divide a score of `seat`; "" if it has no black tile left.

    Those in its rack and those in its pile are not told apart, so nothing hidden is revealed.
    """
    side = view.sides[2 - seat]
    if not side.rack.size:  # Restocked from the pile, so that the pile is empty, too.
        return ""
    unplayed = sorted({tile & NUMBER for tile in (*side.black, *(side.rack.pieces or ()))})
    found = [str(number) for number in unplayed if score % number == 0]
    if not found:
        return text("They cannot divide {score}.", score=score)
    if len(found) == 1:
        return text("They may divide {score} by {last}.", score=score, last=found[0])
    message = "They may divide {score} by {some} or {last}."
    return text(message, score=score, some=", ".join(found[:-1]), last=found[-1])


def counterplay(view: State, seat: int, own: int, other: int) -> str:
    """The other seat's best play from its open display if the scores are `own` and `other`; "" if none is known."""
    display = view.sides[2 - seat].display.pieces
    plays = [play for play in list_plays(display, None, other, own, False) if isinstance(play, Play)]
    if not plays:
        return ""
    play = max(plays, key=lambda each: gain(each, other, own))
    score = own if play.aimed else other
    message = "Their best open tile: {sum} = {score}."
    if play.aimed:
        message = "Their best open tile: your {sum} = {score}."
    return text(message, sum=arithmetic(score, play), score=result(score, play))


def gain(move: Move, own: int, other: int) -> float:
    """What a play gains for its seat, as a change of log2(own score / other score)."""
    if not isinstance(move, Play):
        return 0.0
    score = other if move.aimed else own
    try:
        made = result(score, move)
    except Refused:  # A slam dunk's first step may be refused where its tile alone is not.
        return 0.0
    gained = log2(made / score) if made else -LOST
    return -gained if move.aimed else gained
