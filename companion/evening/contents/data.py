"""Content as plain data, for the table's socket: what other programs show of it is made of that alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.evening.contents.kinds import Mend, OwnPieces
from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content


def data(content: Content) -> dict[str, Any]:
    """A content by the names of its fields, and ``kind``, its class in lower case; ``answers`` are its `meanings`.

    Of a scene, which its game draws, there is what it says in words. A text is its English sentence. Of a player's own
    pieces, which are for no other program, there is nothing but the kind.
    """
    own = isinstance(content, (OwnPieces, Mend))
    return {"kind": type(content).__name__.lower()} | ({} if own else _fields(content))


def _fields(value: Any) -> dict[str, Any]:
    return {"answers" if name == "meanings" else name: _plain(each) for name, each in value._asdict().items()}


def _plain(value: Any) -> Any:
    match value:
        case Scene():
            return {"lines": list(value.position_lines), "say": value.say}
        case NamingScene():
            pieces = [piece or "•" for piece in value.pieces]
            return {"name": value.name, "noun": value.noun, "size": value.size, "pieces": pieces}
        case PageScene():
            return {"title": value.title, "lines": list(value.lines)}
        case PeekScene():
            return None
        case tuple() if hasattr(value, "_asdict"):
            return _fields(value)
        case tuple() | list():
            return [_plain(each) for each in value]
    return value
