"""Move input: how keys of the keypad, or the six buttons, become a move.

A person enters a move step by step and wants to see after each key what the box has understood. A `MoveInput` turns the
keys so far into a `Draft`: what is entered, which event OK would play, and how the rules judge it. There are two ways,
and both are pure functions that play nothing::

    keypad    keys "254" ───────────────draft_from_keys──▶ Draft
    buttons   initial_pick ──arrows, OK, BACK──▶ pick ──draft_from_pick──▶ Draft

A game that writes none of this has all of it from its rules: the keys of `legal_moves`, and a picker that chooses one
key after the other among those that may follow.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from companion.games.api import RefusedError, Rules, is_inherited
from companion.games.api.game_texts import GameTexts, is_draw
from companion.games.api.game_texts import MoveTexts as MoveTexts
from companion.languages import text

ARROWS = ("up", "down", "left", "right")
_PICKED_KEYS = "1234567890ABCD"
"""The keypad's keys in the order in which the picker offers them."""

PRESS_HASH_TEXT = text("now press #")
"""What is shown after one key too many, if the draft is complete."""
DRAW_OR_ERASE_TEXT, PASS_OR_ERASE_TEXT = text("# draw, * undo"), text("# pass, * undo")
"""What is shown after one key too many, if the draft is a draw or a pass.

The players may not have meant that, so the text says how to get rid of it.
"""


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
        is_conditional: whether a draft that is ``ok`` by public knowledge depends on hidden pieces. It has no tick,
            which would promise more than anybody may show.
    """

    text: str
    event: str | None = None
    verdict: Literal["more", "ok", "no"] = "more"
    working: str = ""
    message: str = ""
    marks: Any = None
    attempted_event: str = ""
    next_step: str = ""
    is_conditional: bool = False


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


class MoveInput(GameTexts):
    """How moves of a game are entered. The game's `move_input` module has one object of this class, ``MOVE_INPUT``.

    `state` is the position as the seat to move knows it. A *pick* is the state of input by buttons: any value, often a
    tuple, that only the game understands. Everybody sees the picker, so a game that writes its own judges it by
    ``rules.seat_view(state, None)``.

    The picker of a game that has none of its own is made of the keys that `draft_from_keys` accepts by that public
    view; its pick is a text of keys. Up and down change the last key, OK and right go on to the next one, left and BACK
    return to the one before.
    """

    rules: Rules[Any, Any]
    """The rules of the game, which `companion.games.load_move_input` sets."""

    def draft_from_keys(self, state: Any, keys: str) -> Draft | None:
        """The draft of one or more keypad keys ``0-9 A-D``; None if the last key means nothing there.

        By default the keys are those of `keys_for_event` for the `legal_moves`. A game in which a sealed holding plays
        must write its own, since its plays are not listed.
        """
        moves = {self.keys_for_event(str(move)): move for move in self.rules.legal_moves(state)}
        if keys in moves:
            return self.judged_draft(state, moves[keys])
        return Draft(f"{keys}_") if any(typed.startswith(keys) for typed in moves) else None

    def judged_draft(
        self, state: Any, move: Any, working: str = "", message: str = "", *, label: str = "", marks: Any = None
    ) -> Draft:
        """The draft of a complete move with the verdict of the rules.

        `label` is what is entered, by default the move's `move_texts`; `working` and `message` are shown if the rules
        accept the move.
        """
        event = str(move)
        if not label and is_draw(event):
            label = public_event_text(self, event)
        elif not label:
            label = self.move_texts(state, self.rules.seat_to_move(state) or 1, move).short
        if refused := self.rules.refusal(state, move):
            return Draft(label, event, "no", refused.figure, refused.conflict, marks)
        return Draft(label, event, "ok", working, message, marks)

    def keys_for_event(self, event: str) -> str:
        if not is_inherited(self.draft_from_keys, MoveInput.draft_from_keys):
            return ""
        return "".join(re.findall("[0-9A-D]", event))

    def input_instructions(self, view: Any, uses_buttons: bool = False) -> str:
        if self.rules.chance_outcomes(view):
            return text("◂▴▾▸ what came, OK") if uses_buttons else text("what came, then #")
        return super().input_instructions(view, uses_buttons)

    def effective_keys(self, state: Any, keys: str) -> str:
        """The keys that still count, without those that a later key has replaced, so that BACK erases a visible one."""
        return keys

    def initial_pick(self, state: Any) -> Any:
        """The pick to begin with: the most likely move by public knowledge. It must not depend on hidden hands."""
        public = self.rules.seat_view(state, None)
        return self._with_forced_keys(public, next(iter(self._keys_to_pick(public, "")), ""))

    def pick_at_first_arrow(self, state: Any, arrow: str) -> Any:
        """The pick that the first arrow leads to; by default `initial_pick`, whichever arrow it is."""
        return self.initial_pick(state)

    def pick_at_place(self, state: Any, event: str, arrow: str) -> Any:
        """The pick that the first arrow leads to where a hint has marked the place of `event` (see `move_marks`)."""
        return self.pick_at_first_arrow(state, arrow)

    def pick_after_arrow(self, state: Any, pick: Any, arrow: str) -> Any:
        """The pick after one of `ARROWS`. Choices wrap around, and only pieces that exist can be chosen."""
        public = self.rules.seat_view(state, None)
        at = self._changed_position(public, pick)
        if arrow == "right" and (further := self._keys_to_pick(public, pick)):
            return self._with_forced_keys(public, pick + further[0])
        if arrow in ("left", "right") and at:
            return pick[:at] if arrow == "left" else pick
        keys = self._keys_to_pick(public, pick[:at])
        if pick[at:] and keys:
            step = 1 if arrow in ("up", "right") else -1
            index = keys.index(pick[at]) + step if pick[at] in keys else 0
            return self._with_forced_keys(public, pick[:at] + keys[index % len(keys)])
        return pick

    def draft_from_pick(self, state: Any, pick: Any) -> Draft:
        """The draft of a pick, judged by public knowledge, so that moving over pieces reveals nothing."""
        public = self.rules.seat_view(state, None)
        draft = self.draft_from_keys(public, pick) if pick else None
        if draft is None:
            return Draft(pick or "–", None, "no", message=text("no move known"))
        if draft.verdict == "ok" and is_draw(draft.event or "-"):
            pieces = (self.with_printed_names(piece) for piece in (draft.event or "").split()[1:])
            return draft._replace(working=" ".join(pieces) or draft.working)
        has_next = draft.verdict == "more" and self._keys_to_pick(public, pick)
        return draft._replace(next_step=draft.next_step or text("next")) if has_next else draft

    def refused_draft(self, draft: Draft, refused: "RefusedError") -> Draft:
        """The draft after the rules have refused it because of something that the panel could not show.

        Before OK it had a tick; afterwards it has a cross.
        """
        return draft._replace(verdict="no", message=refused.conflict, next_step="")

    def pick_after_ok(self, state: Any, pick: Any) -> Any | None:
        """The next pick after OK; None if the pick is complete, so that OK plays its draft."""
        if not isinstance(pick, str) or self.draft_from_pick(state, pick).verdict != "more":
            return None
        public = self.rules.seat_view(state, None)
        following = self._keys_to_pick(public, pick)
        return self._with_forced_keys(public, pick + following[0]) if following else None

    def pick_after_back(self, state: Any, pick: Any) -> Any | None:
        """The pick without its last step, after BACK; None if there is no step to undo."""
        if not isinstance(pick, str):
            return None
        return pick[: self._changed_position(self.rules.seat_view(state, None), pick)] or None

    def _keys_to_pick(self, public: Any, keys: str) -> str:
        """The keys that may follow: those that lead to a move, or all that mean something if none does."""
        drafts = {
            key: draft
            for key in _PICKED_KEYS
            if self.effective_keys(public, keys + key) == keys + key
            and (draft := self.draft_from_keys(public, keys + key)) is not None
        }
        fitting = "".join(key for key, draft in drafts.items() if draft.verdict != "no")
        return fitting if fitting or keys else "".join(drafts)

    def _with_forced_keys(self, public: Any, keys: str) -> str:
        """The keys, with each further one that is the only one to follow an incomplete draft."""
        while (
            keys
            and (draft := self.draft_from_keys(public, keys)) is not None
            and draft.verdict == "more"
            and len(following := self._keys_to_pick(public, keys)) == 1
        ):
            keys += following
        return keys

    def _changed_position(self, public: Any, keys: str) -> int:
        """The position of the last key that others could replace; 0 if there is none."""
        return next((at for at in range(len(keys) - 1, 0, -1) if len(self._keys_to_pick(public, keys[:at])) > 1), 0)

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
    | no | its reason, as before |
    """
    if draft is None or draft.verdict == "more":
        return None
    if draft.verdict == "ok":
        message = PASS_OR_ERASE_TEXT if is_claim else PRESS_HASH_TEXT
        return draft._replace(message=DRAW_OR_ERASE_TEXT if is_draw(draft.event or "-") else message)
    return draft


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
