"""What is said now: of another screen everything, of the same one what has changed. A move is said once.

So moving a cursor says only what is under it, and BACK from a refusal does not repeat the move before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import in_language, text, translate
from companion.voice.pronunciation import key_device
from companion.voice.spoken import (
    TABLE_FRAME,
    SpokenScreen,
    board_parts,
    label_words,
    last_move_words,
    sentences,
    spoken_screen,
)

if TYPE_CHECKING:
    from companion.evening.model import Session

NOTHING = SpokenScreen()
VOICE_KEYS = {
    "buttons": text("While back is held down, up says everything once more, and down reads the table."),
    "number pad": text("Num Lock says everything once more, and pressed twice it reads the table."),
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
        self._part_number = self._moves_told = 0
        self._device_told = ""

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
        last, table, moves = self._last, self._last_table, len(session.round.events) if session.round is not None else 0
        is_told, self._moves_told = moves == self._moves_told, moves
        if is_pressed:
            self._part_number = 0
        old = last if last.frame == screen.frame else NOTHING
        if TABLE_FRAME in screen.frame:
            turn = (old if says_all else table).turn if is_told else ""
            old = old._replace(happened=screen.happened if is_told else "", turn=turn)
            self._last_table = screen
        elif moves and not is_told and screen.is_news:  # A message lies over the table already.
            screen = screen._replace(happened=sentences(last_move_words(session), screen.happened))
        if says_all or screen.is_news:
            self._last = screen
        if not says_all:
            return sentences(*(new for new, said in zip(screen[:2], old[:2], strict=True) if new != said)) * (
                screen.is_news
            )
        changed = [new for new, said in zip(screen.parts, old.parts, strict=True) if new != said]
        if any(changed) or not is_pressed:
            return sentences(*changed)
        return self._unchanged_words(session, screen)

    def repeat(self, session: Session) -> str:
        """Everything that there is to say of the screen, with all its keys and those of the voice."""
        screen = spoken_screen(session, self._earphone)
        return sentences(*screen.parts, label_words(session), _voice_key_words(session))

    def next_part(self, session: Session) -> str:
        """The next part of what is on the table; after the last one the first again. Any other key begins anew."""
        if not (parts := board_parts(session)):
            return self.repeat(session)
        part = parts[self._part_number % len(parts)]
        self._part_number += 1
        return part

    def _unchanged_words(self, session: Session, screen: SpokenScreen) -> str:
        with in_language(session.language):
            if session.taps.ignored_until > session.now:
                return text("The panel was dark. This key only lit it.")
            if session.taps.wait_until > session.now:
                return text("Wait a moment.")
            return screen.cursor or text("This key does nothing here.")


def _voice_key_words(session: Session) -> str:
    with in_language(session.language):
        return translate(VOICE_KEYS.get(key_device(session), ""))
