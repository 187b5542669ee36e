"""Correcting a piece that was named wrongly: at the panel, where its owner names it again, or from a phone.

The piece is replaced in its deal or refill, and all later events are replayed. Who has to agree:

================================= ===============================
the hand                          is corrected
================================= ===============================
is still being entered            at once
was handed in, no move yet        at once
was handed in, after a move       if another player agrees
================================= ===============================

No message names a piece that others may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.model import BaseDue
from companion.evening.screen_kinds import PrivateScreen
from companion.evening.screens.messages import Confirmation, Notice, RefusalScreen
from companion.evening.screens.play import round_actions
from companion.evening.screens.private.hints import LookAway
from companion.games.api import RefusedError
from companion.games.api.computer_players import look_away_text
from companion.inputs import CorrectPieceRequest
from companion.languages import text
from companion.rounds import on_table

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.rounds.on_table import Naming, Round


def next_picker_position(positions: list[tuple[int, int]], cursor: tuple[int, int], key: str) -> tuple[int, int]:
    """The picker's position after an arrow: right and left in reading order, up and down to the nearest row."""
    if not positions:
        return cursor
    if key in ("right", "left"):
        return next_position(positions, cursor, is_forward=key == "right")
    row, column = cursor
    others = sorted({line for line, _ in positions} - {row}, reverse=key == "up")
    if not others:
        return cursor
    other = next((line for line in others if (line > row) == (key == "down")), others[0])
    return other, min((place for line, place in positions if line == other), key=lambda place: abs(place - column))


def next_position(positions: list[tuple[int, int]], cursor: tuple[int, int], *, is_forward: bool) -> tuple[int, int]:
    """The next position in reading order, or the one before; it wraps round. `cursor` needn't be in `positions`."""
    if is_forward:
        return next((place for place in positions if place > cursor), positions[0])
    return next((place for place in reversed(positions) if place < cursor), positions[-1])


def pickable_positions(
    round_: Round, word: str, seat: int, named_pieces: tuple[str, ...], current_piece: str = ""
) -> list[tuple[int, int]]:
    """The positions of a grid whose pieces can exist besides those `named_pieces`, and the position of `current_piece`.

    They are in reading order, and depend on public knowledge alone.
    """
    spare = round_.move_input.available_pieces(round_.game.seat_view(round_.state, None), word, seat)
    return [
        (row, column)
        for row, pieces in enumerate(round_.move_input.piece_rows(word, round_.options))
        for column, piece in enumerate(pieces)
        if spare is None or spare.get(piece, 0) > named_pieces.count(piece) or piece == current_piece
    ]


def position_of(grid: Sequence[Sequence[str]], piece: str) -> tuple[int, int] | None:
    """The row and column of a piece in a grid, None if it isn't there."""
    return next(((row, list(line).index(piece)) for row, line in enumerate(grid) if piece in line), None)


def correct_or_ask(
    session: Session, round_: Round, seat: int, naming_number: int, pieces: str,
    *, on_declined: Callable[[Session, str], Session] | None = None,
) -> Session:  # fmt: skip
    """Correct a piece if no move has been made yet, else ask another player.

    `on_declined` reports a no to the phone that asks, and is None where the box asks. A phone's question may interrupt
    anything.
    """
    if not round_.events:
        if on_declined is None:
            return _correct_and_report(session, seat, naming_number, pieces)
        return _correct_and_keep_screens(session, naming_number, pieces)
    other = seat % len(round_.header.names) + 1
    lines = (text("{who} has named a piece wrongly.", who=round_.player_name(seat)),)
    does = partial(_correct_after_consent, naming_number=naming_number, pieces=pieces)
    question = Confirmation(does, text("Correct a piece?"), lines, (seat, other), (seat,), on_declined=on_declined)
    return session.open_screens(question)


def _correct_after_consent(session: Session, naming_number: int, pieces: str) -> Session:
    """Correct the piece, or refuse that if a later event would become impossible; a message says which."""
    round_ = session.round
    if round_ is None:
        return session
    seat = [*round_.deals, *(("", seat, event) for seat, event in round_.events)][naming_number - 1][1]
    return _correct_and_report(session, seat, naming_number, pieces)


def _correct_and_report(session: Session, seat: int, naming_number: int, pieces: str) -> Session:
    """Correct the piece, and tell everybody; where the piece lies face up, also what it was and is now."""
    round_ = session.current_round
    try:
        after = _correct_and_keep_screens(session, naming_number, pieces)
        now = after.current_round
        # A player who still has to draw is not to move yet.
        turn = now.turn if now.move_input.due_refill(now.state) is None else None
        message = _change_text(round_, now, seat, naming_number)
        follows = text("{who} is to move", who=round_.player_name(turn)) if turn is not None else ""
    except RefusedError as refused:
        after = session
        message = text("can't correct that piece")
        follows = refused.figure if refused.code == "mend" else text("It was already named or played")
    return after.open_screens(Notice("mended", round_.player_name(seat), (message,), follows))


def _change_text(before: Round, after: Round, seat: int, naming_number: int) -> str:
    """What was corrected, for everybody: ``corrected a piece: +2 → +5`` where it lies face up."""
    naming_before, naming_after = (
        next(each for each in on_table.find_namings(round_, seat) if each.number == naming_number)
        for round_ in (before, after)
    )
    changed = [
        pieces for pieces in zip(naming_before.pieces, naming_after.pieces, strict=True) if pieces[0] != pieces[1]
    ]
    if len(changed) != 1 or on_table.is_hidden(before, naming_before.word, changed[0]):
        return text("corrected a piece")
    one, other = map(before.move_input.with_printed_names, changed[0])
    return text("corrected a piece: {before} → {after}", before=one, after=other)


def _correct_and_keep_screens(session: Session, naming_number: int, pieces: str) -> Session:
    """Correct a piece in the round, which is saved."""
    return restore_screens(round_actions.correct_pieces(session, naming_number, pieces), session)


def restore_screens(after: Session, before: Session) -> Session:
    """Go back to the screens from before a phone's request, with somebody else's draft if it still fits."""
    return after.replace_screen(BaseDue(before.screens)) if after.is_at_base else after


class DraftHand(NamedTuple):
    """A hand that is still being entered, in the draft below: its word, and the word of its grid of pieces."""

    holding_word: str
    grid_word: str


class CorrectionScreen(PrivateScreen):
    """A player's own pieces, in the order in which they were named, one of which is corrected.

    Arrows move the cursor, OK names the piece under it anew: typed, or picked with arrows and OK. BACK erases or
    leaves.

    Attributes:
        seat: whose pieces they are.
        pieces: the pieces.
        cursor_index: the piece under the cursor, from 0.
        is_naming: whether that piece is being named anew.
        typed_keys: the keys of the new piece, while it is typed.
        picker_position: the picker's row and column in the grid, None while typing.
        had_stray_key: whether the last key did nothing.
        had_misfit: whether any key of the new piece did nothing.
        draft_hand: the hand that is still being entered, None for pieces that were handed in.
        is_held: whether it is shown only until OK is released.
        is_face_up: whether all these pieces lie face up on the table, so that the voice may say them.
    """

    seat: int
    pieces: tuple[str, ...]
    cursor_index: int = 0
    is_naming: bool = False
    typed_keys: str = ""
    picker_position: tuple[int, int] | None = None
    had_stray_key: bool = False
    had_misfit: bool = False
    draft_hand: DraftHand | None = None
    is_held: bool = False
    is_face_up: bool = False

    @property
    def letter_keys(self) -> Literal["arrows", "keys"]:
        return "keys" if self.is_naming else "arrows"

    @property
    def privacy_screen(self) -> LookAway:
        screen = self._replace(is_naming=False, typed_keys="", picker_position=None, is_held=False)
        return LookAway(self.seat, "mend", screen)

    def _leave(self, session: Session) -> Session:
        """Close this screen and its privacy screen. The draft or the table is below."""
        return session.close_screen().close_screen()

    def release(self, session: Session, key: str) -> Session:
        return self._leave(session) if self.is_held and key == "ok" else session

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if round_ is None:
            return session
        screen = self._replace(had_stray_key=False, is_held=False)
        if not self.is_naming:
            return screen._choose_piece(session, round_, key)
        if key == "*":
            back = screen._replace(typed_keys=self.typed_keys[:-1]) if self.typed_keys else screen._choosing_again()
            return double_taps.mark_erased(session.replace_screen(back))
        if key == "#":
            piece = self.picked_piece(round_)
            return screen._replace_piece(session, round_, piece) if piece else session.replace_screen(screen)
        if key in ("up", "down", "left", "right"):
            places = self.pickable_positions(round_)
            cursor = (
                self._first_position(round_)
                if self.picker_position is None
                else next_picker_position(places, self.picker_position, key)
            )
            return session.replace_screen(screen._replace(typed_keys="", picker_position=cursor))
        return screen._take_key(session, round_, key)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        pieces = tuple(round_.move_input.printed_piece(piece, round_.options) for piece in self.pieces)
        title, name = text("Correct"), round_.player_name(self.seat)
        if not self.is_naming:
            is_look = self.draft_hand is not None
            hints = kinds.ok_and_back_hints("correct" if is_look else "choose", "back")
            heading = text("My pieces") if is_look else text("Which one?")
            return kinds.OwnPieces(heading, name, pieces, self.cursor_index, hints)
        wrong = pieces[self.cursor_index]
        back = kinds.KeyHint("back", text("undo") if self.typed_keys else text("back"))
        if self.picker_position is None:
            kind, entry = self._grid_word(round_), round_.move_input
            told = entry.piece_keys_text(kind, round_.options) or text("type the right one")
            said = entry.stray_piece_key_text(self.typed_keys, kind, round_.options) if self.had_stray_key else told
            return kinds.Mend(title, name, wrong, f"{entry.partial_piece_text(self.typed_keys)}_", said, (), 0, (back,))
        line = [place for place in self.pickable_positions(round_) if place[0] == self.picker_position[0]] or [
            self.picker_position
        ]
        words = round_.move_input.printed_piece
        new = self.picked_piece(round_)
        row = tuple(words(self._replace(picker_position=place).picked_piece(round_), round_.options) for place in line)
        ok = kinds.KeyHint("ok", text("keep it") if new == self.pieces[self.cursor_index] else text("replace"))
        column = line.index(self.picker_position) if self.picker_position in line else 0
        return kinds.Mend(title, name, wrong, words(new, round_.options), "", row, column, (ok, back))

    def picked_piece(self, round_: Round) -> str:
        """The piece under the picker, "" where there is none."""
        if self.picker_position is None:
            return ""
        row, column = self.picker_position
        return self._grid(round_)[row][column]

    def pickable_positions(self, round_: Round) -> list[tuple[int, int]]:
        """The positions of the grid that can be picked, by public knowledge and the owner's other pieces.

        The piece that is corrected is always one of them: the picker starts on it, and OK there keeps it as it is.
        """
        # Once the round has events, own pieces may lie on the table, where public knowledge counts them already.
        others = () if round_.events else (*self.pieces[: self.cursor_index], *self.pieces[self.cursor_index + 1 :])
        return pickable_positions(round_, self._grid_word(round_), self.seat, others, self.pieces[self.cursor_index])

    def _choose_piece(self, session: Session, round_: Round, key: str) -> Session:
        """Take a key while a piece is chosen."""
        if key == "*":
            return self._leave(session)
        if key == "#":
            next_screen = self._replace(is_naming=True)
            if session.uses_buttons:
                next_screen = next_screen._replace(picker_position=next_screen._first_position(round_))
            return session.replace_screen(next_screen)
        step = {"left": -1, "up": -1, "right": 1, "down": 1}.get(key, 0)
        return session.replace_screen(
            self._replace(cursor_index=(self.cursor_index + step) % len(self.pieces), had_stray_key=not step)
        )

    def _take_key(self, session: Session, round_: Round, key: str) -> Session:
        """Take a key of the new piece. A complete piece replaces the old one at once."""
        parsed = round_.move_input.parse_typed_pieces(self.typed_keys + key, self._grid_word(round_), round_.options)
        grid = {piece for row in self._grid(round_) for piece in row}
        if parsed is None or len(parsed[0]) > 1 or any(piece not in grid for piece in parsed[0]):
            return session.replace_screen(self._replace(picker_position=None, had_stray_key=True, had_misfit=True))
        complete_pieces, remaining_keys = parsed
        is_complete = bool(complete_pieces) and not remaining_keys
        if is_complete and self.had_misfit:  # The panel shows the piece first, and OK takes it.
            return session.replace_screen(
                self._replace(typed_keys="", picker_position=position_of(self._grid(round_), complete_pieces[0]))
            )
        if is_complete:
            return self._replace_piece(session, round_, complete_pieces[0])
        return session.replace_screen(self._replace(typed_keys=self.typed_keys + key, picker_position=None))

    def _replace_piece(self, session: Session, round_: Round, piece: str) -> Session:
        """Replace the piece, in the draft below or in the round."""
        pieces = (*self.pieces[: self.cursor_index], piece, *self.pieces[self.cursor_index + 1 :])
        if self.draft_hand is not None:
            draft = self._leave(session)
            return draft.replace_screen(draft.screen._replace(pieces=pieces))
        if piece == self.pieces[self.cursor_index]:
            return session.replace_screen(self._choosing_again())
        naming, word, which = self._naming_of_piece(round_)
        assert naming is not None, "without an entry the piece was named before"
        try:
            _, pieces_text = on_table.requested_correction(
                round_, self.seat, CorrectPieceRequest(naming.number, which, piece)
            )
            return correct_or_ask(session.show_base_screen(), round_, self.seat, naming.number, pieces_text)
        except RefusedError as refused:
            if refused.figure in pieces and on_table.is_hidden(round_, word, (piece,)):
                # The owner knows which piece was named. The others must not learn it.
                refused = RefusedError(refused.code, text("That piece"), refused.conflict, refused.rule)
            return (
                session.replace_screen(self._choosing_again())
                .open_screens(RefusalScreen(refused))
                .play_sound("refused")
            )

    def _choosing_again(self) -> CorrectionScreen:
        """The pieces to choose from again."""
        return self._replace(is_naming=False, picker_position=None, typed_keys="", had_misfit=False)

    def _naming_of_piece(self, round_: Round) -> tuple[Naming | None, str, int]:
        """Where the piece under the cursor was named: its naming (None in a draft), the word, and its index there."""
        if self.draft_hand is not None:
            return None, self.draft_hand.holding_word, self.cursor_index
        named, which = on_table.correctable_pieces(round_, self.seat)[self.cursor_index]
        return named, named.word, which

    def _grid_word(self, round_: Round) -> str:
        return self._naming_of_piece(round_)[1] if self.draft_hand is None else self.draft_hand.grid_word

    def _grid(self, round_: Round) -> Sequence[Sequence[str]]:
        return round_.move_input.piece_rows(self._grid_word(round_), round_.options)

    def _first_position(self, round_: Round) -> tuple[int, int] | None:
        """Where the picker starts: on the piece that is corrected, else on the first position."""
        places = self.pickable_positions(round_)
        return position_of(self._grid(round_), self.pieces[self.cursor_index]) or (places[0] if places else None)


def no_correction_reason(round_: Round) -> str:
    """Why nothing can be corrected now; "" if something can."""
    if round_.is_over:
        return text("The round is over.")
    if correctable_seats(round_):
        return ""
    if any(on_table.find_namings(round_, seat) for seat in range(1, len(round_.header.names) + 1)):
        return text("All named pieces have been played.")
    return text("For pieces that were named. For a move, use Take back.")


def correctable_seats(round_: Round) -> list[int]:
    """The seats that hold pieces which they have named."""
    return [seat for seat in range(1, len(round_.header.names) + 1) if on_table.correctable_pieces(round_, seat)]


def open_correction(session: Session, seat: int) -> Session:
    """Show the pieces that a seat has handed in. If any is hidden, the others are asked to look away first."""
    round_ = session.round
    if round_ is None:
        return session
    correctable = on_table.correctable_pieces(round_, seat)
    screen = CorrectionScreen(seat, tuple(named.pieces[which] for named, which in correctable))
    return _open_privately(
        session.show_base_screen(),
        round_,
        screen,
        is_hidden=any(on_table.is_hidden(round_, named.word, named.pieces) for named, _ in correctable),
    )


def open_draft_correction(
    session: Session, seat: int, pieces: tuple[str, ...], cursor_index: int, draft_hand: DraftHand
) -> Session:
    """Show the pieces of a hand that is still being entered, the cursor on piece `cursor_index`, from 0."""
    round_ = session.round
    if round_ is None:
        return session
    screen = CorrectionScreen(seat, pieces, min(cursor_index, len(pieces) - 1), draft_hand=draft_hand)
    return _open_privately(
        session, round_, screen, is_hidden=on_table.is_hidden(round_, draft_hand.holding_word, pieces)
    )


def _open_privately(session: Session, round_: Round, screen: CorrectionScreen, *, is_hidden: bool) -> Session:
    asks_first = is_hidden and look_away_text(round_.header.names, screen.seat)
    screen = screen._replace(is_face_up=not is_hidden)
    session = session.open_screens(screen.privacy_screen)
    return session if asks_first else session.open_screens(screen)
