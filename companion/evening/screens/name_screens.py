"""Names of players: how they are spelled with few keys, and how they are changed at the box.

A name is picked from a row of letters, typed by taps of digits, or typed on a keyboard. Renaming a player changes
every saved round. That takes a moment, so the session asks the store, and the result arrives as an input.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.screen_kinds import InputScreen
from companion.evening.screens import alphabet
from companion.evening.screens.alphabet import begins_word, in_case
from companion.evening.screens.lists import ListScreen, MenuItem, MenuScreen, TextPage
from companion.evening.screens.messages import Confirmation
from companion.inputs import NameChangeRequest
from companion.languages import text
from companion.rounds.player_names import (
    MAX_NAME_LETTERS,
    NAMELESS_PLAYERS,
    has_letter_or_digit,
    invalid_name_reason,
    is_valid_name,
    normalize_name,
    similar_name,
    undrawable_letters,
)
from companion.rounds.stored import LogEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.evening.model import Session
    from companion.rounds.stored import StoredHistory


NO_COMMA_TEXT = text("A name can't have\na comma")
NOT_DRAWABLE_TEXT = text("The panel can't\nshow that letter")
"""The banner for a letter that no font of the panel has."""
TAP_SECONDS = 2.0
"""Seconds after a tap in which another tap of the same digit changes the letter."""
WALK_STEPS = {"left": -1, "up": -1, "right": 1, "down": 1}
"""The arrows that change a tapped letter, and their steps in the digit's letters."""
HOME_CELL = 0
"""The first cell, where the cursor starts for each letter, so that a letter always takes the same presses."""


class Tap(NamedTuple):
    """The last tap: its digit ("" for none), its monotonic time, and the name without the letter that it changes.

    While `is_open` another tap of the digit changes the letter too, and afterwards only the arrows do.
    """

    digit: str = ""
    pressed_at: float = 0.0
    name_before: str = ""
    is_open: bool = True


NO_TAP = Tap()


class SpellingScreen(InputScreen):
    """A name, letter by letter. OK in the end calls `on_done` with it.

    With buttons the arrows move over a row of letters, and OK adds one; digits are taps, whose letter the arrows change
    at any pace; a keyboard's letters are letters. BACK erases, or leaves when nothing is left; held down, it only
    erases.

    Attributes:
        title: the heading.
        owner_label: for what the name is, such as a seat.
        on_done: makes the session after OK.
        name_text: the name so far.
        last_tap: the last tap of a digit.
        cursor: the index of the cell under the cursor.
        shows_signs: the row has digits and signs instead of letters.
    """

    title: str
    owner_label: str
    on_done: Callable[[Session, str], Session]
    name_text: str = ""
    last_tap: Tap = NO_TAP
    cursor: int = HOME_CELL
    shows_signs: bool = False

    public_name = "Spelling"
    letter_keys = "text"
    empty_label: ClassVar[str] = ""  # what OK does with nothing entered, if it does something
    max_letters: ClassVar[int] = MAX_NAME_LETTERS
    cell_rows: ClassVar[tuple[str, str]] = alphabet.LETTERS, alphabet.SIGNS
    taps: ClassVar[Mapping[str, str]] = {}  # what taps of a digit give, if that is the same everywhere
    is_exact: ClassVar[bool] = False  # every character counts as it is typed, as in a password; there are no accents

    def key_refusal(self, key: str) -> str:
        """Why a character of a keyboard can't be part of the name; "" for one that can, and for all other keys."""
        if key == ",":
            return NO_COMMA_TEXT
        last_letter = self._normalized(self.name_text + key)[-1:]
        return NOT_DRAWABLE_TEXT if len(key) == 1 and undrawable_letters(last_letter) else ""

    def _tap_letters(self, digit: str, text_before: str) -> str:
        """What one, two, three ... taps on a digit give after some letters."""
        return self.taps.get(digit) or alphabet.tap_cycle(digit, is_capital=begins_word(text_before))

    def _cased(self, letter: str) -> str:
        """A letter of a row as it would be added: a capital begins a word."""
        return letter if self.is_exact else in_case(letter, is_capital=begins_word(self.name_text))

    def _normalized(self, letters: str) -> str:
        """The letters in their one form, while they are typed."""
        return letters if self.is_exact else normalize_name(letters, is_typing=True)

    @property
    def can_erase(self) -> bool:
        return bool(self.name_text)

    @property
    def is_complete(self) -> bool:
        """Whether this can be the name: a sign such as ``-`` alone is none."""
        return has_letter_or_digit(self.name_text) or (self.is_exact and bool(self.name_text))

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if reason := self.key_refusal(key):
            return session._replace(banner=reason)
        if key == "*" and not self.name_text:
            if double_taps.has_just_erased(session):
                return double_taps.ignore_back_after_erasing(session)
            return session.close_screen()
        if key == "#" and self.is_on_done(session):
            entered = self.name_text if self.is_exact else " ".join(self.name_text.split())
            return self.on_done(session, entered) if self.is_complete else session
        if key in WALK_STEPS and not session.uses_buttons:
            return session.replace_screen(self._with_walked_letter(WALK_STEPS[key]))
        draft = self._with_picked_cell() if key == "#" else self.with_key(key, session.now)
        is_full = len(self.name_text) >= self.max_letters and draft == self
        if is_full:
            session = session._replace(banner=text("{most} letters at most", most=self.max_letters))
        was_erased = len(draft.name_text) < len(self.name_text)
        return double_taps.mark_erased(session.replace_screen(draft)) if was_erased else session.replace_screen(draft)

    def take_text(self, session: Session, words: str) -> tuple[Session, str]:
        return (self.on_done(session, words), "") if is_valid_name(words) else (session, invalid_name_reason(words))

    def with_key(self, key: str, now: float) -> SpellingScreen:
        """The input after any key but OK.

        BACK erases, arrows move the cursor and end the taps, digits are taps. Any other character, from a keyboard, is
        itself.
        """
        if key == "*":
            shorter = self._replace(name_text=self.name_text[:-1], last_tap=NO_TAP)
            # The accent under the cursor may be gone.
            return shorter if shorter.cells[self.cursor] else shorter._replace(cursor=HOME_CELL)
        if key in alphabet.STEPS:
            return self._replace(cursor=alphabet.next_cell(self.cells, self.cursor, key), last_tap=NO_TAP)
        typing = self._replace(cursor=HOME_CELL)
        if key not in alphabet.TAP_LETTERS:
            return typing._with_letter(self._cased_letter(key))
        continues_tap = self._is_tapping(now) and key == self.last_tap.digit
        before = self.last_tap.name_before if continues_tap else self.name_text
        letters = self._tap_letters(key, before)
        # A name has no two spaces in a row. If the tap added nothing for that reason, it counts as the digit's first
        # letter.
        index = letters.find(self.name_text[len(before) :]) + 1 if continues_tap else 0
        return typing._replace(name_text=before)._with_letter(letters[index % len(letters)], Tap(key, now, before))

    def is_on_done(self, session: Session) -> bool:
        """Whether OK ends the input, as it always does without buttons."""
        return not session.uses_buttons or self.cursor == len(self.cells) + alphabet.DONE_CELL

    def _is_tapping(self, now: float) -> bool:
        """Whether the next tap of the same digit would change the letter."""
        return self.last_tap.is_open and bool(self.last_tap.digit) and now - self.last_tap.pressed_at < TAP_SECONDS

    def _with_walked_letter(self, step: int) -> SpellingScreen:
        """The input with another letter of the last tap's digit. The next tap then begins a letter."""
        if not self.last_tap.digit:
            return self
        letters, letter = self._letters_of_tap(), self.name_text[-1:]
        walked = letters[(letters.find(letter) + step) % len(letters)]
        after = self._replace(name_text=self.last_tap.name_before)._with_letter(walked)
        return after._replace(last_tap=self.last_tap._replace(is_open=False))

    def _letters_of_tap(self) -> str:
        """What the last tap's digit spells."""
        return self._tap_letters(self.last_tap.digit, self.last_tap.name_before)

    def _cased_letter(self, letter: str) -> str:
        """A keyboard's letter as the name has it: a capital begins a word, an accent inside a word stays as it is."""
        return self._cased(letter) if begins_word(self.name_text) or letter.isascii() else letter

    def _with_letter(self, letter: str, tap: Tap = NO_TAP) -> SpellingScreen:
        """The input with one more letter, if there is room for it."""
        after = self._normalized(self.name_text + letter)
        if len(after) > self.max_letters:
            return self
        return self._replace(name_text=after, last_tap=tap)

    def _with_picked_cell(self) -> SpellingScreen:
        """The input after OK on a cell of the row, but not on "done"."""
        cell = self.cursor - len(self.cells)
        if cell == alphabet.ACCENT_CELL:
            return self._replace(name_text=self.name_text[:-1] + self.cells[cell])
        if cell == alphabet.OTHER_ROW_CELL:
            return self._replace(shows_signs=not self.shows_signs, cursor=HOME_CELL)
        after = self._with_letter(self.cells[cell])
        return self if after == self else after._replace(cursor=HOME_CELL)

    @property
    def cells(self) -> tuple[str, ...]:
        """The row: letters in the case in which they would be added, then what else OK does, or ""."""
        return (
            *map(self._cased, self.cell_rows[self.shows_signs]),
            text("abc") if self.shows_signs else text("123"),
            "" if self.is_exact else alphabet.next_accent(self.name_text[-1:]),
            self._done_label(),
        )

    def _done_label(self) -> str:
        return text("done") if self.is_complete else "" if self.name_text.strip() else self.empty_label

    # -- what it shows ------------------------------------------------------------------------------------------

    def next_change_time(self, session: Session) -> float | None:
        return self.last_tap.pressed_at + TAP_SECONDS if self.last_tap.digit and self.last_tap.is_open else None

    def tick(self, session: Session) -> Session:
        return session.replace_screen(self._replace(last_tap=self.last_tap._replace(is_open=False)))

    def content(self, session: Session) -> kinds.Content:
        back = KeyHint("back", text("erase") if self.name_text else text("back"))
        ok: str = self._done_label()
        rows, column = tuple[tuple[str, ...], ...](), 0
        instructions = text("tap 2 twice for b") if self.is_exact else text("tap 2 twice for B")
        if session.settings.is_terminal:
            instructions = text("type the name")
        if session.uses_buttons:
            ok, rows, column, instructions = (
                self._ok_words(),
                (self.cells,),
                self.cursor,
                text("◂▸ choose  ▴▾ jump"),
            )
        elif self.last_tap.digit:
            letters = self._letters_of_tap()
            rows, column = (tuple(letters),), letters.find(self.name_text[-1:])
        hints = (KeyHint("ok", ok), back) if ok else (back,)
        is_open = not session.uses_buttons and bool(self.last_tap.digit) and self.last_tap.is_open
        return kinds.Letters(
            self.title, self.owner_label, self.name_text, rows, 0, column, hints, instructions, is_letter_open=is_open
        )

    def _ok_words(self) -> str:
        """What OK does with the cell under the cursor."""
        cell, place = self.cells[self.cursor], self.cursor - len(self.cells)
        if place == alphabet.DONE_CELL:
            return cell
        if place == alphabet.ACCENT_CELL:
            return text("{old} → {new}", old=self.name_text[-1:], new=cell)
        if place == alphabet.OTHER_ROW_CELL:
            return text("letters") if self.shows_signs else text("digits")
        return text("space") if cell == " " else text("add {piece}", piece=cell)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        # The new name will be shown among the names of the screen below.
        return () if session.is_at_base else session.screens[-2].shown_names(session)


def ask_about_similar_name(
    session: Session,
    name: str,
    known_names: Iterable[str],
    on_same: Callable[[Session, str], Session],
    on_new: Callable[[Session], Session],
) -> Session:
    """Ask whether a new name is meant to be a similar known one.

    If so, `on_same` makes the session with the known name; if not, or if no name is similar, `on_new` does. BACK leads
    to the screen below, where the name can be changed.
    """
    other = similar_name(name, known_names, heed_accents=False)
    if not other:
        return on_new(session)
    items = (
        MenuItem(text("yes, {who}", who=other), lambda after: on_same(after, other), names=(other,)),
        MenuItem(text("no, {who} is new", who=name), on_new, names=(name,)),
    )
    question = text("Are you {who}?", who=other)
    return session.open_screens(ListScreen(question, (), items))


MAX_FAVOURITES = 20
FAVOURITES_FULL_TEXT = text("There are already {most} favourites.", most=MAX_FAVOURITES)
FAVOURITE_NOTE = text("favourite")
"""The note beside a favourite in lists."""


def set_favourite(session: Session, name: str, *, is_favourite: bool) -> Session:
    """Add a name to the favourites or remove it, and save that. Nothing changes if it is so already."""
    before = session.history.favourites
    if (name in before) is is_favourite:
        return session
    after = (*before, name) if is_favourite else tuple(each for each in before if each != name)
    log_entry = LogEntry(0, "favour" if is_favourite else "unfavour", text=name)
    return session._replace(history=session.history._replace(favourites=after)).save_entries(log_entry)


def apply_name_change(session: Session, new_history: StoredHistory, request: NameChangeRequest) -> Session:
    """Take over a changed name; `new_history` is the store's history since then.

    Names under which nobody has played yet are known to the session alone, so they are kept.
    """
    known_history = session.history
    people = (request.new if name == request.old else name for name in known_history.player_names)
    new_history = new_history._replace(
        seen_games=known_history.seen_games,
        next_round=max(new_history.next_round, known_history.next_round),
        player_names=tuple(dict.fromkeys((*new_history.player_names, *people))),
    )
    names = dict.fromkeys(request.new if name == request.old else name for name in session.phones.players)
    paired = tuple((_player_phone(session, name, request), name) for name in names)
    after = session._replace(
        history=new_history,
        previous_round=None,
        unfinished_setups=(),
        phones=session.phones._replace(player_phones=paired),
    )
    if request.old in new_history.favourites:
        after = set_favourite(set_favourite(after, request.old, is_favourite=False), request.new, is_favourite=True)
    return after


def _player_phone(session: Session, name: str, request: NameChangeRequest) -> str:
    """A player's phone after a change of names. Of two players who became one, it is that of the name that stays."""
    phones = {whose: phone for phone, whose in session.phones.player_phones}
    return phones[name] if name in phones else phones[request.old]


# -- at the box -------------------------------------------------------------------------------------------------


def open_names(session: Session) -> Session:
    """Open the list of everybody whom the box knows, the favourites first."""
    return _open_name_list(session)


def _open_name_list(session: Session, name: str = "", notes: tuple[str, ...] = ()) -> Session:
    """Open the list with the cursor on `name`; `notes` say what has just been done."""
    first = session.history.favourites
    known_names = list(dict.fromkeys((*first, *session.history.player_names, *session.settings.player_names)))
    if not known_names:
        nobody = text("Nobody has played yet. Names are entered when a game begins.")
        return session.open_screens(TextPage((text("Names"), nobody)))
    items = (
        MenuItem(each, partial(_open_name, name=each), FAVOURITE_NOTE if each in first else "", names=(each,))
        for each in known_names
    )
    cursor = known_names.index(name) if name in known_names else 0
    return session.open_screens(ListScreen(text("Names"), notes, tuple(items), cursor=cursor))


def _open_name(session: Session, name: str) -> Session:
    return session.open_screens(NameMenu(name))


class NameMenu(MenuScreen):
    """What can be done with a name: make it a favourite, rename it, or merge it with another player."""

    name: str

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        is_favourite = self.name in session.history.favourites
        full = FAVOURITES_FULL_TEXT if not is_favourite and len(session.history.favourites) >= MAX_FAVOURITES else ""
        has_others = any(each != self.name for each in session.history.player_names)
        unknown = "" if self.name in session.history.player_names else text("{who} has not played yet.", who=self.name)
        if is_favourite and unknown:
            favourite = MenuItem(text("Remove"), self._remove)
        else:
            label = text("Favourite: yes") if is_favourite else text("Favourite: no")
            does = partial(set_favourite, name=self.name, is_favourite=not is_favourite)
            favourite = MenuItem(label, does, unavailable_reason=full)
        return (
            favourite,
            MenuItem(text("Rename"), self._open_rename_input, unavailable_reason=unknown),
            MenuItem(
                text("Merge with another"),
                self._choose_same_player,
                unavailable_reason="" if has_others else text("Nobody else has played."),
            ),
        )

    def heading(self, session: Session) -> tuple[str, tuple[str, ...]]:
        return self.name, ()

    def leave(self, session: Session) -> Session:
        return _open_name_list(session.close_screen().close_screen(), self.name)

    def _remove(self, session: Session) -> Session:
        return self.leave(set_favourite(session, self.name, is_favourite=False))

    def _open_rename_input(self, session: Session) -> Session:
        name = "" if self.name in NAMELESS_PLAYERS else self.name  # Nobody wants to erase "Player 3" letter by letter.
        return session.open_screens(SpellingScreen(text("Rename"), self.name, self._check_new_name, name))

    def _check_new_name(self, session: Session, new_name: str) -> Session:
        """Ask the store for the new name, unless it is the old one. A name like another player's is checked first."""
        menu = self._replace(cursor=1)
        if new_name == self.name:
            return session.close_screens_above(NameMenu)
        if new_name in session.history.player_names:
            return self._ask_merge(session, new_name)
        others = [each for each in session.history.player_names if each != self.name]
        return ask_about_similar_name(
            session,
            new_name,
            others,
            menu._ask_merge,
            partial(menu.request_name_change, new_name=new_name, is_merge=False),
        )

    def _choose_same_player(self, session: Session) -> Session:
        """Open the list of players with whom this one can be merged, which are all who have played."""
        others = (each for each in session.history.player_names if each != self.name)
        items = tuple(MenuItem(each, partial(self._ask_merge, other=each), names=(each,)) for each in others)
        return session.open_screens(ListScreen(self.name, (text("is the same as"),), items))

    def _ask_merge(self, session: Session, other: str) -> Session:
        does = partial(self._replace(cursor=2).request_name_change, new_name=other, is_merge=True)
        said = text("{old} becomes {new}.", old=self.name, new=other)
        return session.open_screens(Confirmation(does, text("One player?"), (said,), names=(self.name, other)))

    def request_name_change(self, session: Session, new_name: str, *, is_merge: bool) -> Session:
        """Ask the store for the new name. This menu stays open until the answer comes."""
        menu = session.close_screens_above(NameMenu).replace_screen(self)
        if not is_valid_name(new_name):
            return menu.open_screens(TextPage((text("Rename"), invalid_name_reason(new_name))))
        return menu.send_request(NameChangeRequest(self.name, new_name, is_merge))


def show_name_change(
    session: Session, request: NameChangeRequest, reason: str, new_history: StoredHistory | None
) -> Session:
    """Show the store's answer: a page with the reason against it, or for "" the list with the new name."""
    if not reason and new_history is not None:
        while isinstance(session.screen, NameMenu | ListScreen) and not session.is_at_base:
            session = session.close_screen()
        notes = (text("{old} → {new}", old=request.old, new=request.new), text("it is done"))
        return _open_name_list(apply_name_change(session, new_history, request), request.new, notes)
    said = text("Merge with another") if request.is_merge else text("Rename")
    return session.open_screens(TextPage((said, reason)))
