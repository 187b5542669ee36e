"""The scene of a round in play: what the game draws, with what the table adds to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.rounds import public_view

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.games.api.move_input import Draft
    from companion.games.api.screen import Scene
    from companion.rounds.on_table import Round

CANCELLED = "cancelled"
"""The value of `stray_key` in a draft after a key that cancelled a question."""
NOTHING_CHANGED_TEXT = text("nothing has changed")
"""The last line after such a key."""


def round_scene(
    session: Session,
    round_: Round,
    draft: Draft | None = None,
    line_text: str = "",
    clock_times: tuple[str, ...] = (),
    *,
    pass_help: str = "",
    awaits_key: bool = False,
) -> Scene:
    """The scene of a round, which need not be the one on the table.

    `draft` is the draft or the computer's move, `line_text` the last line ("" for the game's own), and `clock_times`
    the times shown in it. `pass_help` says how to enter "I can't move", and `awaits_key` is whether nothing is entered
    yet.
    """
    return public_view.public_scene(round_, draft, line_text)._replace(
        clock=clock_times, counts_down=bool(clock_times) and session.game_clock is not None,
        uses_buttons=session.uses_buttons, claim_instructions=pass_help, awaits_move=awaits_key,
        is_rematch=is_repeat_round(session, round_), is_device_missing=bool(session.missing_devices),
    )  # fmt: skip


def is_repeat_round(session: Session, round_: Round) -> bool:
    """Whether the round follows one of the same game with the same players."""
    before = session.previous_round.header if session.previous_round is not None else None
    is_same_game = before is not None and before.game == round_.header.game
    return is_same_game and before is not None and sorted(before.names) == sorted(round_.header.names)
