"""The questions before a score pad: its title, the number of players, who wins, and when it is over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens.lists import MenuItem
from companion.evening.screens.messages import ask_to_ignore_misfit_keys
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.setup.questions import (
    PLAYER_COUNT_LABELS,
    SetupQuestion,
    ask_next,
    next_question_action,
    show_question,
)
from companion.evening.screens.setup.seats import seats_screen
from companion.evening.session_values import Setup
from companion.games.score_pad import pad
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Screen, Session
    from companion.rounds.stored import StoredHistory

ENDINGS = (("", text("when we say so")), ("target", text("at a score")), ("turns", text("at a turn limit")))
USUAL_LIMITS = {"target": 100, "turns": 10}
MAX_LIMITS = {"target": pad.MAX_POINTS, "turns": pad.MAX_TURNS}
LIMIT_QUESTIONS = {"target": text("points to reach"), "turns": text("turns each")}
WINNERS = {"highest": text("the most points"), "lowest": text("the fewest points")}


def new_setup() -> Setup:
    """The setup of a pad before the first question, with the default of each."""
    return Setup(pad.PAD_ID, pad.Pad(2).stored_options)


def pad_questions(setup: Setup) -> list[Callable[[Session, Setup], Screen]]:
    """The questions in their order, as functions that make a screen."""
    return [
        _title_question,
        _seat_count_question,
        _winner_question,
        _ending_question,
        *([_limit_input] if _ending(setup) else []),
        seats_screen,
    ]


def _title_question(session: Session, setup: Setup) -> SetupQuestion:
    """Which game it is: one that was played before, whose other options are then as they were, or another one."""
    history = session.history
    items = [
        MenuItem(each, partial(_skip_to_seats, setup=setup_as_before(history, setup, each)))
        for each in known_titles(history)
        if each != pad.DEFAULT_TITLE
    ]
    items.append(MenuItem(text("any game"), next_question_action(_with_options(setup, title=pad.DEFAULT_TITLE))))
    items.append(MenuItem(text("a new game"), partial(_open_title_input, setup=setup)))
    return SetupQuestion(pad.PAD_NAME, (text("which game"),), tuple(items), setup)


def known_titles(history: StoredHistory) -> list[str]:
    """The titles of the pads so far, the newest first."""
    return list(dict.fromkeys(dict(options)["title"] for options, _ in history.recent_pads))


def setup_as_before(history: StoredHistory, setup: Setup, title: str) -> Setup:
    """The setup of the last pad with that title: its options, its number of players, and their names."""
    options, names = next(each for each in history.recent_pads if dict(each[0])["title"] == title)
    return setup._replace(options=options, seat_count=len(names), names=names)


def _skip_to_seats(session: Session, setup: Setup) -> Session:
    """Skip to the last question, which is who sits where."""
    return ask_next(session, setup, len(pad_questions(setup)) - 1 - setup.question_index)


def _open_title_input(session: Session, setup: Setup) -> Session:
    done = partial(_take_title, setup=setup)
    return show_question(
        session, _title_question(session, setup), SpellingScreen(text("Which game?"), text("its name"), done)
    )


def _take_title(session: Session, title: str, *, setup: Setup) -> Session:
    return ask_next(session, _with_options(setup, title=title))


def _seat_count_question(session: Session, setup: Setup) -> SetupQuestion:
    items = tuple(
        MenuItem(
            PLAYER_COUNT_LABELS[count],
            next_question_action(setup._replace(seat_count=count, names=setup.names[:count])),
            position=count - 1,
        )
        for count in pad.PLAYER_COUNTS
    )
    return SetupQuestion(
        _pad_title(setup), (text("how many play"),), items, setup, cursor=pad.PLAYER_COUNTS.index(setup.seat_count)
    )


def _winner_question(session: Session, setup: Setup) -> SetupQuestion:
    items = tuple(
        MenuItem(words, next_question_action(_with_options(setup, wins=way))) for way, words in WINNERS.items()
    )
    cursor = list(WINNERS).index(dict(setup.options)["wins"])
    return SetupQuestion(_pad_title(setup), (text("who wins"),), items, setup, cursor=cursor)


def _ending_question(session: Session, setup: Setup) -> SetupQuestion:
    items = tuple(MenuItem(words, next_question_action(_with_ending(setup, end))) for end, words in ENDINGS)
    cursor = [end for end, _ in ENDINGS].index(_ending(setup))
    return SetupQuestion(_pad_title(setup), (text("when does it end"),), items, setup, cursor=cursor)


def _with_ending(setup: Setup, end: str) -> Setup:
    """The setup with another way to end the game. A target or number of turns that was set before is kept."""
    limits = {name: str(usual) if name == end else "0" for name, usual in USUAL_LIMITS.items()}
    if end and end == _ending(setup):
        limits[end] = dict(setup.options)[end]
    return _with_options(setup, **limits)


def _limit_input(session: Session, setup: Setup) -> Figure:
    return Figure(setup, int(dict(setup.options)[_ending(setup)]))


class Figure(InputScreen):
    """A number to set: the score pad's target, or its number of turns.

    Digits, or up and down; for a target these count by tens, and left and right by one. OK is done, BACK erases or goes
    back. `typed_digits` are the digits typed so far; without any, the number is `value`. `excess_digits` are the digits
    that were too many.
    """

    setup: Setup
    value: int
    typed_digits: str = ""
    excess_digits: str = ""

    @property
    def can_erase(self) -> bool:
        return bool(self.typed_digits)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return self._finish(session)
        if key == "*" and not self.typed_digits:
            return ask_next(session, self._setup_with_limit(self.value), -1)
        return session.replace_screen(self._with_key(key))

    def _finish(self, session: Session) -> Session:
        """Take the number. After digits that were too many, the players have to confirm it first."""
        number = int(self.typed_digits or self.value)
        if not self.excess_digits:
            return ask_next(session, self._setup_with_limit(number))
        on_agreed = self._replace(excess_digits="")._finish
        return ask_to_ignore_misfit_keys(session, self.excess_digits, text("Enter {points}?", points=number), on_agreed)

    def take_text(self, session: Session, words: str) -> tuple[Session, str]:
        if not (words.isascii() and words.isdigit() and len(words) < 10):
            return session, text("Enter a number.")
        for key in (*words, "#"):
            if isinstance(session.screen, Figure):
                session = session.screen.press(session, key)
        return session, ""

    def _setup_with_limit(self, number: int) -> Setup:
        """The setup with this number, moved into the possible range."""
        which = _ending(self.setup)
        return _with_options(self.setup, **{which: str(min(max(number, 1), MAX_LIMITS[which]))})

    def _with_key(self, key: str) -> Figure:
        which = _ending(self.setup)
        if key == "*":
            return self._replace(typed_digits=self.typed_digits[:-1])
        if key in ("up", "down", "left", "right"):
            step, value = (1 if key in ("up", "right") else -1), int(self.typed_digits or self.value)
            new_value = pad.next_number(value, step, tens=which == "target" and key in ("up", "down"))
            return self._replace(typed_digits="", value=min(max(new_value, 1), MAX_LIMITS[which]), excess_digits="")
        if key.isdigit() and (key != "0" or self.typed_digits) and int(self.typed_digits + key) <= MAX_LIMITS[which]:
            return self._replace(typed_digits=self.typed_digits + key)
        return self._replace(excess_digits=self.excess_digits + key) if self.typed_digits and key.isdigit() else self

    def content(self, session: Session) -> kinds.Content:
        which = _ending(self.setup)
        limit = text("max {most}", most=MAX_LIMITS[which]) if self.excess_digits else ""
        hints = [
            KeyHint("ok", text("done")),
            KeyHint("back", text("erase" if self.typed_digits else "back")),
            KeyHint("digits"),
        ]
        changes = text("by 10") if which == "target" else text("change")
        hints += [KeyHint("up", changes), KeyHint("down", changes)]
        if which == "target":
            hints += [KeyHint("left", text("by 1")), KeyHint("right", text("by 1"))]
        number = self.typed_digits or str(self.value)
        return kinds.Amount(
            _pad_title(self.setup), LIMIT_QUESTIONS[which], number, bool(self.typed_digits), limit, tuple(hints)
        )

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.setup.names


def _pad_title(setup: Setup) -> str:
    return dict(setup.options)["title"]


def _ending(setup: Setup) -> str:
    """What ends the game: ``target``, ``turns``, or "" where the players decide."""
    options = dict(setup.options)
    return next((name for name in USUAL_LIMITS if options[name] != "0"), "")


def _with_options(setup: Setup, **changed: str) -> Setup:
    return setup._replace(options=tuple((name, changed.get(name, value)) for name, value in setup.options))
