"""The questions before a score pad: its title, the number of players, who wins, and when it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.score_pad import rules as pad
from companion.session.actions import Choose, Count, PadAgain, Spell
from companion.session.model import Figure, Item, Menu, Question, Setup

if TYPE_CHECKING:
    from companion.session.model import Mode, StoredHistory

ENDS = (("", "we say so"), ("target", "at a score"), ("turns", "after so many turns"))
USUAL = {"target": 100, "turns": 10}
STEP = {"target": 10, "turns": 1}
MOST = {"target": pad.MOST, "turns": pad.MOST_TURNS}


def fresh() -> Setup:
    """The setup of a pad before the first question, with all defaults."""
    return Setup(pad.ID, pad.Pad(2).options)


def questions(setup: Setup) -> list[Question]:
    """What is asked, in order."""
    limit = _limit(setup)
    asked = ("title", "seats", "wins", "ends", *([limit] if limit else []))
    return [*(Question("pad", which) for which in asked), Question("players")]


def question(past: StoredHistory, setup: Setup, which: str) -> Mode:
    """The mode that asks the question `which`."""
    options = dict(setup.options)
    title = options["title"]
    match which:
        case "title":
            known = dict.fromkeys(dict(before)["title"] for before, _ in past.pads)
            items = [Item(PadAgain(each), each) for each in known if each != pad.UNNAMED]
            items += [Item(Choose(pad.UNNAMED), "any game"), Item(Spell(0), "new name")]
            return Menu("pad title", tuple(items), 0, pad.NAME, "which game", setup)
        case "seats":
            counts = tuple(Item(Count(count), f"{count} players") for count in pad.PLAYERS)
            return Menu("how many", counts, pad.PLAYERS.index(setup.seats), title, "how many play", setup)
        case "wins":
            ways = (Item(Choose("highest"), "the most points"), Item(Choose("lowest"), "the fewest points"))
            return Menu("wins", ways, int(options["wins"] == "lowest"), title, "who wins", setup)
        case "ends":
            ends = tuple(Item(Choose(end), label) for end, label in ENDS)
            cursor = [end for end, _ in ENDS].index(_limit(setup))
            return Menu("ends", ends, cursor, title, "when is it over", setup)
    return Figure(setup, int(options[which]))


def with_seats(setup: Setup, count: int) -> Setup:
    """The setup for so many players."""
    return setup._replace(seats=count, names=setup.names[:count])


def with_limit(setup: Setup, which: str, number: int) -> Setup:
    """The setup with a target or a number of turns, limited to the possible range."""
    return _with(setup, {which: str(min(max(number, 1), MOST[which]))})


def with_choice(setup: Setup, which: str, value: str) -> Setup:
    """The setup with a title, who wins, or what ends the game; a target or number of turns that was set is kept."""
    if which != "ends":
        return _with(setup, {which: value})
    limits = {name: str(usual) if name == value else "0" for name, usual in USUAL.items()}
    if value and value == _limit(setup):
        limits[value] = dict(setup.options)[value]
    return _with(setup, limits)


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
    options = dict(setup.options)
    return next((name for name in USUAL if options[name] != "0"), "")


def _with(setup: Setup, changed: dict[str, str]) -> Setup:
    return setup._replace(options=tuple((name, changed.get(name, value)) for name, value in setup.options))
