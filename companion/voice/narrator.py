"""What is said now: of another screen everything, of the same one what has changed. A move is said once.

So moving a cursor says only what is under it, and BACK from a refusal does not repeat the move before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text, translate
from companion.voice.pronunciation import key_device
from companion.voice.spoken import (
    START_FRAME,
    TABLE_FRAME,
    SpokenScreen,
    board_parts,
    correction_words,
    in_spoken_language,
    label_words,
    move_words,
    own_pieces,
    sentences,
    spoken_screen,
)

if TYPE_CHECKING:
    from companion.evening.model import Screen, Session

NOTHING = SpokenScreen()
MAX_MOVES_TOLD = 3
"""The most moves that are told at once; the last ones."""
TURNS_WITH_KEYS = 4
"""The turns of a round in which the keys that enter a move are said unasked."""
VOICE_KEYS = {
    "buttons": text("While back is held down, up says everything once more, and down reads the table."),
    "number pad": text(
        "Num Lock says everything once more, and pressed twice it reads the table. The dot is also Backspace."
    ),
    "keyboard": text("F1 says everything once more, and F2 reads the table."),
}
"""What the keys of the voice are on each device that has them."""


class Narrator:
    """Remembers what was said last.

    Args:
        earphone: the name of the only player who hears it, "" if everybody does.
    """

    def __init__(self, earphone: str = "") -> None:
        self._earphone = earphone
        self._last = self._last_table = NOTHING
        self._part_number = self._turns = 0
        self._device_told = ""
        self._sound: tuple[object, ...] = ()
        self._told: tuple[int | None, int] = None, 0
        self._screens: tuple[Screen, ...] = ()
        self._own_pieces: tuple[str, ...] = ()

    def words_for(self, session: Session, *, is_pressed: bool = False) -> str:
        """What is said once a session is shown, "" for nothing; `is_pressed` is whether a key has led to it.

        Who does not see the panel hears the keys of the voice too, with the first words for each device.
        """
        words = self._new_words(session, is_pressed)
        if not words or session.box.voice != "everything" or self._device_told == (device := key_device(session)):
            return words
        self._device_told = device
        return sentences(words, _voice_key_words(session))

    def _new_words(self, session: Session, is_pressed: bool) -> str:
        screen, says_all = spoken_screen(session, self._earphone), session.box.voice == "everything"
        has_changed, self._screens = session.screens != self._screens, session.screens
        moved = self._news_of_round(session, is_shown_at_start=START_FRAME in screen.frame)
        if is_pressed:
            self._part_number = 0
        old = self._last if self._last.frame == screen.frame else NOTHING
        if TABLE_FRAME in screen.frame:
            old = old._replace(turn="" if moved else (old if says_all else self._last_table).turn)
            self._turns += bool(moved)
            self._last_table = screen
        if self._turns > TURNS_WITH_KEYS:
            old = old._replace(known_keys=screen.known_keys)
        spelled = "" if self._last.frame == screen.frame else self._last.spelled
        if says_all or screen.is_news:
            self._last = screen
        changed = [new for new, said in zip(screen.parts, old.parts, strict=True) if new != said]
        box, before = session.box, self._sound
        self._sound = box.voice, box.speed, box.loudness
        if before and before != self._sound and not says_all:
            with in_spoken_language(session):
                turned_off = text("The voice is off. The same key turns it on again.")
                return turned_off if box.voice == "off" else screen.cursor
        if not says_all:
            changed = [each for each in changed if screen.is_news and each in screen[:2]]
        if moved or any(changed) or not is_pressed or not says_all:
            return sentences(spelled, moved, *changed)
        return self._unchanged_words(session, screen, has_changed=has_changed)

    def _news_of_round(self, session: Session, *, is_shown_at_start: bool) -> str:
        """That a round is new, its moves since the last words, or a correction; "" if there is nothing new."""
        round_, (told_round, told) = session.round, self._told
        pieces_before, self._own_pieces = self._own_pieces, own_pieces(session, self._earphone)
        if round_ is None:
            return ""
        count = len(round_.events)
        self._told = (round_.id, count)
        if round_.id != told_round:
            self._turns = 0
            with in_spoken_language(session):
                return move_words(session) if count else "" if is_shown_at_start else text("New round.")
        if count == told:
            return correction_words(session, pieces_before, self._own_pieces)
        return move_words(session, max(told, count - MAX_MOVES_TOLD) if count > told else None)

    def repeat(self, session: Session) -> str:
        """Everything that there is to say of the screen, with all its keys; at the table the last move comes first."""
        screen = spoken_screen(session, self._earphone)
        moved = move_words(session) if TABLE_FRAME in screen.frame else ""
        return sentences(moved, *screen.parts, screen.details, label_words(session))

    def next_part(self, session: Session) -> str:
        """The next part of what is on the table; after the last one the first again. Any other key begins anew."""
        if not (parts := board_parts(session)):
            return self.repeat(session)
        part = parts[self._part_number % len(parts)]
        self._part_number += 1
        return part

    def _unchanged_words(self, session: Session, screen: SpokenScreen, *, has_changed: bool) -> str:
        with in_spoken_language(session):
            if session.taps.ignored_until > session.now:
                return text("The panel was dark. This key only lit it.")
            if session.taps.wait_until > session.now:
                return text("Wait a moment.")
            if has_changed:  # Also where the words are the same: the cursor on another such piece.
                return screen.entry or screen.known_keys or screen.cursor or screen.happened
            return (not screen.known_keys and screen.cursor) or text("This key does nothing here.")


def _voice_key_words(session: Session) -> str:
    with in_spoken_language(session):
        return translate(VOICE_KEYS.get(key_device(session), ""))
