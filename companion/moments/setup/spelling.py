"""Spelling a name with few keys: by arrows, by multi-tap, or letter by letter where there is a keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.contents.kinds import Answer
from companion.game.text import text
from companion.record.values import composed
from companion.rounds.player_names import LONGEST_NAME
from companion.session import guard
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session

LETTERS = " ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.0123456789"
NO_COMMA = "A name has no\ncomma"
NOT_DRAWN = "The panel cannot\ndraw that letter"
_TAPS = {"1": "-'.1", "2": "ABC2", "3": "DEF3", "4": "GHI4", "5": "JKL5", "6": "MNO6", "7": "PQRS7", "8": "TUV8",
         "9": "WXYZ9", "0": " 0"}  # fmt: skip
_TAP_SECONDS = 1.2


def drawn(letter: str) -> bool:
    """Whether the panel's fonts have a character of a keyboard: the letters of Latin alphabets, and their signs."""
    return " " <= letter <= "~" or ("¡" <= letter <= "ſ" and letter != "\N{SOFT HYPHEN}") or letter in "ȘșȚț–—‘’“”„…€"


class _Spelling(NamedTuple):
    title: str
    whose: str
    done: Callable[[Session, str], Session]
    back: Moment
    text: str = ""
    tap: tuple[str, float] = ("", 0.0)


class Spelling(Moment, _Spelling):
    """A name, letter by letter, for `done`; BACK leads to `back`. `tap` is the key and time of the last multi-tap."""

    takes_letters = True

    def letters_are_arrows(self, session: Session) -> bool:
        """On a keyboard they are letters."""
        return not session.settings.terminal

    @property
    def erases(self) -> bool:
        """Whether a letter is there."""
        return bool(self.text)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK is done, BACK erases or leaves; held on until nothing is left it does not leave."""
        if why := self._untaken(key):
            return session._replace(banner=why)
        if key == "*" and not self.text:
            if session.clock - session.erased < guard.ERASE_SECONDS:
                return guard.show_wait(session, session.erased + guard.ERASE_SECONDS)
            return session._replace(mode=self.back)
        if key == "#":
            return self.done(session, self.text.strip()) if self.text.strip() else session
        after = self.after_key(key, session.clock)
        full = len(self.text) >= LONGEST_NAME and after == self
        return session._replace(
            mode=after,
            erased=session.clock if len(after.text) < len(self.text) else session.erased,
            banner=text("{most} letters at most", most=LONGEST_NAME) if full else session.banner,
        )

    def _untaken(self, key: str) -> str:
        """Why a character of a keyboard cannot be added to the name; "" for what can, and for all other keys."""
        if key == ",":
            return NO_COMMA
        return "" if len(key) > 1 or drawn(composed(self.text + key)[-1]) else NOT_DRAWN

    def after_key(self, key: str, now: float) -> Spelling:
        """The name after a key: up and down change its last letter, right opens a blank, left and BACK erase.

        A blank that is left at the end is no part of the name, so OK may follow right at once. Digits are multi-tap.
        A letter is itself: A to D of a keypad, all that the panel can draw on the keyboard of a terminal.
        """
        if key in ("*", "left"):
            return self._replace(text=self.text[:-1], tap=("", 0.0))
        if key in ("up", "down"):
            return self._replace(text=_cased(self.text[:-1], self._letter(1 if key == "up" else -1)))
        if self.tap[0] == "right" and self.text.endswith(" ") and len(key) == 1:
            return self._replace(text=self.text[:-1], tap=("", 0.0))._added(key, now)  # It was opened for this letter.
        return self._added(key, now)

    def _letter(self, by: int) -> str:
        """The letter that up (1) or down (-1) makes of the last one."""
        index = LETTERS.find(self.text[-1:].upper() or " ")
        return LETTERS[(index + by) % len(LETTERS)]

    def _added(self, key: str, now: float) -> Spelling:
        if key in _TAPS:
            return self._tapped(key, now)
        after = _cased(self.text, key) if len(key) == 1 else f"{self.text} "
        if len(after) > LONGEST_NAME or (key == "right" and (not self.text or self.text.endswith("  "))):
            return self
        return self._replace(text=after, tap=(key, now) if key == "right" else ("", 0.0))

    def _tapped(self, key: str, now: float) -> Spelling:
        """Multi-tap: the same key soon again changes the last letter, else a letter is added."""
        letters = _TAPS[key]
        last, at = self.tap
        if key == last and now - at < _TAP_SECONDS and self.text[-1:].upper() in letters:
            letter = letters[(letters.index(self.text[-1].upper()) + 1) % len(letters)]
            return self._replace(text=_cased(self.text[:-1], letter), tap=(key, now))
        if len(self.text) >= LONGEST_NAME:
            return self
        return self._replace(text=_cased(self.text, letters[0]), tap=(key, now))

    def says(self, session: Session) -> kinds.Content:
        """The name so far, and what the arrows make of it."""
        answers = [Answer("ok", "done")] if self.text.strip() else []
        answers += [Answer("back", "erase" if self.text else "back"), Answer("up", "letter"), Answer("down", "letter")]
        if self.text not in ("", " "):
            answers.append(Answer("right", "next"))
        return kinds.Letters(self.title, self.whose, self.text, self._letter(1), self._letter(-1), tuple(answers))

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players among whom the name will be."""
        return self.back.shown_names(session)


def _cased(text: str, letter: str) -> str:
    """The text with a letter more, a capital at the start of each word."""
    if not text or text[-1] in " -'.":
        return text + (letter.upper() if len(letter.upper()) == 1 else letter)
    return composed(text + (letter.lower() if letter.isascii() else letter))
