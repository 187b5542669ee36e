"""Move input: how keys of the keypad, or the six buttons, become a move.

A person enters a move step by step and wants to see after each key what the box has understood. A `MoveInput` turns the
keys so far into a `Draft`: what is entered, which event OK would play, and how the rules judge it. There are two ways,
and both are pure functions that play nothing::

    keypad    keys "254" ───────────────draft_from_keys──▶ Draft
    buttons   initial_pick ──arrows, OK, BACK──▶ pick ──draft_from_pick──▶ Draft
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from companion.games.api import RefusedError
from companion.games.api.game_texts import GameTexts, is_draw
from companion.games.api.game_texts import MoveTexts as MoveTexts
from companion.languages import text

ARROWS = ("up", "down", "left", "right")

PRESS_HASH_TEXT = text("now press #")
"""What is shown after one key too many, if the draft is complete."""
DRAW_OR_ERASE_TEXT, PASS_OR_ERASE_TEXT = text("# draw, * undo"), text("# pass, * undo")
"""What is shown after one key too many, if the draft is a draw or a pass.

The players may not have meant that, so the text says how to get rid of it.
"""
ERASE_TEXT = text("* deletes")
"""What is shown after one key too many, if the draft is refused. Its reason was shown before, and OK shows it again."""


class Draft(NamedTuple):
    """A half-made move with its verdict.

    Attributes:
        text: what is entered, in large type; hidden pieces are dots.
        event: the text of the event that OK would play; None for ``more``, and for a ``no`` that is no event yet.
        verdict: ``more`` (incomplete), ``ok``, or ``no`` (impossible; OK shows why).
        working: a line such as a sum, of about 22 characters. On the plain screen, where it is beside the text, about
            16.
        message: the verdict in words, of about 22 characters. On the plain screen, which adds a tick or cross, about
            14, and fewer beside a long `text`.
        marks: what the game's own screen highlights in its picture; any value.
        attempted_event: for a draft without an event, the text of one that OK lets the rules judge nevertheless. They
            then say why it is impossible, or accept "I can't move" (see `GameTexts.claim_text`). With "" OK shows
            `message`.
        next_step: what OK does, in a word or two that are shown beside the key: ``lay it``, ``turn``. With "" OK plays
            a complete draft, and an incomplete one waits for another key.
    """

    text: str
    event: str | None = None
    verdict: Literal["more", "ok", "no"] = "more"
    working: str = ""
    message: str = ""
    marks: Any = None
    attempted_event: str = ""
    next_step: str = ""


class DueRefill(NamedTuple):
    """Pieces that must be named now, because a refill was made from an open holding.

    Attributes:
        event_word: the first word of the event: ``refill``.
        piece_count: how many pieces must be named.
        prompt: a line of about 22 characters that asks for them.
        piece_kind: the kind of pieces, for `MoveInput.piece_rows`.
    """

    event_word: str
    piece_count: int
    prompt: str
    piece_kind: str


class MoveInput(GameTexts, ABC):
    """How moves of a game are entered. The game's `move_input` module has one object of this class, ``MOVE_INPUT``.

    `state` is always the full position. A *pick* is the state of input by buttons: any value, often a tuple, that only
    the game understands.
    """

    @abstractmethod
    def draft_from_keys(self, state: Any, keys: str) -> Draft | None:
        """The draft of one or more keypad keys ``0-9 A-D``; None if the last key means nothing there."""

    def effective_keys(self, state: Any, keys: str) -> str:
        """The keys that still count, without those that a later key has replaced, so that BACK erases a visible one."""
        return keys

    @abstractmethod
    def initial_pick(self, state: Any) -> Any:
        """The pick to begin with: the most likely move by public knowledge. It must not depend on hidden hands."""

    def pick_at_first_arrow(self, state: Any, arrow: str) -> Any:
        """The pick that the first arrow leads to; by default `initial_pick`, whichever arrow it is."""
        return self.initial_pick(state)

    @abstractmethod
    def pick_after_arrow(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`. Choices wrap around, and only pieces that exist can be chosen."""

    @abstractmethod
    def draft_from_pick(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick, judged by public knowledge, so that moving over pieces reveals nothing."""

    def refused_draft(self, draft: Draft, refused: "RefusedError") -> Draft:
        """The draft after the rules have refused it because of something that the panel could not show.

        Before OK it had a tick; afterwards it has a cross.
        """
        return draft._replace(verdict="no", message=refused.conflict, next_step="")

    def pick_after_ok(self, state: Any, pick: Any) -> Any | None:
        """The next pick after OK; None if the pick is complete, so that OK plays its draft."""
        return None

    def pick_after_back(self, state: Any, pick: Any) -> Any | None:
        """The pick without its last step, after BACK; None if there is no step to undo."""
        return None

    def due_refill(self, state: Any) -> DueRefill | None:
        """The pieces that must be named before the next move; None if there are none."""
        return None

    def parse_typed_pieces(
        self, keys: str, kind: str, options: Mapping[str, str]
    ) -> tuple[tuple[str, ...], str] | None:
        """Parse typed pieces: the complete ones in written form, and the keys of one that is not complete yet.

        `kind` is one of the manifest's holdings or a `DueRefill.event_word`. None if the last key means nothing there.
        """
        return None

    def piece_rows(self, kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
        """The pieces to pick from, in rows and in written form."""
        return ()

    def is_piece_hidden(self, kind: str, piece: str) -> bool:
        """Whether a piece of a deal or refill is hidden from the other players, and so shown as a dot."""
        return False


def draft_after_stray_key(draft: Draft | None, *, is_claim: bool = False) -> Draft | None:
    """The draft after a key that means nothing there.

    | draft | the draft stays, and its message becomes |
    | --- | --- |
    | none, or incomplete | the result is None, and `GameTexts.stray_key_text` says what is expected |
    | ok | how it is played; for a draw or pass also how it is erased |
    | ok, and `is_claim` | that it ends the turn: nobody who means "I can't move" would enter more keys |
    | no | how it is erased |
    """
    if draft is None or draft.verdict == "more":
        return None
    if draft.verdict == "ok":
        message = PASS_OR_ERASE_TEXT if is_claim else PRESS_HASH_TEXT
        return draft._replace(message=DRAW_OR_ERASE_TEXT if is_draw(draft.event or "-") else message)
    return draft._replace(message=ERASE_TEXT)


def draft_after_arrow(draft: Draft | None, message: str, *, is_claim: bool = False) -> Draft | None:
    """The draft after an arrow that leads nowhere; None while the draft is incomplete.

    A draft with a tick shows `message`, unless that is "" or the draft is a claim "I can't move". A refused draft keeps
    its reason.
    """
    if draft is None or draft.verdict == "more":
        return None
    return draft._replace(message=message) if message and draft.verdict == "ok" and not is_claim else draft


def public_event_text(move_input: MoveInput, event: str) -> str:
    """The text of an event as everybody saw it: a dot replaces each piece that only its owner has seen."""
    word, *pieces = event.split()
    shown_pieces = ("•" if move_input.is_piece_hidden(word, piece) else piece for piece in pieces)
    return " ".join((word, *shown_pieces)) if is_draw(event) else event


def without_hidden_pieces(move_input: MoveInput, event: str) -> str:
    """The text of an event without the pieces that only its owner has seen; `Rules.parse_move` can read it."""
    word, *pieces = event.split()
    return (
        " ".join([word, *(piece for piece in pieces if not move_input.is_piece_hidden(word, piece))])
        if is_draw(event)
        else event
    )
