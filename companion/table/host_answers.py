"""Answers the questions of the host's pages about stored rounds: history, replays, reports, names.

This runs in a process beside the table's, so that a long answer delays nobody. The store is opened for each question,
and only to read. Unfinished rounds are listed, but never replayed, because they hold what players hide.
"""

from __future__ import annotations

import json
from contextlib import closing
from difflib import get_close_matches
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from companion import games
from companion.games.api.game_texts import is_draw
from companion.games.api.result import verdict_text
from companion.games.score_pad import pad
from companion.languages import in_language, text
from companion.panel.canvas import base64_png
from companion.rounds import public_view, replaying
from companion.rounds.on_table import PadRound, Round, with_event
from companion.rounds.standings import match_text
from companion.store import dates
from companion.store.history import RoundFilter
from companion.store.read_only_store import ReadOnlyStore
from companion.store.round_text import check_changed_record, editable_text, event_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.rounds.on_table import AnyRound
    from companion.rounds.public_view import PanelPictures
    from companion.rounds.record import Report
    from companion.rounds.stored import RoundSummary, StoredRound
    from companion.store.store_queries import StoreQueries

ROUNDS_PER_PAGE = 30
"""Rounds on one page of the history."""
MAX_LISTED_EVENTS = 6
"""The most events of a replayed round that are listed, the newest first."""
MAX_CHOICES = 32
"""The most moves that are offered in place of a wrong one."""
MAX_PAGES = 1_000
"""The highest page of the history that is answered."""
MAX_VALUE_LETTERS = 100
"""Letters after which a filter's value is cut off."""


class UnanswerableError(Exception):
    """The question is invalid, or there is nothing to answer; its one argument is a sentence."""


def answer_about_rounds(folder: Path, question: str, argument: str, panels: PanelPictures) -> dict[str, Any]:
    """Answer a question about the rounds stored in `folder`.

    `question` is ``history``, ``round``, ``record``, ``report`` or ``names``; the function for each describes its
    `argument`. `panels` draws the panel's pictures. Raises UnanswerableError and StoreError.
    """
    answers: dict[str, Callable[[StoreQueries, str], dict[str, Any]]] = {
        "history": history_page, "round": partial(replayed_round, panels=panels),
        "record": editable_record, "report": partial(evening_report, panels=panels), "names": player_names,
    }  # fmt: skip
    if question not in answers:
        raise UnanswerableError(text("The box cannot answer that for the host's pages."))
    with closing(ReadOnlyStore(folder)) as store:
        return answers[question](store, argument)


# -- history ----------------------------------------------------------------------------------------------------


def history_page(store: StoreQueries, filter_json: str) -> dict[str, Any]:
    """A page of the rounds that a filter selects, newest first, and the values that filters can have.

    `filter_json` is a JSON object with ``game``, ``player``, ``since``, ``until`` (dates) and ``page`` (from 0). All of
    them are strings, and each may be missing. Keys of the answer: ``rounds`` (number, date, game, players, told, match,
    replays, changes, resumes), ``more``, ``games`` (id and name), ``players``, ``evenings`` (dates with a finished
    round, newest first). Raises UnanswerableError.
    """
    filter_values = _parse_filter(filter_json)
    page = int(filter_values["page"]) if filter_values["page"].isdecimal() else 0
    if page > MAX_PAGES:
        raise UnanswerableError(text("The history does not have that many pages."))
    round_filter = RoundFilter(
        filter_values["game"],
        filter_values["player"],
        _parse_date(filter_values["since"]),
        _parse_date(filter_values["until"]),
    )
    summaries = store.summaries(round_filter, (page + 1) * ROUNDS_PER_PAGE + 1)[::-1]
    choices = store.filter_choices()
    evenings = dict.fromkeys(str(day) for begun in choices.finished_dates if (day := dates.evening_date(begun)))
    return {
        "rounds": [_history_row(each) for each in summaries[page * ROUNDS_PER_PAGE : (page + 1) * ROUNDS_PER_PAGE]],
        "more": len(summaries) > (page + 1) * ROUNDS_PER_PAGE,
        "games": [[game, games.manifest_or_placeholder(game).name] for game in choices.games],
        "players": [each.name for each in store.players()],
        "evenings": list(evenings),
    }


def _parse_filter(filter_json: str) -> dict[str, str]:
    """Parse a filter; a key that is missing has the value "". Raises UnanswerableError."""
    try:
        values = json.loads(filter_json)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise UnanswerableError(text("Search the history by game, player and dates."))
    return {key: str(values.get(key, ""))[:MAX_VALUE_LETTERS] for key in ("game", "player", "since", "until", "page")}


def _parse_date(day: str) -> str:
    """Check a date in ISO 8601 and return it in its usual form, "" for none. Raises UnanswerableError."""
    if not day:
        return ""
    try:
        return str(dates.parse_date(day))
    except ValueError:
        raise UnanswerableError(text("Write a date like 2026-11-21.")) from None


def _history_row(summary: RoundSummary) -> dict[str, Any]:
    """A round as a row of the history; `history_page` lists the keys."""
    manifest = games.manifest_or_placeholder(summary.game)
    # Scores that only say who has won would be read as what was counted at the table.
    scores = summary.scores if summary.result and manifest.scores_are_points else [None] * len(summary.names)
    outcome = verdict_text(summary.winners, len(summary.names)) if summary.result else summary.no_result_reason
    if summary.reason:
        outcome = text("{won}. {reason:capital}.", won=outcome, reason=games.ending_text(summary.game, summary.reason))
    ends_match = summary.match is not None and summary.match.rounds[-1] == summary.id
    return {
        "number": summary.id,
        "date": summary.begun[:16].replace("T", " "),
        "game": summary.title or manifest.name,
        "players": [list(pair) for pair in zip(summary.names, scores, strict=True)],
        "told": outcome,
        "match": match_text(summary.match) if ends_match and summary.match is not None else "",
        "replays": bool(summary.result),
        "changes": bool(summary.result) or summary.state == "void",
        "resumes": summary.state == "aside",
    }


# -- a round ----------------------------------------------------------------------------------------------------


def replayed_round(store: StoreQueries, argument: str, *, panels: PanelPictures) -> dict[str, Any]:
    """A finished round after some of its events.

    `argument` is the round's number and how many events, such as ``12 5``. Raises UnanswerableError.
    """
    number, _, event_count = argument.partition(" ")
    if not (number.isdecimal() and event_count.isdecimal() and len(number) < 10 and len(event_count) < 10):
        raise UnanswerableError(text("Ask for a round by its number."))
    summary, stored = _find_round(store, number)
    if summary.state == "void":
        raise UnanswerableError(text("Round {number} is void: let it count again first.", number=int(number)))
    round_, doubt = _replay_stored(stored)
    if doubt is not None:  # The rules have changed since the round was played.
        raise UnanswerableError(doubt.message_about_round(int(number)))
    assert round_ is not None, "without a doubt there is a round"
    return _history_row(summary) | round_position(round_, int(event_count), panels)


def _find_round(store: StoreQueries, number: str) -> tuple[RoundSummary, StoredRound]:
    """Look up a round that is finished or void. Raises UnanswerableError for any other number."""
    round_id = int(number) if number.isdecimal() and len(number) < 10 else -1
    summaries, stored = store.summaries(RoundFilter(round=round_id)), store.load_round(round_id)
    if not summaries or stored is None:
        raise UnanswerableError(text("There is no round {number}.", number=number))
    if summaries[0].state != "void" and not (summaries[0].result and stored.result):
        raise UnanswerableError(text("This round is not over: what its players hide stays hidden."))
    return summaries[0], stored


def round_position(round_: AnyRound, event_count: int, panels: PanelPictures) -> dict[str, Any]:
    """The position of a round after `event_count` events, 0 for its start; more events than it has show its end.

    Keys: ``move`` (the events played), ``last`` (the number of events), ``standing`` (counts by seat), ``unit`` of the
    counts, ``moves`` (the newest events in words), ``board`` (SVG, "" for a game without one), ``panel`` (PNG in base64
    where there is no board), ``sheet`` (a score pad's, else None), ``fault`` (a sentence where a game of another
    package failed to show its round, else "").
    """
    last = len(round_.events)
    event_count = min(event_count, last)
    data: dict[str, Any] = {"move": event_count, "last": last, "standing": list(round_.counts_after(event_count))}
    data["board"] = data["panel"] = data["unit"] = data["fault"] = ""
    if isinstance(round_, PadRound):
        pad_position = round_.after_event(event_count)
        entries = [
            {"name": pad_position.player_name(seat), "told": f"{points:+d}"}
            for seat, points in pad_position.pad.entries[-MAX_LISTED_EVENTS:]
        ]
        return data | {"moves": entries, "sheet": public_view.pad_sheet(pad_position)}
    position = round_.after_event(event_count)
    faults: list[str] = []
    board, moves = public_view.board_svg(position, faults), public_view.last_moves(position, faults)
    return data | {
        "unit": round_.manifest.result_counts,
        "moves": moves,
        "board": board,
        "panel": "" if board else base64_png(panels.round_picture(round_, event_count)),
        "sheet": None,
        "fault": " ".join(faults[:1]),
    }


@lru_cache(maxsize=2)
def _replay_stored(stored: StoredRound) -> replaying.Replay:
    """Replay a round. The last two are cached, because the page's slider asks for the same round again and again."""
    return replaying.replay_stored(stored)


def editable_record(store: StoreQueries, argument: str) -> dict[str, Any]:
    """A round that is finished or void, as a row of the history, and as a text that the host can change.

    `argument` is the round's number; then, if the host has begun to change it, the line of the move that is being
    corrected (from 0; "-" for none), a line break, and the text as it is now: ``12 7\ncompanion-record: 1…``.

    Keys beside those of the row: ``void``, ``pad``, ``text``, ``moves`` (see `_editable_moves`), and ``fault``, a
    sentence why there is no text, else "". Raises UnanswerableError.
    """
    head, _, record_text = argument.partition("\n")
    number, _, line = head.partition(" ")
    summary, stored = _find_round(store, number)
    is_void, fault, saved_text = summary.state == "void", "", ""
    try:
        saved_text = "" if is_void else editable_text(store, stored)
        record_text = "" if is_void else record_text or saved_text
    except ValueError as error:
        fault = text("Round {number} cannot be shown: {doubt}.", number=stored.id, doubt=error.args[0])
    values = {"void": is_void, "pad": stored.header.game == pad.PAD_ID, "text": record_text, "fault": fault}
    return _history_row(summary) | values | {"moves": _editable_moves(stored, record_text, saved_text, line)}


def _editable_moves(stored: StoredRound, record_text: str, saved_text: str, chosen_line: str) -> list[dict[str, Any]]:
    """The events of a text that the host changes, in order.

    Keys of each: ``line`` (from 0), ``name``, ``text``, ``told`` (the event in words, those of the saved round if it
    can't be played now), ``mark`` (what is to be said of it beside a change before it, else ""), ``why`` (the reason if
    it is the first that can't be played, else ""), and for that one and for the event of the chosen line ``board``
    (SVG, before it), ``choices``: pairs of what could be played there, in words and as text, the most similar first;
    ``asked``, the player who was to move; and ``inserts``, that player's seat if an event is missing before this one,
    else 0. The last one, with an empty ``text``, stands for the event that is missing at the end of a round that is not
    over.
    """
    moves: list[dict[str, Any]] = [
        {"line": line, "name": name, "seat": seat, "text": event, "told": event, "why": "", "mark": ""}
        for line, seat, event in event_lines(record_text)
        for name in stored.header.names[seat - 1 : seat]
    ]
    if stored.header.game == pad.PAD_ID or not moves:
        return moves
    report, _ = check_changed_record(record_text)
    if report.state is None:
        return moves
    round_ = replaying.replay_record(report)
    words = _words_of_lines(report)
    saved_words: dict[tuple[int, str], list[str]] = {}
    saved_report, _ = check_changed_record(saved_text)
    if saved_report.state is not None:
        saved_lines = _words_of_lines(saved_report)
        for line, seat, event in event_lines(saved_text):
            saved_words.setdefault((seat, event), []).append(saved_lines.get(line, event))
    numbers = {line - 1: number for number, line in enumerate(report.lines)}
    for move in moves:
        number = numbers.get(move["line"], len(round_.events))
        before = saved_words.get((move["seat"], move["text"]), [])
        move["told"] = words.get(move["line"]) or next(iter(before), move["text"])
        if move["line"] in words:
            move["mark"] = "" if move["told"] in before else text("changed by the correction")
        elif report.fault is not None and report.fault.line == move["line"] + 1:
            move["why"] = report.fault.message
        else:
            move["mark"] = text("not checked yet")
        if move["why"] or chosen_line == str(move["line"]):
            move |= _event_choices(round_.after_event(number), move["seat"], move["text"])
    if report.fault is None and round_.turn:
        end = len(record_text.rstrip("\n").split("\n"))
        missing = {"line": end, "seat": 0, "text": "", "told": "", "mark": "", "why": text("the round is not over")}
        moves.append(missing | {"name": round_.player_name(round_.turn)} | _event_choices(round_, 0, ""))
    return moves


def _words_of_lines(report: Report) -> dict[int, str]:
    """The events of a record that can be played, in words, by their lines from 0."""
    round_ = replaying.replay_record(report)
    told = public_view.moves_since(round_, 0, [])
    return {line - 1: each["told"] for line, each in zip(report.lines, told, strict=False)}


def _event_choices(round_: Round, seat: int, event: str) -> dict[str, Any]:
    """Who was to move in a position where the record has this event of a seat, and what could be played there."""
    turn = round_.turn or seat
    name = round_.player_name(turn)
    return {
        "asked": name,
        "board": public_view.board_svg(round_, []),
        "inserts": turn if turn != seat else 0,
        "choices": _similar_events(round_, turn, event),
    }


def _similar_events(round_: Round, seat: int, event: str) -> list[tuple[Any, str]]:
    """What a seat could play instead of an event, in words and as text; of a draw, what it could have drawn."""
    if round_.turn != seat:
        return []
    rules = round_.game
    moves = list(rules.legal_moves(round_.state))
    if event and is_draw(event):
        word, *drawn = event.split()
        drawn_pieces = list(chain.from_iterable(round_.move_input.piece_rows("deal", round_.options)))
        moves = [
            rules.parse_move(" ".join([word, *drawn[:at], piece, *drawn[at + 1 :]]))
            for at in range(len(drawn))
            for piece in drawn_pieces
        ]
    possible = dict.fromkeys(str(move) for move in moves if rules.refusal(round_.state, move) is None)
    possible.pop(event, None)
    similar = get_close_matches(event, possible, MAX_CHOICES, 0.0)
    number = len(round_.events)
    return [(public_view.moves_since(with_event(round_, seat, each), number, [])[0]["told"], each) for each in similar]


# -- an evening -------------------------------------------------------------------------------------------------


def evening_report(store: StoreQueries, argument: str, *, panels: PanelPictures) -> dict[str, Any]:
    """The report of an evening's finished rounds as a file: ``name``, ``type`` (a media type) and ``body``.

    `argument` is the evening and the language, such as ``2026-11-21 de``; without a language the report is English. The
    file is HTML, or Markdown if the libraries for HTML are not installed or memory runs out. Raises UnanswerableError.
    """
    from companion.report.gather import gather_evening

    day_text, _, language = argument.partition(" ")
    day = dates.parse_date(_parse_date(day_text)) if day_text else None
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


def player_names(store: StoreQueries, argument: str) -> dict[str, Any]:
    """All players as lists of name, number of rounds, and the date of the last one."""
    return {"names": [[each.name, each.rounds, each.last_begun[:10]] for each in store.players()]}
