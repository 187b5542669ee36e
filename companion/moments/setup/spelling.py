"""Spelling a name with few keys: from a grid of letters, by multi-tap, or with the letters of a keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.contents.kinds import KeyMeaning
from companion.languages import text
from companion.moments.lists import Item, ListScreen
from companion.moments.setup import alphabet
from companion.moments.setup.alphabet import cased, is_capital
from companion.rounds.player_names import LONGEST_NAME, alike, fit, normal_name, undrawn, unfit
from companion.session import double_taps
from companion.session.screen_kinds import InputScreen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.session.model import Session


NO_COMMA = text("A name has no\ncomma")
NOT_DRAWN = text("The panel cannot\ndraw that letter")
TAP_SECONDS = 1.2
"""How long the next tap of a digit changes the letter."""
HOME = (0, 0)
"""Where the grid's cursor starts anew for each letter, so that a letter is always reached by the same presses."""


class Tap(NamedTuple):
    """The last multi-tap: its digit ("" for none), its monotonic time, and the name before the letter it changes."""

    digit: str = ""
    at: float = 0.0
    before: str = ""


NO_TAP = Tap()


class Spelling(InputScreen):
    """A name, letter by letter, for `done`.

    `cursor` is the row and column in the grid, which has digits and `signs` in place of letters. `picks` is whether the
    last key was an arrow: then the grid is shown, and OK picks; None before the first key.
    """

    title: str
    whose: str
    done: Callable[[Session, str], Session]
    text: str = ""
    tap: Tap = NO_TAP
    cursor: tuple[int, int] = HOME
    signs: bool = False
    picks: bool | None = None

    letters = "text"

    @property
    def erases(self) -> bool:
        """Whether a letter is there."""
        return bool(self.text)

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK picks or is done, BACK erases or leaves; held on until nothing is left it does not leave."""
        if why := self._untaken(key):
            return session._replace(banner=why)
        if key == "*" and not self.text:
            if double_taps.just_erased(session):
                return double_taps.wait_after_erasing(session)
            return session.close()
        if key == "#" and (not self._is_grid(session) or self.cursor == (len(self.rows) - 1, alphabet.DONE)):
            return self.done(session, " ".join(self.text.split())) if self.text.strip() else session
        opens = key in ("up", "down", "left", "right") and not self._is_grid(session)
        if opens and not (key == "right" and self._taps(session.clock)):
            return session.show(self._replace(cursor=HOME, tap=NO_TAP, picks=True))
        after = self._picked() if key == "#" else self.after_key(key, session.clock)
        full = len(self.text) >= LONGEST_NAME and after == self
        if full:
            session = session._replace(banner=text("{most} letters at most", most=LONGEST_NAME))
        shorter = len(after.text) < len(self.text)
        return double_taps.mark_erased(session.show(after)) if shorter else session.show(after)

    def take_words(self, session: Session, words: str) -> tuple[Session, str]:
        """A name."""
        return (self.done(session, words), "") if fit(words) else (session, unfit(words))

    def _untaken(self, key: str) -> str:
        """Why a character of a keyboard cannot be added to the name; "" for what can, and for all other keys."""
        if key == ",":
            return NO_COMMA
        return "" if len(key) > 1 or not undrawn(normal_name(self.text + key, typing=True)[-1:]) else NOT_DRAWN

    def after_key(self, key: str, now: float) -> Spelling:
        """The name after any key but OK: BACK erases, arrows move the cursor, digits are multi-tap.

        Right while taps change a letter goes on to the next one. A letter is itself: all that the panel can draw, on
        the keyboard of a terminal.
        """
        if key == "*":
            shorter = self._replace(text=self.text[:-1], tap=NO_TAP)
            row, cell = self.cursor
            return shorter if shorter.rows[row][cell] else shorter._replace(cursor=HOME)  # What it was on may be gone.
        tapping = self._taps(now)
        if key == "right" and tapping:
            return self._replace(tap=NO_TAP)
        if len(key) > 1:
            cursor = alphabet.walked(self.rows, self.cursor, key)
            return self._replace(cursor=cursor, tap=NO_TAP, picks=True)
        if self._shows_digits and key.isdigit():
            return self._added(key)
        typing = self._replace(picks=False, cursor=HOME)
        if key not in alphabet.TAPS:
            return typing._added(self._typed(key))
        goes_on = tapping and key == self.tap.digit
        before = self.tap.before if goes_on else self.text
        letters = alphabet.taps(key, capital=is_capital(before))
        # A second space is no letter of a name: that tap has added nothing, and stands for the first of its letters.
        place = letters.find(self.text[len(before) :]) + 1 if goes_on else 0
        return typing._replace(text=before)._added(letters[place % len(letters)], Tap(key, now, before))

    def _taps(self, now: float) -> bool:
        """Whether the next tap of a digit would change the letter."""
        return bool(self.tap.digit) and now - self.tap.at < TAP_SECONDS

    def _typed(self, letter: str) -> str:
        """A letter of a keyboard as it stands in the name: a capital begins a word, an accent inside stays as it is."""
        capital = is_capital(self.text)
        return cased(letter, capital=capital) if capital or letter.isascii() else letter

    def _added(self, letter: str, tap: Tap = NO_TAP) -> Spelling:
        """The name with a letter more, if there is room."""
        after = normal_name(self.text + letter, typing=True)
        if len(after) > LONGEST_NAME:
            return self
        return self._replace(text=after, tap=tap)

    def _picked(self) -> Spelling:
        """The name after OK on a cell of the grid, but for the one that is done."""
        row, cell = self.cursor
        if row < len(self.rows) - 1:
            after = self._added(self.rows[row][cell])
            return self if after == self else after._replace(cursor=HOME)
        if cell == alphabet.ACCENT:
            return self._replace(text=self.text[:-1] + self.rows[row][cell])
        return self._replace(signs=not self.signs, cursor=HOME)

    @property
    def _shows_digits(self) -> bool:
        """Whether digits are in sight, so that a digit's key means itself."""
        return self.signs and bool(self.picks)

    # -- the grid -----------------------------------------------------------------------------------------------

    def _is_grid(self, session: Session) -> bool:
        """Whether letters are picked, not typed."""
        return session.buttons if self.picks is None else self.picks

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells of the grid: letters as they would stand in the name, then what else OK does, "" for not."""
        capital = is_capital(self.text)
        page = alphabet.SIGNS if self.signs else alphabet.LETTERS
        letters = (tuple(cased(letter, capital=capital) for letter in row) for row in page)
        done = text("done") if self.text.strip() else ""
        return *letters, (done, alphabet.next_accent(self.text[-1:]), text("abc") if self.signs else text("123"))

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        """The name so far, and the letters to pick from or the taps that make them."""
        grid = self._is_grid(session)
        meanings = [KeyMeaning("ok", text("take") if grid else text("done"))] if grid or self.text.strip() else []
        meanings.append(KeyMeaning("back", text("erase") if self.text else text("back")))
        # On a keyboard the letters of a keypad's arrows are letters.
        board = text("arrows: letters") if session.settings.terminal else text("A-D: letters")
        rows = self.rows if grid else ()
        return kinds.Letters(self.title, self.whose, self.text, rows, *self.cursor, tuple(meanings), board)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players among whom the name will be."""
        return () if session.at_base else session.screens[-2].shown_names(session)


def ask_if_alike(
    session: Session,
    name: str,
    known: Iterable[str],
    one: Callable[[Session, str], Session],
    two: Callable[[Session], Session],
) -> Session:
    """Ask whether a name is meant for one of the `known` ones that is alike: then `one` goes on with that, else `two`.

    BACK leads to the screen below, where the name can be changed.
    """
    other = alike(name, known, accents=False)
    if not other:
        return two(session)
    items = (
        Item(text("yes, {who}", who=other), lambda after: one(after, other), names=(other,)),
        Item(text("no, {who} is new", who=name), two, names=(name,)),
    )
    asked = text("Are you {who}?", who=other)
    return session.open(ListScreen(asked, (), items))
