"""The questions before a score pad: its title, the number of players, who wins, and when it is over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyMeaning
from companion.evening.fields import Setup
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens.lists import Item
from companion.evening.screens.messages import ask_without
from companion.evening.screens.names import Spelling
from companion.evening.screens.setup.questions import Asking, choose, go_on, show_question
from companion.evening.screens.setup.seats import open_seats
from companion.games.score_pad import rules as pad
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Screen, Session
    from companion.rounds.stored import StoredHistory

ENDS = (("", text("when we say so")), ("target", text("at a score")), ("turns", text("at a turn limit")))
USUAL = {"target": 100, "turns": 10}
MOST = {"target": pad.MAX_POINTS, "turns": pad.MAX_TURNS}


def fresh() -> Setup:
    """The setup of a pad before the first question, with the default of each."""
    return Setup(pad.PAD_ID, pad.Pad(2).stored_options)


def questions(setup: Setup) -> list[Callable[[Session, Setup], Screen]]:
    """The questions in their order, as functions that make a screen."""
    return [_title, _seats, _wins, _ends, *([_limit] if _ending(setup) else []), open_seats]


def _title(session: Session, setup: Setup) -> Asking:
    """Which game it is: one that was played before, whose other options are then as they were, or another one."""
    past = session.past
    known = dict.fromkeys(dict(before)["title"] for before, _ in past.recent_pads)
    items = [
        Item(each, partial(_ask_players, setup=_as_before(past, setup, each))) for each in known if each != pad.DEFAULT_TITLE
    ]
    items.append(Item(text("any game"), choose(_with(setup, title=pad.DEFAULT_TITLE))))
    items.append(Item(text("new name"), partial(_spell, setup=setup)))
    return Asking(pad.PAD_NAME, (text("which game"),), tuple(items), setup)


def _as_before(past: StoredHistory, setup: Setup, title: str) -> Setup:
    """The setup of the last pad with that title: its options, its number of players, and their names."""
    options, names = next(each for each in past.recent_pads if dict(each[0])["title"] == title)
    return setup._replace(options=options, seats=len(names), names=names)


def _ask_players(session: Session, setup: Setup) -> Session:
    """Skip to the last question, which is who sits where."""
    return go_on(session, setup, len(questions(setup)) - 1 - setup.asked)


def _spell(session: Session, setup: Setup) -> Session:
    done = partial(_take_title, setup=setup)
    return show_question(session, _title(session, setup), Spelling(text("New name"), text("of the game"), done))


def _take_title(session: Session, title: str, *, setup: Setup) -> Session:
    return go_on(session, _with(setup, title=title))


def _seats(session: Session, setup: Setup) -> Asking:
    items = tuple(
        Item(
            text("{count} players", count=count),
            choose(setup._replace(seats=count, names=setup.names[:count])),
            place=count - 1,
        )
        for count in pad.PLAYER_COUNTS
    )
    return Asking(_name(setup), (text("how many play"),), items, setup, cursor=pad.PLAYER_COUNTS.index(setup.seats))


def _wins(session: Session, setup: Setup) -> Asking:
    ways = ((text("the most points"), "highest"), (text("the fewest points"), "lowest"))
    items = tuple(Item(words, choose(_with(setup, wins=way))) for words, way in ways)
    cursor = int(dict(setup.options)["wins"] == "lowest")
    return Asking(_name(setup), (text("who wins"),), items, setup, cursor=cursor)


def _ends(session: Session, setup: Setup) -> Asking:
    items = tuple(Item(words, choose(_ending_by(setup, end))) for end, words in ENDS)
    cursor = [end for end, _ in ENDS].index(_ending(setup))
    return Asking(_name(setup), (text("when does it end"),), items, setup, cursor=cursor)


def _ending_by(setup: Setup, end: str) -> Setup:
    """The setup with another way to end the game. A target or number of turns that was set before is kept."""
    limits = {name: str(usual) if name == end else "0" for name, usual in USUAL.items()}
    if end and end == _ending(setup):
        limits[end] = dict(setup.options)[end]
    return _with(setup, **limits)


def _limit(session: Session, setup: Setup) -> Figure:
    return Figure(setup, int(dict(setup.options)[_ending(setup)]))


class Figure(InputScreen):
    """A number to set: the score pad's target, or its number of turns.

    Digits, or up and down; for a target these count by tens, and left and right by one. OK is done, BACK erases or goes
    back. `typed_digits` are the digits typed so far; without any, the number is `value`. `excess_digits` are the digits
    that were too many.
    """

    setup: Setup
    value: int
    keys: str = ""
    full: str = ""

    @property
    def erases(self) -> bool:
        return bool(self.keys)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self._finish(session)
        if key == "*" and not self.keys:
            return go_on(session, self._with_limit(self.value), -1)
        return session.show(self._changed(key))

    def _finish(self, session: Session) -> Session:
        """Take the number. After digits that were too many, the players have to confirm it first."""
        number = int(self.keys or self.value)
        if not self.full:
            return go_on(session, self._with_limit(number))
        taken = self._replace(full="")._finish
        return ask_without(session, self.full, text("Enter {points}?", points=number), taken)

    def take_words(self, session: Session, words: str) -> tuple[Session, str]:
        if not (words.isascii() and words.isdigit() and len(words) < 10):
            return session, text("Enter a number.")
        for key in (*words, "#"):
            if isinstance(session.screen, Figure):
                session = session.screen.press(session, key)
        return session, ""

    def _with_limit(self, number: int) -> Setup:
        """The setup with this number, moved into the possible range."""
        which = _ending(self.setup)
        return _with(self.setup, **{which: str(min(max(number, 1), MOST[which]))})

    def _changed(self, key: str) -> Figure:
        which = _ending(self.setup)
        if key == "*":
            return self._replace(keys=self.keys[:-1])
        if key in ("up", "down", "left", "right"):
            by, value = (1 if key in ("up", "right") else -1), int(self.keys or self.value)
            stepped = pad.next_number(value, by, tens=which == "target" and key in ("up", "down"))
            return self._replace(keys="", value=min(max(stepped, 1), MOST[which]), full="")
        if key.isdigit() and (key != "0" or self.keys) and int(self.keys + key) <= MOST[which]:
            return self._replace(keys=self.keys + key)
        return self._replace(full=self.full + key) if self.keys and key.isdigit() else self

    def content(self, session: Session) -> kinds.Content:
        which = _ending(self.setup)
        note = text("points to reach") if which == "target" else text("turns each")
        limit = text("max {most}", most=MOST[which]) if self.full else ""
        meanings = [
            KeyMeaning("ok", text("done")),
            KeyMeaning("back", text("erase" if self.keys else "back")),
            KeyMeaning("digits"),
        ]
        changes = text("by 10") if which == "target" else text("change")
        meanings += [KeyMeaning("up", changes), KeyMeaning("down", changes)]
        if which == "target":
            meanings += [KeyMeaning("left", text("by 1")), KeyMeaning("right", text("by 1"))]
        number = self.keys or str(self.value)
        return kinds.Amount(_name(self.setup), note, number, bool(self.keys), limit, tuple(meanings))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.setup.names


def _name(setup: Setup) -> str:
    return dict(setup.options)["title"]


def _ending(setup: Setup) -> str:
    """What ends the game: ``target``, ``turns``, or "" where the players decide."""
    options = dict(setup.options)
    return next((name for name in USUAL if options[name] != "0"), "")


def _with(setup: Setup, **changed: str) -> Setup:
    return setup._replace(options=tuple((name, changed.get(name, value)) for name, value in setup.options))
