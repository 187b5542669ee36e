"""Content as plain data, for the table's socket. Other programs show the table from this data alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.evening.contents.kinds import Mend, OwnPieces
from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content


def content_data(content: Content) -> dict[str, Any]:
    """A content as a dictionary: its fields by their names, and ``kind``, its class's name in lower case.

    The key hints are called ``answers``, and a text is its English sentence. A scene, which its game draws, is reduced
    to what it says in words. A player's own pieces are private, so of such a content only the kind is left.
    """
    is_private = isinstance(content, (OwnPieces, Mend))
    return {"kind": type(content).__name__.lower()} | ({} if is_private else _field_data(content))


def _field_data(value: Any) -> dict[str, Any]:
    return {"answers" if name == "key_hints" else name: _plain_value(each) for name, each in value._asdict().items()}


def _plain_value(value: Any) -> Any:
    match value:
        case Scene():
            return {"lines": list(value.position_lines), "say": value.bottom_line}
        case NamingScene():
            pieces = [piece or "•" for piece in value.pieces]
            return {"name": value.player_name, "noun": value.noun, "size": value.size, "pieces": pieces}
        case PageScene():
            return {"title": value.title, "lines": list(value.lines)}
        case PeekScene():
            return None
        case tuple() if hasattr(value, "_asdict"):
            return _field_data(value)
        case tuple() | list():
            return [_plain_value(each) for each in value]
    return value
