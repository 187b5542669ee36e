"""The questions before a round: its options, how many play, the match, the game clock, open holdings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyMeaning
from companion.evening.model import QuestionDue
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens.lists import Item, ListScreen
from companion.games.api.box_seats import computer_strength
from companion.languages import text
from companion.rounds import game_clock
from companion.rounds.game_clock import MAX_EXTRA_SECONDS, MOST_MINUTES, TimeControl, parse_controls

if TYPE_CHECKING:
    from companion.evening.fields import Setup
    from companion.evening.model import Screen, Session
    from companion.games.api.manifest import HoldingKind


class Asking(ListScreen):
    """A question of a setup: `title` is the heading, and `notes` are the question, its longest wording first.

    BACK leads one question back, or if it is `is_over_screen` another screen to that one; `back_hint` is the key hint
    for it.
    """

    setup: Setup
    over: bool = False
    leads: str = text("back")

    @property
    def of_game(self) -> str:
        return self.setup.game

    def close(self, session: Session) -> Session:
        return super().close(session) if self.over else go_on(session, self.setup, -1)

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        return kinds.ok_back("choose", self.leads)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return (*self.setup.names, *super().shown_names(session))


def go_on(session: Session, setup: Setup, by: int = 1) -> Session:
    """Ask the next question of a setup, or the one `step` so many further; after the last one the round begins."""
    return session.show(QuestionDue(setup._replace(asked=setup.asked + by)))


def show_question(session: Session, *screens: Screen) -> Session:
    """Show a question over the menu in which its setup began, and further screens over the question."""
    return session._replace(screens=(session.screens[0], *screens))


def choose(setup: Setup) -> Callable[[Session], Session]:
    """The action of an entry that leads to these choices: it asks the next question."""
    return partial(go_on, setup=setup)


USUAL = TimeControl(600, 5)
KINDS = (text("added each move"), text("free each move"))
"""The two meanings that the seconds of a seat can have."""


class ClockSetting(InputScreen):
    """The game clock of each player, being set.

    Left and right move the cursor, up, down and digits change the value under it. OK calls `on_done` with the written
    form, BACK erases or leaves.

    Attributes:
        names: the players.
        values: minutes and seconds of the first player, of the second, and so on.
        on_done: makes the session after OK.
        is_delay: whether each move has its seconds free, instead of adding them.
        cursor_index: the value under the cursor; after the last one the meaning of the seconds.
        typed_digits: the digits typed so far.
        value_before: the value before they were typed.
    """

    names: tuple[str, ...]
    values: tuple[int, ...]
    done: Callable[[Session, str], Session]
    delay: bool = False
    on: int = 0
    keys: str = ""
    was: int = 0

    @property
    def erases(self) -> bool:
        return bool(self.keys)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self.done(session, self.control)
        if key == "*" and not self.keys:
            return session.close()
        return session.show(self._changed(key))

    @property
    def control(self) -> str:
        """The setting in the written form of a round's header (see `companion.rounds.game_clock`)."""
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        each = [str(TimeControl(minutes * 60, extra, self.delay)) for minutes, extra in pairs]
        return each[0] if len(set(each)) == 1 else " ".join(each)

    def _changed(self, key: str) -> ClockSetting:
        count = len(self.values) + 1
        if key in ("left", "right"):
            return self._replace(on=(self.on + (1 if key == "right" else -1)) % count, keys="")
        if self.on == count - 1:
            return self._replace(delay=not self.delay) if key in ("up", "down") else self
        if key in ("up", "down"):
            return self._with(self.values[self.on] + (1 if key == "up" else -1))
        keys = self.keys[:-1] if key == "*" else self.keys + key if key.isdigit() else self.keys
        if len(keys) > len(str(self._most)):
            return self
        was = self.was if self.keys else self.values[self.on]
        return self._with(int(keys) if keys else was, keys)._replace(was=was)

    @property
    def _most(self) -> int:
        return MAX_EXTRA_SECONDS if self.on % 2 else MOST_MINUTES

    def _with(self, value: int, keys: str = "") -> ClockSetting:
        """The setting with another value, moved into the possible range: minutes from 1, seconds from 0."""
        value = min(max(value, 1 - self.on % 2), self._most)
        return self._replace(values=(*self.values[: self.on], value, *self.values[self.on + 1 :]), keys=keys)

    def content(self, session: Session) -> kinds.Content:
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        rows = zip(self.names, [((minutes, text("min")), (extra, text("s"))) for minutes, extra in pairs], strict=True)
        meanings = [KeyMeaning("ok", text("done")), KeyMeaning("back", text("erase" if self.keys else "back"))]
        meanings += [
            KeyMeaning("up", text("change")),
            KeyMeaning("down", text("change")),
            KeyMeaning("left", text("next")),
        ]
        meanings += [KeyMeaning("right", text("next")), *([KeyMeaning("digits")] if self.on < len(self.values) else [])]
        return kinds.Form(text("Clock"), KINDS[self.delay], tuple(rows), self.on, tuple(meanings))


def open_setting(setup: Setup, done: Callable[[Session, str], Session]) -> ClockSetting:
    """The screen that sets the game clock, with the times chosen so far, else the usual ones."""
    chosen = parse_controls(setup.clock, setup.seats) or (USUAL,) * setup.seats
    values = [value for each in chosen for value in (max(1, each.base_seconds // 60), each.extra_seconds)]
    seats = tuple(text("seat {seat}", seat=seat) for seat in range(1, setup.seats + 1))
    names = setup.names if len(setup.names) == setup.seats else seats
    return ClockSetting(names, tuple(values), done, any(each.is_delay for each in chosen))


GOALS = (0, 2, 3, 4, 5)
"""How many rounds somebody has to win, 0 for a single round."""
CLOCKS = ("", "300", "600", "1500", "180+2", "300+5", "600+5", "900+10", "600d5")
"""The game clocks to choose from, in written form. The players can also set their own."""
LARGE = 8
"""Holdings of more pieces are sealed unless the players choose otherwise, because typing them takes too long."""
_COUNTS = {2: text("two players"), 3: text("three players"), 4: text("four players")}


def option(session: Session, setup: Setup, which: str) -> Asking:
    """The question about one of the game's options."""
    game = games.manifest_of(setup.game)
    asked, chosen = game.options[which], dict(setup.options)
    items = tuple(
        Item(game.option_label(which, value), choose(setup._replace(options=tuple((chosen | {which: value}).items()))), note)
        for value, note in asked.values.items()
    )
    return Asking(game.name, (asked.question,), items, setup, cursor=list(asked.values).index(chosen[which]))


def seats(session: Session, setup: Setup) -> Asking:
    """The question how many play."""
    game = games.manifest_of(setup.game)
    items = tuple(Item(_COUNTS[number], choose(_of_seats(setup, number)), place=number - 1) for number in game.players)
    return Asking(game.name, (text("how many play"),), items, setup, cursor=game.players.index(setup.seats))


def _of_seats(setup: Setup, number: int) -> Setup:
    if number == setup.seats:
        return setup
    return setup._replace(seats=number, names=setup.names[:number], opened=(), sealed=())


def match(session: Session, setup: Setup, *, on_clock: bool = False) -> Asking:
    """The question how many wins decide the match. With `cursor_on_clock` the cursor is on the game clock."""
    goals = (
        Item(
            text("{wins} wins", wins=wins) if wins else text("single round"),
            choose(setup._replace(goal=wins)),
            _rounds(wins, setup.seats),
        )
        for wins in GOALS
    )
    items = (*goals, _clock(setup))
    cursor = GOALS.index(setup.goal) if setup.goal in GOALS else 0
    name = games.manifest_of(setup.game).name
    note = game_clock.settings_text(setup.clock, short=True) if setup.clock else text("rounds, clock")
    return Asking(name, (note,), items, setup, cursor=len(GOALS) if on_clock else cursor)


def _rounds(wins: int, players: int) -> str:
    """How many rounds a match can need, not counting drawn ones; "" for a single round."""
    if not wins:
        return ""
    most = players * (wins - 1) + 1
    return text("best of {rounds}", rounds=most) if players == 2 else text("up to {rounds}", rounds=most)


def _clock(setup: Setup) -> Item:
    """The entry that leads to the game clocks, with the one chosen so far."""
    controls = game_clock.parse_controls(setup.clock, setup.seats)
    short = len(set(controls)) > 1 or any(each.extra_seconds for each in controls)
    said = game_clock.settings_text(setup.clock, short=True)
    return Item(text("clock") if short else text("game clock"), partial(open_clocks, setup=setup), said)


def open_clocks(session: Session, setup: Setup) -> Session:
    """Open the list of game clocks, the cursor on the one chosen so far."""
    items = (
        *(Item(game_clock.settings_text(control), partial(_time, setup=setup, control=control)) for control in CLOCKS),
        Item(text("own times"), partial(_open_setting, setup=setup), _own_name(setup)),
    )
    cursor = CLOCKS.index(setup.clock) if setup.clock in CLOCKS else len(CLOCKS)
    clocks = Asking(text("Game clock"), (text("each player has"),), items, setup, over=True, cursor=cursor)
    return show_question(session, match(session, setup, on_clock=True), clocks)


def _own_name(setup: Setup) -> str:
    """The game clock in words if it isn't in the list and is the same for all; else ""."""
    alike = len(set(game_clock.parse_controls(setup.clock, setup.seats))) == 1
    return game_clock.settings_text(setup.clock) if alike and setup.clock not in CLOCKS else ""


def _time(session: Session, control: str, *, setup: Setup) -> Session:
    """Take a game clock, and ask for the number of wins again."""
    return show_question(session, match(session, setup._replace(clock=control)))


def _open_setting(session: Session, setup: Setup) -> Session:
    return open_clocks(session, setup).open(open_setting(setup, partial(_time, setup=setup)))


def holdings(setup: Setup) -> list[tuple[HoldingKind, int]]:
    """The holdings of a round, each with its seat."""
    return [(kind, seat) for seat in range(1, setup.seats + 1) for kind in games.manifest_of(setup.game).holdings]


def box_plays(setup: Setup, seat: int) -> bool:
    """Whether the computer plays a seat, as far as the names are chosen yet."""
    return seat <= len(setup.names) and bool(computer_strength(setup.names[seat - 1]))


def holding(session: Session, setup: Setup, kind: HoldingKind, seat: int) -> Asking:
    """The question whether a holding is open to the referee."""
    held = games.manifest_of(setup.game).holdings[kind]
    size = games.load_rules(setup.game).holding_size(kind, setup.seats, dict(setup.options))
    items = (
        Item(
            text("not told") if held.is_face_up else text("secret"),
            choose(_with_holding(setup, (kind, seat), opened=False)),
            icon="sealed",
            explains=text("I only count"),
        ),
        Item(
            text("told to me"),
            choose(_with_holding(setup, (kind, seat), opened=True)),
            icon="open",
            explains=text("I can help"),
        ),
    )
    likely = held.is_face_up and size <= LARGE
    cursor = int((kind, seat) in setup.opened or (likely and (kind, seat) not in setup.sealed))
    whose = text("{who}'s {noun}", who=setup.names[seat - 1], noun=held.noun)
    notes = text("{count} {pieces}", count=size, pieces=held.pieces), str(size)
    return Asking(whose, notes, items, setup, cursor=cursor)


def _with_holding(setup: Setup, holding: tuple[HoldingKind, int], *, opened: bool) -> Setup:
    others = [tuple(each for each in held if each != holding) for held in (setup.opened, setup.sealed)]
    return setup._replace(
        opened=(*others[0], holding) if opened else others[0], sealed=others[1] if opened else (*others[1], holding)
    )
