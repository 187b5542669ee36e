"""A stored round as text: a score pad as CSV or JSON, and the check at the end of whatever is exported.

The check is a last line of a record, or a last key of a score pad, that shows whether a byte has changed. A record's
own text shows by the rules whether its events are valid; the check also covers names, dates and comments.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

from companion.commands.streams import csv_cell, json_text, printable
from companion.games.api import RefusedError
from companion.games.score_pad import rules as pad
from companion.languages import translate, text
from companion.rounds.on_table import replay_pad
from companion.rounds.player_names import MAX_NAME_LETTERS
from companion.rounds.record import is_usable_name
from companion.rounds.stored import RoundHeader, StoredRound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.store.store_queries import StoreQueries

SUM = "sum"
"""The key of the check in a score pad, and the word before the check in a record."""
_SUM_LINE = re.compile(r"# sum ([0-9a-f]{8})\n?\Z")
CHANGED = text('it has changed since it was exported. If you changed it yourself, remove its "{key}"', key=SUM)
LONGEST_FILE = 2**20
"""The longest file with a round that is imported, in bytes."""
MOST_ENTRIES = 5_000
"""The most entries of an imported score pad; eight players with 99 turns each have 792."""


def with_sum_line(record: str) -> str:
    """Return a record with its check as the last line, a comment."""
    return f"{record}# {SUM} {_check_sum(record)}\n"


def without_sum_line(record: str) -> str:
    """Return a record without its check line.

    Raises ValueError with a sentence if the check does not fit the record. A record without a check line is returned as
    it is.
    """
    plain = record.removeprefix("\ufeff").replace("\r\n", "\n")  # A mail program or an editor may have changed these.
    found = _SUM_LINE.search(plain)
    if found is None:
        return record
    if found[1] != _check_sum(plain[: found.start()]):
        raise ValueError(translate(CHANGED))
    return plain[: found.start()]


def with_sum_key(found: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its check as the last key."""
    return found | {SUM: _check_sum(json_text(found))}


def check_sum_key(found: dict[str, Any]) -> None:
    """Raise ValueError with a sentence if an object has a check that does not fit."""
    if SUM in found and found[SUM] != _check_sum(json_text({key: value for key, value in found.items() if key != SUM})):
        raise ValueError(translate(CHANGED))


def _check_sum(words: str) -> str:
    """The CRC-32 of a text, as eight hexadecimal digits."""
    return f"{zlib.crc32(words.encode(errors='replace')):08x}"


def why_not_exported(number: int, error: Exception) -> str:
    """The sentence about a round that cannot be exported."""
    why = error.reason if isinstance(error, RefusedError) else str(error)
    return text("round {number} cannot be exported: {why}", number=number, why=printable(why))


def pad_csv(saved: StoredRound) -> str:
    """A score pad as CSV: a line for each entry with the player's total after it. Raises ValueError for a bad entry."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(("entry", "player", "points", "total"))
    totals = [0] * len(saved.header.names)
    for number, (seat, points) in enumerate(saved.events, 1):
        totals[seat - 1] += pad.parse_points(points)
        lines.writerow((number, csv_cell(saved.header.names[seat - 1]), pad.parse_points(points), totals[seat - 1]))
    return written.getvalue()


def pad_json(store: StoreQueries, saved: StoredRound) -> str:
    """A score pad as a JSON object: settings, entries, totals by seat, and the winners if it is over."""
    sheet = replay_pad(saved)
    names = saved.header.names
    found = {
        "round": saved.id,
        "game": pad.PAD_ID,
        "title": sheet.pad.title,
        "date": store.begin_date(saved.id) or None,
        "players": list(names),
        "wins": "lowest" if sheet.pad.lowest_wins else "highest",
        "target": sheet.pad.target or None,
        "turns": sheet.pad.turn_limit or None,
        "entries": [{"seat": seat, "player": names[seat - 1], "points": points} for seat, points in sheet.pad.entries],
        "totals": list(sheet.pad.totals),
        "over": bool(saved.result),
        "winners": [names[seat - 1] for seat in sheet.pad.leading_seats] if saved.result else None,
    }
    return json_text(with_sum_key(found)) + "\n"


def read_pad(whole: str, *, changed: bool = False) -> tuple[StoredRound, str]:
    """Parse a score pad as `pad_json` writes it, and its date ("" for none). Raises ValueError with a sentence.

    With `is_changed` its check, totals and winners are ignored, because they follow from its entries.
    """
    try:
        found = json.loads(whole)
    except (ValueError, RecursionError):
        raise ValueError("it is not valid JSON") from None
    try:
        if isinstance(found, dict) and found.keys() >= {"plays", "games", "players"}:
            raise ValueError("it is a backup of the app BG Stats, not a score pad of this program")
        if not isinstance(found, dict) or found.get("game") != pad.PAD_ID:
            raise ValueError("it is not a score pad")
        if not changed:
            check_sum_key(found)
        names = _names(found)
        sheet = _sheet(found, len(names))
        over, date = bool(found["over"]), str(found.get("date") or "")
        winners = [names[seat - 1] for seat in sheet.leading_seats] if over else None
        if not changed and (list(sheet.totals) != found["totals"] or winners != found["winners"]):
            raise ValueError("its totals or winners do not match its entries")
        if over and not sheet.entries:
            raise ValueError("it is over, but has no entries")
    except KeyError as error:
        raise ValueError(f'it has no "{error.args[0]}", which every score pad needs') from None
    except (TypeError, AttributeError):
        raise ValueError("part of it does not have the form of a score pad") from None
    header = RoundHeader(pad.PAD_ID, sheet.stored_options, names)
    events = tuple((seat, pad.format_points(points)) for seat, points in sheet.entries)
    return StoredRound(0, header, (), events, str(pad.pad_result(sheet)) if over else ""), date


def _names(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Parse the players' names. Raises ValueError, KeyError or TypeError for anything else, as do those below."""
    names = tuple(found["players"])
    if len(names) not in pad.PLAYER_COUNTS or len(set(names)) < len(names) or not all(map(is_usable_name, names)):
        raise ValueError('its "players" are not valid')
    return names


def _sheet(found: Mapping[str, Any], players: int) -> pad.Pad:
    """Parse the settings and entries of a pad."""
    title = found["title"]
    if not is_usable_name(title) or len(title) > MAX_NAME_LETTERS or found["wins"] not in ("highest", "lowest"):
        raise ValueError('its "title" or its "wins" is not valid')
    target, turns = _limit(found["target"], pad.MAX_POINTS), _limit(found["turns"], pad.MAX_TURNS)
    if len(found["entries"]) > MOST_ENTRIES:
        raise ValueError(f"it has {len(found['entries'])} entries; at most {MOST_ENTRIES} are allowed")
    entries = tuple(
        (_whole(each["seat"], 1, players), _whole(each["points"], -pad.MAX_POINTS, pad.MAX_POINTS)) for each in found["entries"]
    )
    return pad.Pad(players, title, found["wins"] == "lowest", target, turns, entries)


def _limit(value: object, most: int) -> int:
    """A target or number of turns up to `most`, 0 for none (null). Raises ValueError for anything else."""
    return 0 if value is None else _whole(value, 0, most)


def _whole(value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"it has {value!r:.22} where a whole number from {least} to {most} is needed")
    return value
