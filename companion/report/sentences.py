"""The sentences of a report, in the current language. All formats use the same ones. Pure."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from companion import games
from companion.games.api.result import named_verdict, verdict_heading
from companion.languages import Text, format_integer, format_list, join_texts, plural_text, text, translate
from companion.rounds.on_table import PadRound
from companion.rounds.standings import round_numbers_text

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
DIRECTION_CHARACTERS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""The control characters for the direction of writing, which are removed from names."""
RIGHT_TO_LEFT_CLASSES = ("R", "AL", "AN")
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def headline(evening: Evening) -> str:
    """Who won the most of the rounds that count: ``Ann wins the evening, 5 of 12``."""
    counting = evening.counting_count
    most = max((place.won for place in evening.standings), default=0)
    winners = [place.name for place in evening.standings if place.won == most]
    if not counting:
        return text("An evening with the box") if evening.finished_count else text("Nobody has won yet")
    if not most:
        return text("An evening of draws")
    if len(winners) == 1:
        return text("{who} wins the evening, {most} of {all}", who=winners[0], most=most, all=counting)
    return text("{who} share the evening, {most} each of {all}", who=format_list(winners), most=most, all=counting)


def summary_line(evening: Evening) -> str:
    """The evening in one line: ``Twelve rounds of five games, 20:05 to 00:41``."""
    count = len(evening.rounds)
    games = evening.games
    games_text = game_name(games[0]) if len(games) == 1 else text("{count} games", count=number_word(len(games)))
    one, more = "{count:capital} round of {games}", "{count:capital} rounds of {games}"
    rounds: str = plural_text(count, one, more, count=number_word(count), games=games_text)
    if not evening.finished_count:
        rounds = text("{rounds}, none of them finished", rounds=rounds)
    elif count > evening.finished_count:
        rounds = text("{rounds}, {count} of them finished", rounds=rounds, count=number_word(evening.finished_count))
    began = next((reported.began for reported in evening.rounds if reported.began), None)
    ended = next((reported.ended for reported in reversed(evening.rounds) if reported.ended), None)
    if not began or not ended:
        return rounds
    return text("{rounds}, {first} to {last}", rounds=rounds, first=f"{began:%H:%M}", last=f"{ended:%H:%M}")


def long_date(day: date) -> str:
    """A date with its weekday and month in words: ``Friday, 20 November 2026``."""
    weekday, month = DAYS[day.weekday()], MONTHS[day.month - 1]
    return text("{weekday:capital}, {day} {month} {year}", weekday=weekday, day=day.day, month=month, year=day.year)


def result_text(reported: ReportedRound) -> str:
    """How a round ended: ``Ann beats Ben``."""
    names, winners = reported.summary.names, reported.summary.winners
    if not reported.summary.result:
        return text("Not finished")
    others = [name for name in names if name not in winners]
    if len(winners) == len(others) == 1:
        return text("{who} beats {other}", who=winners[0], other=others[0])
    return named_verdict(winners) if winners and others else verdict_heading(winners, len(names))


def end_reason(reported: ReportedRound) -> str:
    """Why a round ended; "" for an unfinished round, and for a score pad."""
    if isinstance(reported.round, PadRound) or not reported.summary.result:
        return ""
    if reported.round is not None:
        return text(reported.round.outcome.reason)
    return games.ending_text(reported.summary.game, reported.summary.reason)


def final_counts_by_seat(reported: ReportedRound) -> tuple[int, ...]:
    """What each seat counts at the end: the last point of the curve, or if there is no curve the stored scores."""
    return reported.facts.curve[-1] if reported.facts is not None else tuple(reported.summary.scores)


def score_text(reported: ReportedRound) -> str:
    """Each player with what they count, winners first, then the best first: ``Ann 0 : Ben 4 corals left``.

    "" if no scores are known.
    """
    counts = dict(zip(reported.summary.names, final_counts_by_seat(reported), strict=False))
    fewer = isinstance(reported.round, PadRound) and reported.round.pad.lowest_wins
    order = sorted(
        counts, key=lambda name: (name not in reported.summary.winners, counts[name] if fewer else -counts[name])
    )
    scores = join_texts((f"{name} {counts[name]}" for name in order), " : " if len(order) == 2 else ", ")
    if not scores or not games.manifest_or_placeholder(reported.summary.game).lower_is_better:
        return scores
    return text("{scores} {unit}", scores=scores, unit=unit_of_counts(reported))


def unit_of_counts(reported: ReportedRound) -> str:
    """The word for what `final_counts_by_seat` returns; ``score`` for a round that can no longer be replayed."""
    if reported.facts is None:
        return text("score")
    manifest = games.manifest_or_placeholder(reported.summary.game)
    return text(manifest.unit or manifest.result_counts)


def second_chart_caption(reported: ReportedRound) -> str:
    """The caption of a round's second chart; "" if it has none."""
    if reported.round is None or isinstance(reported.round, PadRound) or reported.round.manifest.chart is None:
        return ""
    return translate(reported.round.manifest.chart.caption)


def notable_moments(reported: ReportedRound) -> list[tuple[str, str, str]]:
    """The notable moments of a round: a mark in the chart ("" for none), a title, and a sentence without full stop."""
    facts = reported.facts
    if facts is None:
        return [("", text("Not shown"), translate(reported.problem))] if reported.problem else []
    lines: list[tuple[str, str, str]] = []
    if facts.turning_move is not None:
        at_last = facts.turning_move == len(facts.curve) - 1
        message = "{who} leads for good from the last move" if at_last else "{who} leads for good from move {move}"
        leads = text(message, who=reported.summary.winners[0], move=facts.turning_move)
        lines.append(("○", text("Turning point"), leads))
    if facts.best_move is not None:
        gain = gain_text(reported.summary.game, facts.best_move.gain)
        message = "{who}, move {number}: {move}, {gain}"
        if isinstance(reported.round, PadRound):
            message = "{who}, move {number}: {gain}"
        who = player_name(reported, facts.best_move.seat)
        best = text(message, who=who, number=facts.best_move.number, move=facts.best_move.text, gain=gain)
        lines.append(("△", text("Best move"), best))
    if facts.longest_think is not None:
        who, time = player_name(reported, facts.longest_think.seat), duration_text(facts.longest_think.seconds)
        think = text("{who}, {time} before move {number}", who=who, time=time, number=facts.longest_think.number)
        lines.append(("", text("Longest think"), think))
    if reported.deciding_text:
        lines.append(("", text("Decided by"), translate(reported.deciding_text)))
    return lines


def gain_text(game: str, gain: int) -> str:
    """What a best move gained: ``3 corals in one play``."""
    words = games.manifest_or_placeholder(game).gain_text
    if not isinstance(words, Text) or not words.values:
        return translate(words).format(format_integer(gain))
    if words.plural:
        return plural_text(gain, words.message, words.plural).with_values({"number": format_integer(gain)})
    return text(words, gain=format_integer(gain))


def match_text(match: Match) -> str:
    """``27, rounds 3, 4 and 6: Ann beats Ben 2:1``."""
    return text("{game}, {rounds}: {result}", game=game_name(match.game), rounds=round_numbers_text(match.rounds),
                result=match.result_text)  # fmt: skip


def longest_think_text(evening: Evening) -> str:
    """The longest think of the evening; "" if no times are known."""
    thinks = [(reported.facts.longest_think, reported, number) for number, reported in enumerate(evening.rounds, 1)
              if reported.facts and reported.facts.longest_think]  # fmt: skip
    if not thinks:
        return ""
    think, reported, number = max(thinks, key=lambda each: each[0].seconds)
    who, time = player_name(reported, think.seat), duration_text(think.seconds)
    message = "{who}, {time} before move {number} of round {round}"
    return text(message, who=who, time=time, number=think.number, round=number)


def options_text(reported: ReportedRound) -> str:
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
    game, defaults = reported.round.manifest, reported.round.manifest.option_defaults
    unusual = [(option, value) for option, value in reported.round.header.options if value != defaults.get(option)]
    return join_texts((game.option_report(option, value) for option, value in unusual), ", ")


def time_span_text(reported: ReportedRound) -> str:
    """When a round was played: ``20:31 to 20:52``.

    If it ended in the same minute, or the end is unknown, only the start; "" if the start is unknown.
    """
    if reported.began is None:
        return ""
    first, last = f"{reported.began:%H:%M}", f"{reported.ended or reported.began:%H:%M}"
    return first if first == last else text("{first} to {last}", first=first, last=last)


def player_name(reported: ReportedRound, seat: int) -> str:
    """The player in a seat, counted from 1."""
    return reported.summary.names[seat - 1]


def game_title(reported: ReportedRound) -> str:
    """The game's name; for a score pad the name of the game that it was used for, if it was entered."""
    return reported.summary.title or game_name(reported.summary.game)


def game_name(game: str) -> str:
    """The name of the game with this id."""
    return translate(games.manifest_or_placeholder(game).name)


def number_word(count: int) -> str:
    """A count, from one to twelve as a word: ``one``, ``twelve``, ``13``."""
    return NUMBERS[count - 1] if 0 < count <= len(NUMBERS) else text("{count}", count=count)


def duration_text(seconds: float) -> str:
    """A time in words: ``48 seconds``, ``3 min 20 s``."""
    whole = round(seconds)
    if whole < 100:
        return plural_text(whole, "{number} second", "{number} seconds")
    minutes, rest = divmod(whole, 60)
    if rest:
        return text("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    return plural_text(minutes, "{number} minute", "{number} minutes")


def bidi_name_isolator(names: Iterable[str]) -> Callable[[str], str]:
    """Return a function that isolates each of the names wherever it occurs in a text.

    Otherwise a name that is written from right to left would reverse the scores and sentences after it.
    """
    turned = sorted(filter(_is_right_to_left, set(names)), key=len, reverse=True)
    if not turned:
        return lambda sentence: sentence
    anywhere = re.compile("|".join(map(re.escape, turned)))
    return lambda sentence: anywhere.sub(
        lambda found: f"{FIRST_STRONG_ISOLATE}{DIRECTION_CHARACTERS.sub('', found[0])}{POP_ISOLATE}", sentence
    )


def _is_right_to_left(name: str) -> bool:
    return bool(DIRECTION_CHARACTERS.search(name)) or any(
        unicodedata.bidirectional(each) in RIGHT_TO_LEFT_CLASSES for each in name
    )
