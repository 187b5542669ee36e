"""A kept score pad as text: CSV for a spreadsheet, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from companion import pad
from companion.commands import cell
from companion.session.model import pad_rebuilt

if TYPE_CHECKING:
    from companion.session.model import Saved
    from companion.store import Store


def csv_table(saved: Saved) -> str:
    """A score pad as CSV: a line an entry, with the player's total after it."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(("entry", "player", "points", "total"))
    totals = [0] * len(saved.about.names)
    for number, (seat, points) in enumerate(saved.events, 1):
        totals[seat - 1] += pad.read(points)
        lines.writerow((number, cell(saved.about.names[seat - 1]), pad.read(points), totals[seat - 1]))
    return written.getvalue()


def json_object(store: Store, saved: Saved) -> str:
    """A score pad for programs: what it was set up with, entries, totals by seat, winners once it is over."""
    sheet = pad_rebuilt(saved)
    names = saved.about.names
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
    return json.dumps(said, ensure_ascii=False) + "\n"
