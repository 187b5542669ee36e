"""Names of players: how they are spelled with few keys, and how they are changed at the box.

A name is picked from a grid of letters, typed by taps of digits, or typed on a keyboard. Renaming a player changes
every saved round. That takes a moment, so the session asks the store, and the result arrives as an input.
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
from companion.inputs import NameChangeRequest
from companion.languages import text
from companion.rounds.player_names import MAX_NAME_LETTERS, similar_name, is_valid_name, normalize_name, undrawable_letters, invalid_name_reason
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.evening.model import Session
    from companion.rounds.stored import StoredHistory


NO_COMMA = text("A name can't have\na comma")
NOT_DRAWN = text("The panel can't\nshow that letter")
"""The banner for a letter that no font of the panel has."""
TAP_SECONDS = 1.2
"""Seconds after a tap in which another tap of the same digit changes the letter."""
HOME = (0, 0)
"""The grid's first cell, where the cursor starts for each letter, so that a letter always takes the same presses."""


class Tap(NamedTuple):
    """The last tap: its digit ("" for none), its monotonic time, and the name without the letter that it changes."""

    digit: str = ""
    at: float = 0.0
    before: str = ""


NO_TAP = Tap()


class Spelling(InputScreen):
    """A name, letter by letter. OK in the end calls `on_done` with it.

    An arrow opens the grid, in which OK picks a letter; digits are taps; a keyboard's letters are letters. BACK erases,
    or leaves when nothing is left; held down, it only erases.

    Attributes:
        title: the heading.
        owner_label: for what the name is, such as a seat.
        on_done: makes the session after OK.
        name_text: the name so far.
        last_tap: the last tap of a digit.
        cursor: the row and column in the grid.
        shows_signs: the grid shows digits and signs instead of letters.
        is_picking: whether the last key was an arrow, so that the grid is shown and OK picks; None before the first
            key.
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
        return bool(self.text)

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
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
        full = len(self.text) >= MAX_NAME_LETTERS and after == self
        if full:
            session = session._replace(banner=text("{most} letters at most", most=MAX_NAME_LETTERS))
        shorter = len(after.text) < len(self.text)
        return double_taps.mark_erased(session.show(after)) if shorter else session.show(after)

    def take_words(self, session: Session, words: str) -> tuple[Session, str]:
        return (self.done(session, words), "") if is_valid_name(words) else (session, invalid_name_reason(words))

    def _untaken(self, key: str) -> str:
        """Why a character of a keyboard can't be part of the name; "" for one that can, and for all other keys."""
        if key == ",":
            return NO_COMMA
        return "" if len(key) > 1 or not undrawable_letters(normalize_name(self.text + key, is_typing=True)[-1:]) else NOT_DRAWN

    def after_key(self, key: str, now: float) -> Spelling:
        """The input after any key but OK.

        BACK erases, arrows move the cursor, digits are taps. Right during taps goes on to the next letter. Any other
        character, from a keyboard, is itself.
        """
        if key == "*":
            shorter = self._replace(text=self.text[:-1], tap=NO_TAP)
            row, cell = self.cursor
            # The accent under the cursor may be gone.
            return shorter if shorter.rows[row][cell] else shorter._replace(cursor=HOME)
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
        # A name has no two spaces in a row. If the tap added nothing for that reason, it counts as the digit's first
        # letter.
        place = letters.find(self.text[len(before) :]) + 1 if goes_on else 0
        return typing._replace(text=before)._added(letters[place % len(letters)], Tap(key, now, before))

    def _taps(self, now: float) -> bool:
        """Whether the next tap of the same digit would change the letter."""
        return bool(self.tap.digit) and now - self.tap.at < TAP_SECONDS

    def _typed(self, letter: str) -> str:
        """A keyboard's letter as the name has it: a capital begins a word, an accent inside a word stays as it is."""
        capital = is_capital(self.text)
        return cased(letter, capital=capital) if capital or letter.isascii() else letter

    def _added(self, letter: str, tap: Tap = NO_TAP) -> Spelling:
        """The input with one more letter, if there is room for it."""
        after = normalize_name(self.text + letter, is_typing=True)
        if len(after) > MAX_NAME_LETTERS:
            return self
        return self._replace(text=after, tap=tap)

    def _picked(self) -> Spelling:
        """The input after OK on a cell of the grid, but not on "done"."""
        row, cell = self.cursor
        if row < len(self.rows) - 1:
            after = self._added(self.rows[row][cell])
            return self if after == self else after._replace(cursor=HOME)
        if cell == alphabet.ACCENT:
            return self._replace(text=self.text[:-1] + self.rows[row][cell])
        return self._replace(signs=not self.signs, cursor=HOME)

    @property
    def _shows_digits(self) -> bool:
        """Whether the grid shows digits, so that a digit's key stands for itself."""
        return self.signs and bool(self.picks)

    # -- the grid -----------------------------------------------------------------------------------------------

    def _is_grid(self, session: Session) -> bool:
        return session.buttons if self.picks is None else self.picks

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cells of the grid: letters in the case in which they would be added, then what else OK does, or ""."""
        capital = is_capital(self.text)
        page = alphabet.SIGNS if self.signs else alphabet.LETTERS
        letters = (tuple(cased(letter, capital=capital) for letter in row) for row in page)
        done = text("done") if self.text.strip() else ""
        return *letters, (done, alphabet.next_accent(self.text[-1:]), text("abc") if self.signs else text("123"))

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        grid = self._is_grid(session)
        meanings = [KeyMeaning("ok", text("add") if grid else text("done"))] if grid or self.text.strip() else []
        meanings.append(KeyMeaning("back", text("erase") if self.text else text("back")))
        # On a keyboard A to D are letters, so they can't open the grid.
        board = text("arrows: letters") if session.settings.is_terminal else text("A-D: letters")
        rows = self.rows if grid else ()
        return kinds.Letters(self.title, self.whose, self.text, rows, *self.cursor, tuple(meanings), board)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        # The new name will be shown among the names of the screen below.
        return () if session.at_base else session.screens[-2].shown_names(session)


def ask_if_alike(
    session: Session,
    name: str,
    known: Iterable[str],
    one: Callable[[Session, str], Session],
    two: Callable[[Session], Session],
) -> Session:
    """Ask whether a new name is meant to be a similar known one.

    If so, `on_same` makes the session with the known name; if not, or if no name is similar, `on_new` does. BACK leads
    to the screen below, where the name can be changed.
    """
    other = similar_name(name, known, heed_accents=False)
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
"""The note beside a favourite in lists."""


def set_favourite(session: Session, name: str, *, first: bool) -> Session:
    """Add a name to the favourites or remove it, and save that. Nothing changes if it is so already."""
    before = session.past.favourites
    if (name in before) is first:
        return session
    after = (*before, name) if first else tuple(each for each in before if each != name)
    line = LogEntry(0, "favour" if first else "unfavour", text=name)
    return session._replace(past=session.past._replace(favourites=after)).keep(line)


def take_change(session: Session, past: StoredHistory, request: NameChangeRequest) -> Session:
    """Take over a changed name; `new_history` is the store's history since then.

    Names under which nobody has played yet are known to the session alone, so they are kept.
    """
    known = session.past
    people = (request.new if name == request.old else name for name in known.player_names)
    past = past._replace(
        seen_games=known.seen_games,
        next_round=max(past.next_round, known.next_round),
        player_names=tuple(dict.fromkeys((*past.player_names, *people))),
    )
    names = dict.fromkeys(request.new if name == request.old else name for name in session.phones.players)
    paired = tuple((_phone(session, name, request), name) for name in names)
    after = session._replace(past=past, previous=None, left=(), phones=session.phones._replace(paired=paired))
    if request.old in past.favourites:
        after = set_favourite(set_favourite(after, request.old, first=False), request.new, first=True)
    return after


def _phone(session: Session, name: str, request: NameChangeRequest) -> str:
    """A player's phone after a change of names. Of two players who became one, it is that of the name that stays."""
    phones = {whose: phone for phone, whose in session.phones.paired}
    return phones[name] if name in phones else phones[request.old]


# -- at the box -------------------------------------------------------------------------------------------------


def open_names(session: Session) -> Session:
    """Open the list of everybody whom the box knows, the favourites first."""
    return _open_list(session)


def _open_list(session: Session, name: str = "", notes: tuple[str, ...] = ()) -> Session:
    """Open the list with the cursor on `name`; `notes` say what has just been done."""
    first = session.past.favourites
    known = list(dict.fromkeys((*first, *session.past.player_names, *session.settings.player_names)))
    if not known:
        nobody = text("Nobody has played yet. Names are entered when a game begins.")
        return session.open(Reply((text("Names"), nobody)))
    items = (
        Item(each, partial(_open_name, name=each), FIRST if each in first else "", names=(each,)) for each in known
    )
    cursor = known.index(name) if name in known else 0
    return session.open(ListScreen(text("Names"), notes, tuple(items), cursor=cursor))


def _open_name(session: Session, name: str) -> Session:
    return session.open(NameMenu(name))


class NameMenu(MenuScreen):
    """What can be done with a name: make it a favourite, rename it, or merge it with another player."""

    name: str

    def items(self, session: Session) -> tuple[Item, ...]:
        first = self.name in session.past.favourites
        full = FULL if not first and len(session.past.favourites) >= MOST_FAVOURITES else ""
        others = any(each != self.name for each in session.past.player_names)
        unknown = "" if self.name in session.past.player_names else text("{who} has not played yet.", who=self.name)
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
        return self.name, ()

    def close(self, session: Session) -> Session:
        return _open_list(session.close().close(), self.name)

    def _spell(self, session: Session) -> Session:
        return session.open(Spelling(text("Rename"), self.name, self._rename, self.name))

    def _rename(self, session: Session, new: str) -> Session:
        """Ask the store for the new name, unless it is the old one. A name like another player's is checked first."""
        menu = self._replace(cursor=1)
        if new == self.name:
            return session.close_to(NameMenu)
        if new in session.past.player_names:
            return self._ask_merge(session, new)
        others = [each for each in session.past.player_names if each != self.name]
        return ask_if_alike(session, new, others, menu._ask_merge, partial(menu.ask_store, new=new, merged=False))

    def _ask_same(self, session: Session) -> Session:
        """Open the list of players with whom this one can be merged, which are all who have played."""
        others = (each for each in session.past.player_names if each != self.name)
        items = tuple(Item(each, partial(self._ask_merge, other=each), names=(each,)) for each in others)
        return session.open(ListScreen(self.name, (text("is the same as"),), items))

    def _ask_merge(self, session: Session, other: str) -> Session:
        does = partial(self._replace(cursor=2).ask_store, new=other, merged=True)
        said = text("{old} becomes {new}.", old=self.name, new=other)
        return session.open(Ask(does, text("One player?"), (said,), names=(self.name, other)))

    def ask_store(self, session: Session, new: str, *, merged: bool) -> Session:
        """Ask the store for the new name. This menu stays open until the answer comes."""
        menu = session.close_to(NameMenu).show(self)
        if not is_valid_name(new):
            return menu.open(Reply((text("Rename"), invalid_name_reason(new))))
        return menu.request(NameChangeRequest(self.name, new, merged))


def tell_renamed(session: Session, request: NameChangeRequest, why: str, past: StoredHistory | None) -> Session:
    """Show the store's answer: a page with the reason against it, or for "" the list with the new name."""
    if not why and past is not None:
        while isinstance(session.screen, NameMenu | ListScreen) and not session.at_base:
            session = session.close()
        notes = (text("{old} → {new}", old=request.old, new=request.new), text("it is done"))
        return _open_list(take_change(session, past, request), request.new, notes)
    said = text("Merge with another") if request.is_merge else text("Rename")
    return session.open(Reply((said, why)))
