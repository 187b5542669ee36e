"""Makes the scenes of a round from what everybody may see; they never contain the full position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game.entry import without_hidden
from companion.game.screen import Scene

if TYPE_CHECKING:
    from companion.game.entry import Draft, MoveWords
    from companion.rounds.on_table import Round
    from companion.session.model import Session

CANCELLED = "cancelled"
"""The value of `stray` in an entry after a key that cancelled a question."""
NOTHING_CHANGED = "nothing has changed"
"""The line after such a key."""


def scene(
    session: Session, round_: Round, draft: Draft | None = None, say: str = "", ticking: tuple[str, ...] = ()
) -> Scene:
    """The scene of a round, with what is half entered, a line about that, and the clock's times."""
    recent = _recent(round_)
    before, *last = recent[-1] if recent else (None,)
    view = round_.game.view(round_.state, None)
    if draft is not None and draft.event is not None:
        draft = draft._replace(event=without_hidden(round_.entry, draft.event))
    return Scene(
        view=view,
        before=before,
        last=(last[0], last[1]) if last else None,
        told=_tell(round_, *recent[-1]) if recent else None,
        options=round_.options,
        names=round_.header.names,
        turn=round_.turn,
        draft=draft,
        say=say,
        clock=ticking,
        counts_down=bool(ticking) and session.game_clock is not None,
        buttons=session.buttons,
        recent=recent,
        device_missing=bool(session.missing_devices),
        forced=round_.turn is not None and round_.entry.forced(round_.state),
        result_counts=round_.result_counts,
        position_lines=round_.entry.position_lines(view),
    )


def _tell(round_: Round, before: Any, seat: int, move: Any) -> MoveWords:
    """An event in words, as everybody may know it."""
    return round_.entry.move_words(before, seat, move, round_.header.names, again=round_.turn == seat)


def _recent(round_: Round) -> tuple[tuple[Any, int, Any], ...]:
    """The last two events with the public's views before them."""
    pairs = zip(round_.states[-3:-1], round_.events[-2:], strict=True)
    game, entry = round_.game, round_.entry
    return tuple(
        (game.view(before, None), seat, game.read(without_hidden(entry, text))) for before, (seat, text) in pairs
    )
