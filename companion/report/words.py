"""The sentences of a report, the same in every format. Pure; always English, whatever the locale."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion import games
from companion.game.result import heading, listed, named_verdict
from companion.rounds.matches import in_rounds
from companion.rounds.on_table import PadRound

if TYPE_CHECKING:
    from datetime import date

    from companion.report.gather import Evening, ReportedRound
    from companion.rounds.matches import Match

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def headline(evening: Evening) -> str:
    """Who won the most of the rounds that count: ``Ann takes the evening, 5 of 12``."""
    counting = evening.counting
    most = max((place.won for place in evening.places), default=0)
    best = [place.name for place in evening.places if place.won == most]
    if not counting:
        return "An evening with the box" if evening.finished else "Nobody has won yet"
    if not most:
        return "An evening of draws"
    if len(best) == 1:
        return f"{best[0]} takes the evening, {most} of {counting}"
    return f"{listed(best)} share the evening, {most} each of {counting}"


def lead(evening: Evening) -> str:
    """The evening in one line: ``Twelve rounds of five games, 20:05 to 00:41``."""
    count = len(evening.rounds)
    games = evening.games
    of = game_name(games[0]) if len(games) == 1 else f"{number(len(games))} games"
    said = f"{number(count).capitalize()} round{'' if count == 1 else 's'} of {of}"
    if count > evening.finished:
        said += f", {number(evening.finished) if evening.finished else 'none'} of them finished"
    began = next((reported.began for reported in evening.rounds if reported.began), None)
    ended = next((reported.ended for reported in reversed(evening.rounds) if reported.ended), None)
    return f"{said}, {began:%H:%M} to {ended:%H:%M}" if began and ended else said


def long_date(day: date) -> str:
    """``Friday, 20 November 2026``."""
    return f"{DAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"


def result(reported: ReportedRound) -> str:
    """How a round ended: ``Ann beats Ben``."""
    names, winners = reported.summary.names, reported.summary.winners
    if not reported.summary.result:
        return "Not finished"
    others = [name for name in names if name not in winners]
    if len(winners) == len(others) == 1:
        return f"{winners[0]} beats {others[0]}"
    return named_verdict(winners) if winners and others else heading(winners, len(names))


def reason(reported: ReportedRound) -> str:
    """Why a round ended; "" if it is not finished, or is a score pad."""
    if isinstance(reported.round, PadRound) or not reported.summary.result:
        return ""
    return reported.round.outcome.reason if reported.round is not None else reported.summary.reason


def counted(reported: ReportedRound) -> tuple[int, ...]:
    """What each seat counts at the end: the last point of the curve, or the stored scores if there is no curve."""
    return reported.facts.curve[-1] if reported.facts is not None else tuple(reported.summary.scores)


def score(reported: ReportedRound) -> str:
    """Each player with what they count, winners first, then the best first: ``Ann 0 : Ben 4 corals left``.

    "" if no scores are known.
    """
    figures = dict(zip(reported.summary.names, counted(reported), strict=False))
    fewer = isinstance(reported.round, PadRound) and reported.round.pad.lowest
    order = sorted(
        figures, key=lambda name: (name not in reported.summary.winners, figures[name] if fewer else -figures[name])
    )
    said = (" : " if len(order) == 2 else ", ").join(f"{name} {figures[name]}" for name in order)
    return f"{said} {unit(reported)}" if said and games.described(reported.summary.game).fewer else said


def unit(reported: ReportedRound) -> str:
    """The word for what `counted` tells; ``score`` if the round no longer replays."""
    if reported.facts is None:
        return "score"
    known = games.described(reported.summary.game)
    return known.unit or known.result_counts


def also_drawn(reported: ReportedRound) -> str:
    """The caption of a round's second chart; "" if it has none."""
    if reported.round is None or isinstance(reported.round, PadRound) or reported.round.manifest.chart is None:
        return ""
    return reported.round.manifest.chart.caption


def happenings(reported: ReportedRound) -> list[tuple[str, str, str]]:
    """The notable moments of a round: the mark in the chart ("" for none), a name, and a sentence without full stop."""
    found = reported.facts
    if found is None:
        return [("", "Not shown", reported.doubt)] if reported.doubt else []
    lines = []
    if found.turning is not None:
        ahead = "the last move" if found.turning == len(found.curve) - 1 else f"move {found.turning}"
        lines.append(("○", "Turning point", f"{reported.summary.winners[0]} leads for good from {ahead}"))
    if found.best is not None:
        gain = gained(reported.summary.game, found.best.gain)
        said = gain if isinstance(reported.round, PadRound) else f"{found.best.text}, {gain}"
        lines.append(("△", "Best move", f"{name(reported, found.best.seat)}, move {found.best.move}: {said}"))
    if found.think is not None:
        lines.append(("", "Longest think", f"{name(reported, found.think.seat)}, {duration(found.think.seconds)} "
                                           f"before move {found.think.move}"))  # fmt: skip
    if reported.decided:
        lines.append(("", "Decided by", reported.decided))
    return lines


def gained(game: str, gain: int) -> str:
    """What a best move gained: ``3 corals in one play``."""
    said = games.described(game).gain.format(f"{gain:,}")
    return re.sub(r"^1 (\w+?)s\b", r"1 \1", said)


def match(match: Match) -> str:
    """``27, rounds 3, 4 and 6: Ann beats Ben 2:1``."""
    return f"{game_name(match.game)}, {in_rounds(match.rounds)}: {match.result}"


def longest_think(evening: Evening) -> str:
    """The longest think of the evening; "" if no times are known."""
    thinks = [(reported.facts.think, reported, number) for number, reported in enumerate(evening.rounds, 1)
              if reported.facts and reported.facts.think]  # fmt: skip
    if not thinks:
        return ""
    think, reported, number = max(thinks, key=lambda each: each[0].seconds)
    return f"{name(reported, think.seat)}, {duration(think.seconds)} before move {think.move} of round {number}"


def options(reported: ReportedRound) -> str:
    """The options of a round that differ from the defaults: ``the easy game, both start with 13``."""
    if reported.round is None:
        return ""
    if isinstance(reported.round, PadRound):
        pad = reported.round.pad
        said = (
            pad.lowest and "the fewest points win",
            pad.target and f"to {pad.target}",
            pad.turns and f"{pad.turns} turns",
        )
        return ", ".join(str(each) for each in said if each)
    game, usual = reported.round.manifest, reported.round.manifest.defaults
    unusual = [(option, value) for option, value in reported.round.header.options if value != usual.get(option)]
    return ", ".join(game.reported(option, value) for option, value in unusual)


def when(reported: ReportedRound) -> str:
    """When a round was played: ``20:31 to 20:52``; its start alone, or "" if that is unknown."""
    if reported.began is None:
        return ""
    first, last = f"{reported.began:%H:%M}", f"{reported.ended or reported.began:%H:%M}"
    return first if first == last else f"{first} to {last}"


def name(reported: ReportedRound, seat: int) -> str:
    """The player in a seat."""
    return reported.summary.names[seat - 1]


def title(reported: ReportedRound) -> str:
    """The game played; for a score pad its title, which is the name of the game that it was used for, if it has one."""
    return reported.summary.title or game_name(reported.summary.game)


def game_name(game: str) -> str:
    """The name of the game with this id."""
    return games.described(game).name


def number(count: int) -> str:
    """A count, up to twelve in words: ``no``, ``one``, ``twelve``, ``13``."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def duration(seconds: float) -> str:
    """``48 seconds``, ``3 min 20 s``."""
    whole = round(seconds)
    if whole < 100:
        return f"{whole} second{'' if whole == 1 else 's'}"
    return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} minutes"
