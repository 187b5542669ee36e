"""Names of players: spelled with few keys, and changed at the box or on the host's phone, renamed or merged.

A name is spelled from a grid of letters, by multi-tap, or with the letters of a keyboard. A changed name changes every
stored round, which takes a moment: the session requests it of the store, and its result is an input.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyMeaning
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens import alphabet
from companion.evening.screens.alphabet import cased, is_capital
from companion.evening.screens.lists import Item, ListScreen, MenuScreen, Reply
from companion.evening.screens.messages import Ask
from companion.inputs import NameRequest
from companion.languages import text
from companion.rounds.player_names import LONGEST_NAME, alike, fit, normal_name, undrawn, unfit
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.evening.model import Session
    from companion.rounds.stored import StoredHistory


NO_COMMA = text("A name can't have\na comma")
NOT_DRAWN = text("The panel can't\nshow that letter")
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
        meanings = [KeyMeaning("ok", text("add") if grid else text("done"))] if grid or self.text.strip() else []
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


MOST_FAVOURITES = 20
FULL = text("There are already {most} favourites.", most=MOST_FAVOURITES)
FIRST = text("first")
"""What stands beside a name that is offered first."""


def set_favourite(session: Session, name: str, *, first: bool) -> Session:
    """Add a name to the favourites or remove it, which is stored; nothing changes if it is so already."""
    before = session.past.favourites
    if (name in before) is first:
        return session
    after = (*before, name) if first else tuple(each for each in before if each != name)
    line = LogEntry(0, "favour" if first else "unfavour", text=name)
    return session._replace(past=session.past._replace(favourites=after)).keep(line)


def take_change(session: Session, past: StoredHistory, request: NameRequest) -> Session:
    """Take over what the store has changed of a name; `past` is what it knows since.

    Names under which nobody has played yet are known to the session alone.
    """
    known = session.past
    people = (request.new if name == request.old else name for name in known.names)
    past = past._replace(
        seen=known.seen,
        next_round=max(past.next_round, known.next_round),
        names=tuple(dict.fromkeys((*past.names, *people))),
    )
    names = dict.fromkeys(request.new if name == request.old else name for name in session.phones.players)
    paired = tuple((_phone(session, name, request), name) for name in names)
    after = session._replace(past=past, previous=None, left=(), phones=session.phones._replace(paired=paired))
    if request.old in past.favourites:
        after = set_favourite(set_favourite(after, request.old, first=False), request.new, first=True)
    return after


def _phone(session: Session, name: str, request: NameRequest) -> str:
    """The phone of a player after a change of names; of two players who are one now, that of the name that stays."""
    phones = {whose: phone for phone, whose in session.phones.paired}
    return phones[name] if name in phones else phones[request.old]


# -- at the box -------------------------------------------------------------------------------------------------


def open_names(session: Session) -> Session:
    """Show everybody whom the box knows, favourites first."""
    return _open_list(session)


def _open_list(session: Session, name: str = "", notes: tuple[str, ...] = ()) -> Session:
    """Show the names, the cursor on `name`; `notes` tell what has been done."""
    first = session.past.favourites
    known = list(dict.fromkeys((*first, *session.past.names, *session.settings.names)))
    if not known:
        nobody = text("Nobody has played yet. Names are entered when a game begins.")
        return session.open(Reply((text("Names"), nobody)))
    items = (
        Item(each, partial(_open_name, name=each), FIRST if each in first else "", names=(each,)) for each in known
    )
    cursor = known.index(name) if name in known else 0
    return session.open(ListScreen(text("Names"), notes, tuple(items), cursor=cursor))


def _open_name(session: Session, name: str) -> Session:
    """Show what can be done with a name."""
    return session.open(NameMenu(name))


class NameMenu(MenuScreen):
    """What can be done with a name, over the list of names."""

    name: str

    def items(self, session: Session) -> tuple[Item, ...]:
        """Offer it first or no longer, rename it, or say who is the same."""
        first = self.name in session.past.favourites
        full = FULL if not first and len(session.past.favourites) >= MOST_FAVOURITES else ""
        others = any(each != self.name for each in session.past.names)
        unknown = "" if self.name in session.past.names else text("{who} has not played yet.", who=self.name)
        return (
            Item(
                text("First in lists: yes") if first else text("First in lists: no"),
                partial(set_favourite, name=self.name, first=not first),
                why=full,
            ),
            Item(text("Rename"), self._spell, why=unknown),
            Item(text("Merge with another"), self._ask_same, why="" if others else text("Nobody else has played.")),
        )

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        """The name."""
        return self.name, ()

    def close(self, session: Session) -> Session:
        """Show the list of names."""
        return _open_list(session.close().close(), self.name)

    def _spell(self, session: Session) -> Session:
        """Have the name spelled anew."""
        return session.open(Spelling(text("Rename"), self.name, self._rename, self.name))

    def _rename(self, session: Session, new: str) -> Session:
        """Ask the store for the new name, unless it is the old one; first whether another player is meant by it."""
        menu = self._replace(cursor=1)
        if new == self.name:
            return session.close_to(NameMenu)
        if new in session.past.names:
            return self._ask_merge(session, new)
        others = [each for each in session.past.names if each != self.name]
        return ask_if_alike(session, new, others, menu._ask_merge, partial(menu.ask_store, new=new, merged=False))

    def _ask_same(self, session: Session) -> Session:
        """Show the players with whom this one can be merged: all who have played."""
        others = (each for each in session.past.names if each != self.name)
        items = tuple(Item(each, partial(self._ask_merge, other=each), names=(each,)) for each in others)
        return session.open(ListScreen(self.name, (text("is the same as"),), items))

    def _ask_merge(self, session: Session, other: str) -> Session:
        """Ask whether this player and another are one."""
        does = partial(self._replace(cursor=2).ask_store, new=other, merged=True)
        said = text("{old} becomes {new}.", old=self.name, new=other)
        return session.open(Ask(does, text("One player?"), (said,), names=(self.name, other)))

    def ask_store(self, session: Session, new: str, *, merged: bool) -> Session:
        """Ask the store for the new name; until it has it this menu stands there."""
        menu = session.close_to(NameMenu).show(self)
        if not fit(new):
            return menu.open(Reply((text("Rename"), unfit(new))))
        return menu.request(NameRequest(self.name, new, merged))


def tell_renamed(session: Session, request: NameRequest, why: str, past: StoredHistory | None) -> Session:
    """Show what the store says: a page with `why` it refused, or for "" the list with the new name."""
    if not why and past is not None:
        while isinstance(session.screen, NameMenu | ListScreen) and not session.at_base:
            session = session.close()
        notes = (text("{old} → {new}", old=request.old, new=request.new), text("it is done"))
        return _open_list(take_change(session, past, request), request.new, notes)
    said = text("Merge with another") if request.merged else text("Rename")
    return session.open(Reply((said, why)))
