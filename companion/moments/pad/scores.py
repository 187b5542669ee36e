"""What is shown of a score pad in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import joined, text

if TYPE_CHECKING:
    from companion.rounds.on_table import PadRound


_ARROWS = (
    kinds.KeyMeaning("up", text("points")),
    kinds.KeyMeaning("down", text("points")),
    kinds.KeyMeaning("left", text("player")),
    kinds.KeyMeaning("right", text("player")),
)


def scores(sheet: PadRound, seat: int, *, dealer: bool = False, back: str = "menu", line: str = "") -> kinds.Scores:
    """The sheet with the cursor on a seat and nothing entered; `dealer`: it says who deals."""
    game = sheet.pad
    note: list[str] = []
    if game.turns:
        note.append(text("turn {turn}/{turns}", turn=game.turn, turns=game.turns))
    elif game.target:
        note.append(text("to {target}", target=game.target))
    if game.lowest:
        note.append(text("lowest"))
    last = entry_words(sheet, len(game.entries)) if game.entries else ""
    return kinds.Scores(
        title=text("{who} deals", who=sheet.name(game.dealer)) if dealer else game.title,
        notes=(joined(note, ", "), *note[:1]),
        players=tuple(
            kinds.Score(name, total, each in game.leaders and len(set(game.totals)) > 1)
            for each, (name, total) in enumerate(zip(sheet.header.names, game.totals, strict=True), 1)
        ),
        seat=seat,
        last=last,
        meanings=(*(() if line else _ARROWS), kinds.KeyMeaning("back", text(back))),
        line=line,
    )


def entry_words(sheet: PadRound, number: int) -> str:
    """An entry, by its number from 1: whose it is, and the points."""
    seat, points = sheet.pad.entries[number - 1]
    return text("{who} {points}", who=sheet.name(seat), points=f"{points:+d}")
