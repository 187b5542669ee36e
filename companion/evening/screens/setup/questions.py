"""The questions before a round: its options, how many play, the match, the game clock, open holdings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.model import QuestionDue
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens.lists import ListScreen, MenuItem
from companion.games.api.computer_players import computer_strength
from companion.languages import text
from companion.rounds import game_clock
from companion.rounds.game_clock import MAX_EXTRA_SECONDS, MAX_MINUTES, TimeControl, parse_controls

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session
    from companion.evening.session_values import Setup
    from companion.games.api.manifest import HoldingKind


class SetupQuestion(ListScreen):
    """A question of a setup: `title` is the heading, and `notes` are the question, its longest wording first.

    BACK leads one question back; with `is_over_screen` it leads to the screen below. `back_hint` says so.
    """

    setup: Setup
    is_over_screen: bool = False
    back_hint: str = text("back")

    @property
    def game_id(self) -> str:
        return self.setup.game

    def leave(self, session: Session) -> Session:
        return super().leave(session) if self.is_over_screen else ask_next(session, self.setup, -1)

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        return kinds.ok_and_back_hints("choose", self.back_hint)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return (*self.setup.names, *super().shown_names(session))


def ask_next(session: Session, setup: Setup, step: int = 1) -> Session:
    """Ask the question that is `step` further on in a setup; after the last one the round begins."""
    return session.replace_screen(QuestionDue(setup._replace(question_index=setup.question_index + step)))


def show_question(session: Session, *screens: Screen) -> Session:
    """Show a question over the menu in which its setup began, and further screens over the question."""
    return session._replace(screens=(session.screens[0], *screens))


def next_question_action(setup: Setup) -> Callable[[Session], Session]:
    """The action of an entry that leads to these choices: it asks the next question."""
    return partial(ask_next, setup=setup)


USUAL_CONTROL = TimeControl(600, 5)
EXTRA_MEANINGS = (text("added each move"), text("free each move"))
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
    on_done: Callable[[Session, str], Session]
    is_delay: bool = False
    cursor_index: int = 0
    typed_digits: str = ""
    value_before: int = 0

    @property
    def can_erase(self) -> bool:
        return bool(self.typed_digits)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self.on_done(session, self.written_control)
        if key == "*" and not self.typed_digits:
            return session.close_screen()
        return session.replace_screen(self._with_key(key))

    @property
    def written_control(self) -> str:
        """The setting in the written form of a round's header (see `companion.rounds.game_clock`)."""
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        each = [str(TimeControl(minutes * 60, extra, self.is_delay)) for minutes, extra in pairs]
        return each[0] if len(set(each)) == 1 else " ".join(each)

    def _with_key(self, key: str) -> ClockSetting:
        count = len(self.values) + 1
        if key in ("left", "right"):
            return self._replace(
                cursor_index=(self.cursor_index + (1 if key == "right" else -1)) % count, typed_digits=""
            )
        if self.cursor_index == count - 1:
            return self._replace(is_delay=not self.is_delay) if key in ("up", "down") else self
        if key in ("up", "down"):
            return self._with_value(self.values[self.cursor_index] + (1 if key == "up" else -1))
        keys = self.typed_digits[:-1] if key == "*" else self.typed_digits + key if key.isdigit() else self.typed_digits
        if len(keys) > len(str(self._max_value)):
            return self
        was = self.value_before if self.typed_digits else self.values[self.cursor_index]
        return self._with_value(int(keys) if keys else was, keys)._replace(value_before=was)

    @property
    def _max_value(self) -> int:
        return MAX_EXTRA_SECONDS if self.cursor_index % 2 else MAX_MINUTES

    def _with_value(self, value: int, keys: str = "") -> ClockSetting:
        """The setting with another value, moved into the possible range: minutes from 1, seconds from 0."""
        value = min(max(value, 1 - self.cursor_index % 2), self._max_value)
        return self._replace(
            values=(*self.values[: self.cursor_index], value, *self.values[self.cursor_index + 1 :]), typed_digits=keys
        )

    def content(self, session: Session) -> kinds.Content:
        pairs = zip(self.values[::2], self.values[1::2], strict=True)
        rows = zip(self.names, [((minutes, text("min")), (extra, text("s"))) for minutes, extra in pairs], strict=True)
        change, step = text("change"), text("next")
        hints = [KeyHint("ok", text("done")), KeyHint("back", text("erase" if self.typed_digits else "back"))]
        hints += [KeyHint("up", change), KeyHint("down", change), KeyHint("left", step), KeyHint("right", step)]
        hints += [KeyHint("digits")] if self.cursor_index < len(self.values) else []
        return kinds.Form(text("Clock"), EXTRA_MEANINGS[self.is_delay], tuple(rows), self.cursor_index, tuple(hints))


def clock_input(setup: Setup, on_done: Callable[[Session, str], Session]) -> ClockSetting:
    """The screen that sets the game clock, with the times chosen so far, else the usual ones."""
    seat_controls = parse_controls(setup.clock, setup.seat_count) or (USUAL_CONTROL,) * setup.seat_count
    values = [value for each in seat_controls for value in (max(1, each.base_seconds // 60), each.extra_seconds)]
    seats = tuple(text("seat {seat}", seat=seat) for seat in range(1, setup.seat_count + 1))
    names = setup.names if len(setup.names) == setup.seat_count else seats
    return ClockSetting(names, tuple(values), on_done, any(each.is_delay for each in seat_controls))


MATCH_GOALS = (0, 2, 3, 4, 5)
"""How many rounds somebody has to win, 0 for a single round."""
CLOCK_CHOICES = ("", "300", "600", "1500", "180+2", "300+5", "600+5", "900+10", "600d5")
"""The game clocks to choose from, in written form. The players can also set their own."""
LARGE_HOLDING_PIECES = 8
"""Holdings of more pieces are sealed unless the players choose otherwise, because typing them takes too long."""
PLAYER_COUNT_LABELS = {
    2: text("two players"),
    3: text("three players"),
    4: text("four players"),
    5: text("five players"),
    6: text("six players"),
    7: text("seven players"),
    8: text("eight players"),
}


def option_question(session: Session, setup: Setup, option_name: str) -> SetupQuestion:
    """The question about one of the game's options."""
    game = games.manifest_of(setup.game)
    asked, chosen = game.options[option_name], dict(setup.options)
    items = tuple(
        MenuItem(
            game.option_label(option_name, value),
            next_question_action(setup._replace(options=tuple((chosen | {option_name: value}).items()))),
            note,
        )
        for value, note in asked.values.items()
    )
    return SetupQuestion(
        game.name, (asked.question,), items, setup, cursor=list(asked.values).index(chosen[option_name])
    )


def seat_count_question(session: Session, setup: Setup) -> SetupQuestion:
    """The question how many play."""
    game = games.manifest_of(setup.game)
    items = tuple(
        MenuItem(
            PLAYER_COUNT_LABELS[number], next_question_action(_with_seat_count(setup, number)), position=number - 1
        )
        for number in game.players
    )
    return SetupQuestion(game.name, (text("how many play"),), items, setup, cursor=game.players.index(setup.seat_count))


def _with_seat_count(setup: Setup, number: int) -> Setup:
    if number == setup.seat_count:
        return setup
    return setup._replace(seat_count=number, names=setup.names[:number], open_holdings=(), sealed_holdings=())


def match_question(session: Session, setup: Setup, *, cursor_on_clock: bool = False) -> SetupQuestion:
    """The question how many wins decide the match. With `cursor_on_clock` the cursor is on the game clock."""
    goals = (
        MenuItem(
            match_goal_text(wins),
            next_question_action(setup._replace(goal=wins)),
            _match_length(wins, setup.seat_count),
        )
        for wins in MATCH_GOALS
    )
    items = (*goals, _clock_item(setup))
    cursor = MATCH_GOALS.index(setup.goal) if setup.goal in MATCH_GOALS else 0
    name = games.manifest_of(setup.game).name
    note = game_clock.settings_text(setup.clock, short=True) if setup.clock else text("rounds, clock")
    return SetupQuestion(name, (note,), items, setup, cursor=len(MATCH_GOALS) if cursor_on_clock else cursor)


def match_goal_text(wins: int) -> str:
    """What decides a match, 0 for a single round."""
    return text("{wins} wins", wins=wins) if wins else text("single round")


def _match_length(wins: int, players: int) -> str:
    """How many rounds a match can need, not counting drawn ones; "" for a single round."""
    if not wins:
        return ""
    most = players * (wins - 1) + 1
    return text("best of {rounds}", rounds=most) if players == 2 else text("up to {rounds}", rounds=most)


def _clock_item(setup: Setup) -> MenuItem:
    """The entry that leads to the game clocks, with the one chosen so far."""
    controls = game_clock.parse_controls(setup.clock, setup.seat_count)
    is_short = len(set(controls)) > 1 or any(each.extra_seconds for each in controls)
    note = game_clock.settings_text(setup.clock, short=True)
    return MenuItem(
        text("clock", "game clock") if is_short else text("game clock"), partial(open_clocks, setup=setup), note
    )


def open_clocks(session: Session, setup: Setup) -> Session:
    """Open the list of game clocks, the cursor on the one chosen so far."""
    items = (
        *(
            MenuItem(game_clock.settings_text(control), partial(_choose_clock, setup=setup, control=control))
            for control in CLOCK_CHOICES
        ),
        MenuItem(text("own times"), partial(_open_clock_input, setup=setup), _own_clock_name(setup)),
    )
    cursor = CLOCK_CHOICES.index(setup.clock) if setup.clock in CLOCK_CHOICES else len(CLOCK_CHOICES)
    clocks = SetupQuestion(
        text("Game clock"), (text("each player has"),), items, setup, is_over_screen=True, cursor=cursor
    )
    return show_question(session, match_question(session, setup, cursor_on_clock=True), clocks)


def _own_clock_name(setup: Setup) -> str:
    """The game clock in words if it isn't in the list and is the same for all; else ""."""
    is_same_for_all = len(set(game_clock.parse_controls(setup.clock, setup.seat_count))) == 1
    return game_clock.settings_text(setup.clock) if is_same_for_all and setup.clock not in CLOCK_CHOICES else ""


def _choose_clock(session: Session, control: str, *, setup: Setup) -> Session:
    """Take a game clock, and ask for the number of wins again."""
    return show_question(session, match_question(session, setup._replace(clock=control)))


def _open_clock_input(session: Session, setup: Setup) -> Session:
    return open_clocks(session, setup).open_screens(clock_input(setup, partial(_choose_clock, setup=setup)))


def holdings_with_seats(setup: Setup) -> list[tuple[HoldingKind, int]]:
    """The holdings of a round, each with its seat."""
    return [(kind, seat) for seat in range(1, setup.seat_count + 1) for kind in games.manifest_of(setup.game).holdings]


def is_computer_seat(setup: Setup, seat: int) -> bool:
    """Whether the computer plays a seat, as far as the names are chosen yet."""
    return seat <= len(setup.names) and bool(computer_strength(setup.names[seat - 1]))


def holding_question(session: Session, setup: Setup, kind: HoldingKind, seat: int) -> SetupQuestion:
    """The question whether a holding is open to the referee."""
    holding_words = games.manifest_of(setup.game).holdings[kind]
    size = games.load_rules(setup.game).holding_size(kind, setup.seat_count, dict(setup.options))
    items = (
        MenuItem(
            text("not named") if holding_words.is_face_up else text("secret"),
            next_question_action(_with_holding(setup, (kind, seat), is_open=False)),
            icon="sealed",
            explanation=text("I only count"),
        ),
        MenuItem(
            text("open", "hand"),
            next_question_action(_with_holding(setup, (kind, seat), is_open=True)),
            icon="open",
            explanation=text("You name it, I help"),
        ),
    )
    cursor = int(is_holding_open_by_default(setup, kind, seat))
    whose = text("{who}'s {noun}", who=setup.names[seat - 1], noun=holding_words.noun)
    notes = text("{count} {pieces}", count=size, pieces=holding_words.pieces), str(size)
    return SetupQuestion(whose, notes, items, setup, cursor=cursor)


def is_holding_open_by_default(setup: Setup, kind: HoldingKind, seat: int) -> bool:
    """Whether a holding is open to the referee unless the players choose otherwise."""
    size = games.load_rules(setup.game).holding_size(kind, setup.seat_count, dict(setup.options))
    is_usual = games.manifest_of(setup.game).holdings[kind].is_face_up and size <= LARGE_HOLDING_PIECES
    return (kind, seat) in setup.open_holdings or (is_usual and (kind, seat) not in setup.sealed_holdings)


def _with_holding(setup: Setup, holding: tuple[HoldingKind, int], *, is_open: bool) -> Setup:
    others = [tuple(each for each in held if each != holding) for held in (setup.open_holdings, setup.sealed_holdings)]
    return setup._replace(
        open_holdings=(*others[0], holding) if is_open else others[0],
        sealed_holdings=others[1] if is_open else (*others[1], holding),
    )
