"""The sentences of a report, in the current language. All formats use the same ones. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from companion import games
from companion.games.api.result import verdict_heading, named_verdict
from companion.languages import Text, plural_text, format_integer, join_texts, format_list, translate, text
from companion.rounds.on_table import PadRound
from companion.rounds.standings import rounds_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from companion.report.gather import Evening, ReportedRound
    from companion.rounds.stored import Match

DAYS = (text("Monday"), text("Tuesday"), text("Wednesday"), text("Thursday"), text("Friday"), text("Saturday"),
        text("Sunday"))  # fmt: skip
MONTHS = (text("January"), text("February"), text("March"), text("April"), text("May"), text("June"), text("July"),
          text("August"), text("September"), text("October"), text("November"), text("December"))  # fmt: skip
NUMBERS = (text("one"), text("two"), text("three"), text("four"), text("five"), text("six"), text("seven"),
           text("eight"), text("nine"), text("ten"), text("eleven"), text("twelve"))  # fmt: skip
"""Numbers of rounds and of games in words."""
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The control characters for the direction of writing, which are removed from names."""
FROM_RIGHT = ("R", "AL", "AN")
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def headline(evening: Evening) -> str:
    """Who won the most of the rounds that count: ``Ann takes the evening, 5 of 12``."""
    counting = evening.counting
    most = max((place.won for place in evening.places), default=0)
    best = [place.name for place in evening.places if place.won == most]
    if not counting:
        return text("An evening with the box") if evening.finished else text("Nobody has won yet")
    if not most:
        return text("An evening of draws")
    if len(best) == 1:
        return text("{who} wins the evening, {most} of {all}", who=best[0], most=most, all=counting)
    return text("{who} share the evening, {most} each of {all}", who=format_list(best), most=most, all=counting)


def lead(evening: Evening) -> str:
    """The evening in one line: ``Twelve rounds of five games, 20:05 to 00:41``."""
    count = len(evening.rounds)
    games = evening.games
    of = game_name(games[0]) if len(games) == 1 else text("{count} games", count=number(len(games)))
    one, more = "{count:capital} round of {games}", "{count:capital} rounds of {games}"
    rounds: str = plural_text(count, one, more, count=number(count), games=of)
    if not evening.finished:
        rounds = text("{rounds}, none of them finished", rounds=rounds)
    elif count > evening.finished:
        rounds = text("{rounds}, {count} of them finished", rounds=rounds, count=number(evening.finished))
    began = next((reported.began for reported in evening.rounds if reported.began), None)
    ended = next((reported.ended for reported in reversed(evening.rounds) if reported.ended), None)
    if not began or not ended:
        return rounds
    return text("{rounds}, {first} to {last}", rounds=rounds, first=f"{began:%H:%M}", last=f"{ended:%H:%M}")


def long_date(day: date) -> str:
    """A date with its weekday and month in words: ``Friday, 20 November 2026``."""
    weekday, month = DAYS[day.weekday()], MONTHS[day.month - 1]
    return text("{weekday:capital}, {day} {month} {year}", weekday=weekday, day=day.day, month=month, year=day.year)


def result(reported: ReportedRound) -> str:
    """How a round ended: ``Ann beats Ben``."""
    names, winners = reported.summary.names, reported.summary.winners
    if not reported.summary.result:
        return text("Not finished")
    others = [name for name in names if name not in winners]
    if len(winners) == len(others) == 1:
        return text("{who} beats {other}", who=winners[0], other=others[0])
    return named_verdict(winners) if winners and others else verdict_heading(winners, len(names))


def reason(reported: ReportedRound) -> str:
    """Why a round ended; "" for an unfinished round, and for a score pad."""
    if isinstance(reported.round, PadRound) or not reported.summary.result:
        return ""
    if reported.round is not None:
        return text(reported.round.outcome.reason)
    return games.ending_text(reported.summary.game, reported.summary.reason)


def figures(reported: ReportedRound) -> tuple[int, ...]:
    """What each seat counts at the end: the last point of the curve, or the stored scores without a curve."""
    return reported.facts.curve[-1] if reported.facts is not None else tuple(reported.summary.scores)


def score(reported: ReportedRound) -> str:
    """Each player with what they count, winners first, then the best first: ``Ann 0 : Ben 4 corals left``.

    "" if no scores are known.
    """
    counts = dict(zip(reported.summary.names, figures(reported), strict=False))
    fewer = isinstance(reported.round, PadRound) and reported.round.pad.lowest_wins
    order = sorted(
        counts, key=lambda name: (name not in reported.summary.winners, counts[name] if fewer else -counts[name])
    )
    scores = join_texts((f"{name} {counts[name]}" for name in order), " : " if len(order) == 2 else ", ")
    if not scores or not games.manifest_or_placeholder(reported.summary.game).lower_is_better:
        return scores
    return text("{scores} {unit}", scores=scores, unit=unit(reported))


def unit(reported: ReportedRound) -> str:
    """The word for what `final_counts` returns; ``score`` for a round that can no longer be replayed."""
    if reported.facts is None:
        return text("score")
    known = games.manifest_or_placeholder(reported.summary.game)
    return text(known.unit or known.result_counts)


def also_drawn(reported: ReportedRound) -> str:
    """The caption of a round's second chart; "" if it has none."""
    if reported.round is None or isinstance(reported.round, PadRound) or reported.round.manifest.chart is None:
        return ""
    return translate(reported.round.manifest.chart.caption)


def happenings(reported: ReportedRound) -> list[tuple[str, str, str]]:
    """The notable moments of a round: a mark in the chart ("" for none), a title, and a sentence without full stop."""
    found = reported.facts
    if found is None:
        return [("", text("Not shown"), translate(reported.doubt))] if reported.doubt else []
    lines: list[tuple[str, str, str]] = []
    if found.turning is not None:
        at_last = found.turning == len(found.curve) - 1
        message = "{who} leads for good from the last move" if at_last else "{who} leads for good from move {move}"
        leads = text(message, who=reported.summary.winners[0], move=found.turning)
        lines.append(("○", text("Turning point"), leads))
    if found.best is not None:
        gain = gained(reported.summary.game, found.best.gain)
        message = "{who}, move {number}: {move}, {gain}"
        if isinstance(reported.round, PadRound):
            message = "{who}, move {number}: {gain}"
        who = name(reported, found.best.seat)
        best = text(message, who=who, number=found.best.move, move=found.best.text, gain=gain)
        lines.append(("△", text("Best move"), best))
    if found.think is not None:
        who, time = name(reported, found.think.seat), duration(found.think.seconds)
        think = text("{who}, {time} before move {number}", who=who, time=time, number=found.think.move)
        lines.append(("", text("Longest think"), think))
    if reported.decided:
        lines.append(("", text("Decided by"), translate(reported.decided)))
    return lines


def gained(game: str, gain: int) -> str:
    """What a best move gained: ``3 corals in one play``."""
    words = games.manifest_or_placeholder(game).gain_text
    if not isinstance(words, Text) or not words.values:
        return translate(words).format(format_integer(gain))
    if words.plural:
        return plural_text(gain, words.message, words.plural).with_values({"number": format_integer(gain)})
    return text(words, gain=format_integer(gain))


def match(match: Match) -> str:
    """``27, rounds 3, 4 and 6: Ann beats Ben 2:1``."""
    return text("{game}, {rounds}: {result}", game=game_name(match.game), rounds=rounds_text(match.rounds),
                result=match.result_text)  # fmt: skip


def longest_think(evening: Evening) -> str:
    """The longest think of the evening; "" if no times are known."""
    thinks = [(reported.facts.think, reported, number) for number, reported in enumerate(evening.rounds, 1)
              if reported.facts and reported.facts.think]  # fmt: skip
    if not thinks:
        return ""
    think, reported, number = max(thinks, key=lambda each: each[0].seconds)
    who, time = name(reported, think.seat), duration(think.seconds)
    message = "{who}, {time} before move {number} of round {round}"
    return text(message, who=who, time=time, number=think.move, round=number)


def options(reported: ReportedRound) -> str:
    """The options of a round that differ from the defaults: ``the easy game, both start with 13``."""
    if reported.round is None:
        return ""
    if isinstance(reported.round, PadRound):
        pad = reported.round.pad
        rules = (
            text("the fewest points win") if pad.lowest_wins else "",
            text("to {target}", target=pad.target) if pad.target else "",
            plural_text(pad.turn_limit, "{number} turn", "{number} turns") if pad.turn_limit else "",
        )
        return join_texts(filter(None, rules), ", ")
    game, usual = reported.round.manifest, reported.round.manifest.option_defaults
    unusual = [(option, value) for option, value in reported.round.header.options if value != usual.get(option)]
    return join_texts((game.option_report(option, value) for option, value in unusual), ", ")


def when(reported: ReportedRound) -> str:
    """When a round was played: ``20:31 to 20:52``.

    Only its start if the end is the same or unknown, "" without a start.
    """
    if reported.began is None:
        return ""
    first, last = f"{reported.began:%H:%M}", f"{reported.ended or reported.began:%H:%M}"
    return first if first == last else text("{first} to {last}", first=first, last=last)


def name(reported: ReportedRound, seat: int) -> str:
    """The player in a seat, counted from 1."""
    return reported.summary.names[seat - 1]


def title(reported: ReportedRound) -> str:
    """The game's name; for a score pad the name of the game that it was used for, if it was entered."""
    return reported.summary.title or game_name(reported.summary.game)


def game_name(game: str) -> str:
    """The name of the game with this id."""
    return translate(games.manifest_or_placeholder(game).name)


def number(count: int) -> str:
    """A count, from one to twelve as a word: ``one``, ``twelve``, ``13``."""
    return NUMBERS[count - 1] if 0 < count <= len(NUMBERS) else text("{count}", count=count)


def duration(seconds: float) -> str:
    """A time in words: ``48 seconds``, ``3 min 20 s``."""
    whole = round(seconds)
    if whole < 100:
        return plural_text(whole, "{number} second", "{number} seconds")
    minutes, rest = divmod(whole, 60)
    if rest:
        return text("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    return plural_text(minutes, "{number} minute", "{number} minutes")


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    """Return a function that isolates each of the names wherever it occurs in a text.

    Otherwise a name that is written from right to left would reverse the scores and sentences after it.
    """
    turned = sorted(filter(_turns, set(names)), key=len, reverse=True)
    if not turned:
        return lambda text: text
    anywhere = re.compile("|".join(map(re.escape, turned)))
    return lambda text: anywhere.sub(
        lambda found: f"{FIRST_STRONG_ISOLATE}{TURNING.sub('', found[0])}{POP_ISOLATE}", text
    )


def _turns(name: str) -> bool:
    return bool(TURNING.search(name)) or any(unicodedata.bidirectional(each) in FROM_RIGHT for each in name)
