"""Answers the questions of the host's pages about stored rounds: history, replays, reports, names.

This runs in a process beside the table's, so that a long answer delays nobody. The store is opened for each question,
and only to read. Unfinished rounds are listed, but never replayed, because they hold what players hide.
"""

from __future__ import annotations

import json
from contextlib import closing
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api.result import verdict_text
from companion.games.score_pad import rules as pad
from companion.languages import in_language, text
from companion.panel.canvas import base64_png
from companion.rounds import published, replaying
from companion.rounds.on_table import PadRound
from companion.rounds.standings import match_text
from companion.store import dates
from companion.store.history import RoundFilter
from companion.store.open_to_read import ReadOnlyStore
from companion.store.round_text import editable_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.rounds.on_table import AnyRound
    from companion.rounds.published import PanelPictures
    from companion.rounds.stored import RoundSummary, StoredRound
    from companion.store.store_queries import StoreQueries

PAGE = 30
"""Rounds on one page of the history."""
LISTED = 6
"""The most events of a replayed round that are listed, the newest first."""
MOST_PAGES = 1_000
"""The highest page of the history that is answered."""
LONGEST_VALUE = 100
"""Letters after which a filter's value is cut off."""


class UnanswerableError(Exception):
    """The question is invalid, or there is nothing to answer; its one argument is a sentence."""


def answer(folder: Path, what: str, asked: str, panels: PanelPictures) -> dict[str, Any]:
    """Answer a question about the rounds stored in `folder`.

    `question` is ``history``, ``round``, ``record``, ``report`` or ``names``; what `argument` must be is said at the
    function for each. `panels` draws the panel's pictures. Raises UnanswerableError and StoreError.
    """
    answers: dict[str, Callable[[StoreQueries, str], dict[str, Any]]] = {
        "history": history, "round": partial(one_round, panels=panels),
        "record": changeable, "report": partial(report, panels=panels), "names": names,
    }  # fmt: skip
    if what not in answers:
        raise UnanswerableError(text("The box cannot answer that for the host's pages."))
    with closing(ReadOnlyStore(folder)) as store:
        return answers[what](store, asked)


# -- history ----------------------------------------------------------------------------------------------------


def history(store: StoreQueries, wanted: str) -> dict[str, Any]:
    """A page of the rounds that a filter selects, newest first, and the values that filters can have.

    `filter_json` is a JSON object with ``game``, ``player``, ``since``, ``until`` (dates) and ``page`` (from 0). All of
    them are strings, and each may be missing. Keys of the answer: ``rounds`` (number, date, game, players, told, match,
    replays, changes), ``more``, ``games`` (id and name), ``players``, ``evenings`` (dates with a finished round, newest
    first). Raises UnanswerableError.
    """
    asked = _asked(wanted)
    page = int(asked["page"]) if asked["page"].isdecimal() else 0
    if page > MOST_PAGES:
        raise UnanswerableError(text("The history does not have that many pages."))
    select = RoundFilter(asked["game"], asked["player"], _date(asked["since"]), _date(asked["until"]))
    found = store.summaries(select, (page + 1) * PAGE + 1)[::-1]
    choices = store.filter_choices()
    evenings = dict.fromkeys(str(on) for begun in choices.finished_dates if (on := dates.evening_date(begun)))
    return {
        "rounds": [_line(each) for each in found[page * PAGE : (page + 1) * PAGE]],
        "more": len(found) > (page + 1) * PAGE,
        "games": [[game, games.manifest_or_placeholder(game).name] for game in choices.games],
        "players": [each.name for each in store.players()],
        "evenings": list(evenings),
    }


def _asked(wanted: str) -> dict[str, str]:
    """Parse a filter; a key that is missing has the value "". Raises UnanswerableError."""
    try:
        words = json.loads(wanted)
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, dict):
        raise UnanswerableError(text("Search the history by game, player and dates."))
    return {key: str(words.get(key, ""))[:LONGEST_VALUE] for key in ("game", "player", "since", "until", "page")}


def _date(given: str) -> str:
    """Check a date in ISO 8601 and return it in its usual form, "" for none. Raises UnanswerableError."""
    if not given:
        return ""
    try:
        return str(dates.parse_date(given))
    except ValueError:
        raise UnanswerableError(text("Write a date like 2026-11-21.")) from None


def _line(kept: RoundSummary) -> dict[str, Any]:
    """A round as a row of the history, with the keys that docs/socket.md lists."""
    scores = kept.scores if kept.result else [None] * len(kept.names)
    told = verdict_text(kept.winners, len(kept.names)) if kept.result else kept.no_result_reason
    if kept.reason:
        told = text("{won}: {reason}", won=told, reason=games.ending_text(kept.game, kept.reason))
    last = kept.match is not None and kept.match.rounds[-1] == kept.id
    return {
        "number": kept.id,
        "date": kept.begun[:16].replace("T", " "),
        "game": kept.title or games.manifest_or_placeholder(kept.game).name,
        "players": [list(pair) for pair in zip(kept.names, scores, strict=True)],
        "told": told,
        "match": match_text(kept.match) if last and kept.match is not None else "",
        "replays": bool(kept.result),
        "changes": bool(kept.result) or kept.state == "void",
    }


# -- a round ----------------------------------------------------------------------------------------------------


def one_round(store: StoreQueries, asked: str, *, panels: PanelPictures) -> dict[str, Any]:
    """A finished round after some of its events.

    `argument` is the round's number and how many events, such as ``12 5``. Raises UnanswerableError.
    """
    number, _, move = asked.partition(" ")
    if not (number.isdecimal() and move.isdecimal() and len(number) < 10 and len(move) < 10):
        raise UnanswerableError(text("Ask for a round by its number."))
    summary, saved = _find(store, number)
    if summary.state == "void":
        raise UnanswerableError(text("Round {number} is void: let it count again first.", number=int(number)))
    round_, doubt = _replayed(saved)
    if doubt is not None:  # The rules have changed since the round was played.
        raise UnanswerableError(doubt.message_about(int(number)))
    assert round_ is not None, "without a doubt there is a round"
    return _line(summary) | round_after(round_, int(move), panels)


def _find(store: StoreQueries, number: str) -> tuple[RoundSummary, StoredRound]:
    """Look up a round that is finished or void. Raises UnanswerableError for any other number."""
    wanted = int(number) if number.isdecimal() and len(number) < 10 else -1
    found, saved = store.summaries(RoundFilter(round=wanted)), store.load_round(wanted)
    if not found or saved is None:
        raise UnanswerableError(text("There is no round {number}.", number=number))
    if found[0].state != "void" and not (found[0].result and saved.result):
        raise UnanswerableError(text("This round is not over: what its players hide stays hidden."))
    return found[0], saved


def round_after(round_: AnyRound, move: int, panels: PanelPictures) -> dict[str, Any]:
    """The position of a round after `move` events; 0 is its start, and a `move` beyond the last event shows the end.

    Keys: ``move`` (the events played), ``last`` (the number of events), ``standing`` (counts by seat), ``unit`` of the
    counts, ``moves`` (the newest events in words), ``board`` (SVG, "" for a game without one), ``panel`` (PNG in base64
    where there is no board), ``sheet`` (a score pad's, else None), ``fault`` (a sentence where a game of another
    package failed to show its round, else "").
    """
    last = len(round_.events)
    move = min(move, last)
    told: dict[str, Any] = {"move": move, "last": last, "standing": list(round_.counts_after(move)), "board": ""}
    told["panel"] = told["unit"] = told["fault"] = ""
    if isinstance(round_, PadRound):
        cut = round_.after_event(move)
        entries = [{"name": cut.player_name(seat), "told": f"{points:+d}"} for seat, points in cut.pad.entries[-LISTED:]]
        return told | {"moves": entries, "sheet": published.pad_sheet(cut)}
    cut_ = round_.after_event(move)
    faults: list[str] = []
    board, moves = published.board_svg(cut_, faults), published.last_moves(cut_, faults)
    return told | {
        "unit": round_.manifest.result_counts,
        "moves": moves,
        "board": board,
        "panel": "" if board else base64_png(panels.round_picture(round_, move)),
        "sheet": None,
        "fault": " ".join(faults[:1]),
    }


@lru_cache(maxsize=2)
def _replayed(saved: StoredRound) -> replaying.Replay:
    """Replay a round. The last two are cached, because the page's slider asks for the same round again and again."""
    return replaying.replay_stored(saved)


def changeable(store: StoreQueries, asked: str) -> dict[str, Any]:
    """A round that is finished or void, as a row of the history, and as a text that the host can change.

    Keys beside those of the row: ``void``, ``pad``, ``text``, and ``fault``, a sentence why there is no text, else "".
    Raises UnanswerableError.
    """
    summary, saved = _find(store, asked)
    is_void, written, fault = summary.state == "void", "", ""
    try:
        written = editable_text(store, saved) if not is_void else ""
    except ValueError as error:
        fault = text("Round {number} cannot be shown: {doubt}.", number=saved.id, doubt=error.args[0])
    is_pad = saved.header.game == pad.PAD_ID
    return _line(summary) | {"void": is_void, "pad": is_pad, "text": written, "fault": fault}


# -- an evening -------------------------------------------------------------------------------------------------


def report(store: StoreQueries, asked: str, *, panels: PanelPictures) -> dict[str, Any]:
    """The report of an evening's finished rounds as a file: ``name``, ``type`` (a media type) and ``body``.

    `argument` is the evening and the language, such as ``2026-11-21 de``; without a language the report is English. The
    file is HTML, or Markdown if the libraries for HTML are not installed or memory runs out. Raises UnanswerableError.
    """
    from companion.report.gather import gather_evening

    on, _, language = asked.partition(" ")
    day = dates.parse_date(_date(on)) if on else None
    evening = gather_evening(store, day, finished_only=True)
    if evening is None:
        raise UnanswerableError(text("No finished round of that evening is saved."))
    name = f"evening-{evening.day}"
    try:
        from companion.report.html_page import html_report

        with in_language(language):
            return {"name": f"{name}.html", "type": "text/html", "body": str(html_report(evening, panels))}
    except (ModuleNotFoundError, MemoryError, OSError):  # Pillow raises OSError when memory runs out.
        from companion.report.markdown import markdown_report

        with in_language(language):
            return {"name": f"{name}.md", "type": "text/markdown", "body": str(markdown_report(evening))}


# -- names ------------------------------------------------------------------------------------------------------


def names(store: StoreQueries, asked: str) -> dict[str, Any]:
    """All players as lists of name, number of rounds, and the date of the last one."""
    return {"names": [[each.name, each.rounds, each.last_begun[:10]] for each in store.players()]}
