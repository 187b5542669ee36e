"""A stored score pad as text: CSV for a spreadsheet, JSON for programs and for `companion import`."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from companion.commands.parts import sums
from companion.commands.streams import cell, json_text
from companion.games.score_pad import rules as pad
from companion.record.values import usable_name
from companion.rounds.on_table import pad_of
from companion.rounds.player_names import LONGEST_NAME
from companion.rounds.stored import RoundHeader, StoredRound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.store.queries.store_queries import StoreQueries


MOST_ENTRIES = 5_000
"""The most entries of an imported score pad; eight players with 99 turns each have 792."""


def csv_table(saved: StoredRound) -> str:
    """A score pad as CSV: a line for each entry with the player's total after it. Raises ValueError for a bad entry."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(("entry", "player", "points", "total"))
    totals = [0] * len(saved.header.names)
    for number, (seat, points) in enumerate(saved.events, 1):
        totals[seat - 1] += pad.read(points)
        lines.writerow((number, cell(saved.header.names[seat - 1]), pad.read(points), totals[seat - 1]))
    return written.getvalue()


def json_object(store: StoreQueries, saved: StoredRound) -> str:
    """A score pad as a JSON object: settings, entries, totals by seat, and the winners if it is over."""
    sheet = pad_of(saved)
    names = saved.header.names
    said = {
        "round": saved.id,
        "game": pad.ID,
        "title": sheet.pad.title,
        "date": store.begun(saved.id) or None,
        "players": list(names),
        "wins": "lowest" if sheet.pad.lowest else "highest",
        "target": sheet.pad.target or None,
        "turns": sheet.pad.turns or None,
        "entries": [{"seat": seat, "player": names[seat - 1], "points": points} for seat, points in sheet.pad.entries],
        "totals": list(sheet.pad.totals),
        "over": bool(saved.result),
        "winners": [names[seat - 1] for seat in sheet.pad.leaders] if saved.result else None,
    }
    return json_text(sums.with_key(said)) + "\n"


def read_object(text: str, *, changed: bool = False) -> tuple[StoredRound, str]:
    """Parse a score pad as `json_object` writes it, and its date ("" for none). Raises ValueError with a sentence.

    Where it was `changed` its check, totals and winners are not looked at: they follow from its entries.
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it cannot be read as JSON") from None
    try:
        if isinstance(said, dict) and said.keys() >= {"plays", "games", "players"}:
            raise ValueError("it is a backup of the app BG Stats, not a score pad of the box")
        if not isinstance(said, dict) or said.get("game") != pad.ID:
            raise ValueError("it is no score pad")
        if not changed:
            sums.check_key(said)
        names = _names(said)
        sheet = _sheet(said, len(names))
        over, date = bool(said["over"]), str(said.get("date") or "")
        winners = [names[seat - 1] for seat in sheet.leaders] if over else None
        if not changed and (list(sheet.totals) != said["totals"] or winners != said["winners"]):
            raise ValueError("its totals or winners are not what its entries give")
        if over and not sheet.entries:
            raise ValueError("it is over, but nothing was entered")
    except KeyError as error:
        raise ValueError(f'it has no "{error.args[0]}", which each score pad has') from None
    except (TypeError, AttributeError):
        raise ValueError("a part of it is not what a score pad has there") from None
    header = RoundHeader(pad.ID, sheet.options, names)
    events = tuple((seat, pad.write(points)) for seat, points in sheet.entries)
    return StoredRound(0, header, (), events, str(pad.result(sheet)) if over else ""), date


def _names(said: Mapping[str, Any]) -> tuple[str, ...]:
    """The players' names. Raises ValueError, KeyError or TypeError for anything else, as do those below."""
    names = tuple(said["players"])
    if len(names) not in pad.PLAYERS or len(set(names)) < len(names) or not all(map(usable_name, names)):
        raise ValueError("its players cannot be")
    return names


def _sheet(said: Mapping[str, Any], players: int) -> pad.Pad:
    """The pad with its entries."""
    title = said["title"]
    if not usable_name(title) or len(title) > LONGEST_NAME or said["wins"] not in ("highest", "lowest"):
        raise ValueError("its title or who wins cannot be")
    target, turns = _limit(said["target"], pad.MOST), _limit(said["turns"], pad.MOST_TURNS)
    if len(said["entries"]) > MOST_ENTRIES:
        raise ValueError(f"it has {len(said['entries'])} entries, and at most {MOST_ENTRIES} are kept")
    entries = tuple(_entry(each, players) for each in said["entries"])
    return pad.Pad(players, title, said["wins"] == "lowest", target, turns, entries)


def _entry(said: Mapping[str, object], players: int) -> tuple[int, int]:
    """Seat and points of an entry."""
    return _whole(said["seat"], 1, players), _whole(said["points"], -pad.MOST, pad.MOST)


def _limit(value: object, most: int) -> int:
    """A target or number of turns up to `most`, 0 for none (null). Raises ValueError for anything else."""
    return 0 if value is None else _whole(value, 0, most)


def _whole(value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`. Raises ValueError for anything else."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"it has {value!r:.22} where only a whole number from {least} to {most} can be")
    return value
