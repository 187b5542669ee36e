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

from companion.commands.text_streams import csv_cell, json_text, printable_text
from companion.games.api import RefusedError
from companion.games.score_pad import pad
from companion.languages import text, translate
from companion.rounds.on_table import replay_pad
from companion.rounds.player_names import MAX_NAME_LETTERS
from companion.rounds.record import is_usable_name
from companion.rounds.stored import RoundHeader, StoredRound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.store.store_queries import StoreQueries

CHECK_KEY = "sum"
"""The key of the check in a score pad, and the word before the check in a record."""
_SUM_LINE = re.compile(r"# sum ([0-9a-f]{8})\n?\Z")
CHANGED_MESSAGE = text(
    'it has changed since it was exported. If you changed it yourself, remove its "{key}"', key=CHECK_KEY
)
MAX_FILE_BYTES = 2**20
"""The longest file with a round that is imported, in bytes."""
MAX_ENTRIES = 5_000
"""The most entries of an imported score pad; eight players with 99 turns each have 792."""


def add_check_line(record: str) -> str:
    """Return a record with its check as the last line, a comment."""
    return f"{record}# {CHECK_KEY} {_checksum(record)}\n"


def remove_check_line(record: str) -> str:
    """Return a record without its check line.

    Raises ValueError with a sentence if the check does not fit the record. A record without a check line is returned as
    it is.
    """
    plain = record.removeprefix("\ufeff").replace("\r\n", "\n")  # A mail program or an editor may have changed these.
    match = _SUM_LINE.search(plain)
    if match is None:
        return record
    if match[1] != _checksum(plain[: match.start()]):
        raise ValueError(translate(CHANGED_MESSAGE))
    return plain[: match.start()]


def add_check_key(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its check as the last key."""
    return fields | {CHECK_KEY: _checksum(json_text(fields))}


def verify_check_key(fields: dict[str, Any]) -> None:
    """Raise ValueError with a sentence if an object has a check that does not fit."""
    other_fields = {key: value for key, value in fields.items() if key != CHECK_KEY}
    if CHECK_KEY in fields and fields[CHECK_KEY] != _checksum(json_text(other_fields)):
        raise ValueError(translate(CHANGED_MESSAGE))


def _checksum(content: str) -> str:
    """The CRC-32 of a text, as eight hexadecimal digits."""
    return f"{zlib.crc32(content.encode(errors='replace')):08x}"


def export_failure_text(number: int, error: Exception) -> str:
    """The sentence about a round that cannot be exported."""
    why = error.reason if isinstance(error, RefusedError) else str(error)
    return text("round {number} cannot be exported: {why}", number=number, why=printable_text(why))


def pad_csv(stored: StoredRound) -> str:
    """A score pad as CSV: a line for each entry with the player's total after it. Raises ValueError for a bad entry."""
    output = io.StringIO()
    lines = csv.writer(output, lineterminator="\n")
    lines.writerow(("entry", "player", "points", "total"))
    totals = [0] * len(stored.header.names)
    for number, (seat, points) in enumerate(stored.events, 1):
        totals[seat - 1] += pad.parse_points(points)
        lines.writerow((number, csv_cell(stored.header.names[seat - 1]), pad.parse_points(points), totals[seat - 1]))
    return output.getvalue()


def pad_json(store: StoreQueries, stored: StoredRound) -> str:
    """A score pad as a JSON object: settings, entries, totals by seat, and the winners if it is over."""
    sheet = replay_pad(stored)
    names = stored.header.names
    fields = {
        "round": stored.id,
        "game": pad.PAD_ID,
        "title": sheet.pad.title,
        "date": store.round_start_time(stored.id) or None,
        "players": list(names),
        "wins": "lowest" if sheet.pad.lowest_wins else "highest",
        "target": sheet.pad.target or None,
        "turns": sheet.pad.turn_limit or None,
        "entries": [{"seat": seat, "player": names[seat - 1], "points": points} for seat, points in sheet.pad.entries],
        "totals": list(sheet.pad.totals),
        "over": bool(stored.result),
        "winners": [names[seat - 1] for seat in sheet.pad.leading_seats] if stored.result else None,
    }
    return json_text(add_check_key(fields)) + "\n"


def parse_pad(content: str, *, is_changed: bool = False) -> tuple[StoredRound, str]:
    """Parse a score pad as `pad_json` writes it, and its date ("" for none). Raises ValueError with a sentence.

    With `is_changed` its check, totals and winners are ignored, because they follow from its entries.
    """
    try:
        fields = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is not valid JSON") from None
    try:
        if isinstance(fields, dict) and fields.keys() >= {"plays", "games", "players"}:
            raise ValueError("it is a backup of the app BG Stats, not a score pad of this program")
        if not isinstance(fields, dict) or fields.get("game") != pad.PAD_ID:
            raise ValueError("it is not a score pad")
        if not is_changed:
            verify_check_key(fields)
        names = _parse_names(fields)
        sheet = _parse_sheet(fields, len(names))
        is_over, date = bool(fields["over"]), str(fields.get("date") or "")
        winners = [names[seat - 1] for seat in sheet.leading_seats] if is_over else None
        if not is_changed and (list(sheet.totals) != fields["totals"] or winners != fields["winners"]):
            raise ValueError("its totals or winners do not match its entries")
        if is_over and not sheet.entries:
            raise ValueError("it is over, but has no entries")
    except KeyError as error:
        raise ValueError(f'it has no "{error.args[0]}", which every score pad needs') from None
    except (TypeError, AttributeError):
        raise ValueError("part of it does not have the form of a score pad") from None
    header = RoundHeader(pad.PAD_ID, sheet.stored_options, names)
    events = tuple((seat, pad.format_points(points)) for seat, points in sheet.entries)
    return StoredRound(0, header, (), events, str(pad.pad_result(sheet)) if is_over else ""), date


def _parse_names(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Parse the players' names. Raises ValueError, KeyError or TypeError for anything else, as do those below."""
    names = tuple(fields["players"])
    if len(names) not in pad.PLAYER_COUNTS or len(set(names)) < len(names) or not all(map(is_usable_name, names)):
        raise ValueError('its "players" are not valid')
    return names


def _parse_sheet(fields: Mapping[str, Any], players: int) -> pad.Pad:
    """Parse the settings and entries of a pad."""
    title = fields["title"]
    if not is_usable_name(title) or len(title) > MAX_NAME_LETTERS or fields["wins"] not in ("highest", "lowest"):
        raise ValueError('its "title" or its "wins" is not valid')
    target, turns = _optional_limit(fields["target"], pad.MAX_POINTS), _optional_limit(fields["turns"], pad.MAX_TURNS)
    if len(fields["entries"]) > MAX_ENTRIES:
        raise ValueError(f"it has {len(fields['entries'])} entries; at most {MAX_ENTRIES} are allowed")
    entries = tuple(
        (_whole_number(each["seat"], 1, players), _whole_number(each["points"], -pad.MAX_POINTS, pad.MAX_POINTS))
        for each in fields["entries"]
    )
    return pad.Pad(players, title, fields["wins"] == "lowest", target, turns, entries)


def _optional_limit(value: object, most: int) -> int:
    """A target or number of turns up to `most`, 0 for none (null). Raises ValueError for anything else."""
    return 0 if value is None else _whole_number(value, 0, most)


def _whole_number(value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"it has {value!r:.22} where a whole number from {least} to {most} is needed")
    return value
