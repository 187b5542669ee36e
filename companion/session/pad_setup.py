"""Before a score pad: which game, how many play, who wins, when it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.score_pad import rules as pad
from companion.session.model import Figure, Item, Menu, Setup

if TYPE_CHECKING:
    from companion.session.model import Mode, StoredHistory

ENDS = (("", "we say so"), ("target", "at a score"), ("turns", "after so many turns"))
USUAL = {"target": 100, "turns": 10}
STEP = {"target": 10, "turns": 1}
MOST = {"target": pad.MOST, "turns": pad.MOST_TURNS}


def fresh() -> Setup:
    """A pad of which nothing has been said yet."""
    return Setup(pad.ID, pad.Pad(2).options)


def questions(setup: Setup) -> list[tuple[str, str, int]]:
    """What is asked, as for the games: question, what it is about, seat."""
    asked = [("pad", "title", 0), ("pad", "seats", 0), ("pad", "wins", 0), ("pad", "ends", 0)]
    limit = _limit(setup)
    return [*asked, *([("pad", limit, 0)] if limit else []), ("players", "", 0)]


def question(past: StoredHistory, setup: Setup, which: str) -> Mode:
    """The moment in which it is asked."""
    said = dict(setup.options)
    if which == "title":
        known = dict.fromkeys(dict(options)["title"] for options, _ in past.pads)
        items = [Item("as before", title) for title in known if title != pad.UNNAMED]
        items += [Item(pad.UNNAMED, "any game"), Item("new", "new name")]
        return Menu("pad title", tuple(items), 0, pad.NAME, "which game", setup)
    if which == "seats":
        counts = tuple(Item(str(count), f"{count} players") for count in pad.PLAYERS)
        return Menu("how many", counts, pad.PLAYERS.index(setup.seats), said["title"], "how many play", setup)
    if which == "wins":
        ways = (Item("highest", "the most points"), Item("lowest", "the fewest points"))
        return Menu("wins", ways, int(said["wins"] == "lowest"), said["title"], "who wins", setup)
    if which == "ends":
        ends = tuple(Item(end or "open", label) for end, label in ENDS)
        at = [end for end, _ in ENDS].index(_limit(setup))
        return Menu("ends", ends, at, said["title"], "when is it over", setup)
    return Figure(setup, int(said[which]))


def answered(setup: Setup, which: str, answer: str) -> Setup:
    """The setup with a question answered."""
    if which == "seats":
        return setup._replace(seats=int(answer), names=setup.names[: int(answer)])
    if which == "ends":
        limits = {name: str(usual) if name == answer else "0" for name, usual in USUAL.items()}
        kept = dict(setup.options)
        if answer == _limit(setup):
            limits[answer] = kept[answer]
        return _said(setup, limits)
    if which in USUAL:
        answer = str(min(max(int(answer), 1), MOST[which]))
    return _said(setup, {which: answer})


def as_before(past: StoredHistory, setup: Setup, title: str) -> Setup:
    """The setup of the last pad of that name, with its number of players, and its players if they are still first."""
    options, names = next(each for each in past.pads if dict(each[0])["title"] == title)
    return setup._replace(options=options, seats=len(names), names=names)


def changed(mode: Figure, which: str, key: str) -> Figure:
    """The figure after a key that is neither OK nor a BACK that leaves."""
    mode = mode._replace(full=False)
    if key == "*":
        return mode._replace(keys=mode.keys[:-1])
    if key in ("up", "down", "left", "right"):
        by = STEP[which] * (1 if key in ("up", "right") else -1)
        value = int(mode.keys or mode.value) + by
        return mode._replace(keys="", value=min(max(value, 1), MOST[which]))
    if key.isdigit() and (key != "0" or mode.keys) and int(mode.keys + key) <= MOST[which]:
        return mode._replace(keys=mode.keys + key)
    return mode._replace(full=bool(mode.keys) and key.isdigit())


def _limit(setup: Setup) -> str:
    """What ends the game: ``target``, ``turns``, or "" where the players say so."""
    said = dict(setup.options)
    return next((name for name in USUAL if said[name] != "0"), "")


def _said(setup: Setup, said: dict[str, str]) -> Setup:
    return setup._replace(options=tuple((name, said.get(name, value)) for name, value in setup.options))
