"""Texts as players with a keypad read them: squares have the digits that they type, not the letters of records."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.games.api import is_inherited
from companion.games.api.game_texts import GameTexts
from companion.languages import change_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session


def keypad_texts_of(session: Session, game: str) -> GameTexts | None:
    """What says how players of a game read its texts now; None where they read what records write."""
    with suppress(games.UnknownGameError):
        if not session.uses_buttons and games.manifest_of(game).has_records:
            words = games.load_move_input(game)
            return None if is_inherited(words.keypad_text, GameTexts.keypad_text) else words
    return None


def with_keypad_texts(session: Session, content: Content, names: Sequence[str]) -> Content:
    """A content as players read it with the keys in use. The `names` in its texts stay as they are."""
    words = keypad_texts_of(session, getattr(content, "game", "") or session.game_id)
    return content if words is None else change_texts(content, partial(keypad_text, words, names), and_strings=True)


def keypad_text(words: GameTexts, names: Sequence[str], written: str) -> str:
    """A text in which only what is no name was changed."""
    known = "|".join(map(re.escape, filter(None, names)))
    parts = re.split(rf"(?<!\w)({known})(?!\w)", written) if known else [written]
    shown = "".join(part if place % 2 else words.keypad_text(part) for place, part in enumerate(parts))
    return written if shown == written else shown
