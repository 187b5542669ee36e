"""Naming pieces, typed or picked: the open holdings of a deal, seat by seat, and the refills of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens.messages import RefusalScreen, ask_to_ignore_misfit_keys
from companion.evening.screens.play import round_actions, scenes, table_menu
from companion.evening.screens.private.corrections import (
    CorrectionScreen,
    DraftHand,
    next_picker_position,
    next_position,
    open_draft_correction,
    pickable_positions,
    position_of,
)
from companion.evening.screens.private.hints import LookAway, has_hold_button
from companion.games.api import RefusedError
from companion.games.api.manifest import holding_kind
from companion.games.api.screen import NamingScene, first_repeat_position
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.model import Screen, Session
    from companion.rounds.on_table import Round

LOOK_AFTER_SECONDS = 0.8
"""Seconds for which OK is held until it shows the pieces so far."""


class NamingScreen(MoveScreen):
    """Pieces are being named: a holding of the deal, or a refill in the round.

    An arrow shows the picker, in which OK adds a piece; digits and letters type one. Once all pieces are named, OK
    hands them in. BACK erases, and opens the table menu when nothing is left.

    Hidden pieces are shown to their owner, who may correct one, before all are named: by OK where they are typed, with
    buttons while OK is held. So from the first piece on an OK button counts when it is released.

    Attributes:
        kind: the kind of holding, or for a refill the event's word.
        seat: the seat whose pieces are named.
        size: the number of pieces to name.
        pieces: the pieces named so far.
        typed_keys: the keys of a piece that is not complete yet.
        cursor: the picker's row and column in the grid, None while typing.
        cursor_moved: whether the picker was moved since the last OK.
        refusal: why the pieces were refused, None if they weren't.
        stray_key: the last key, if it did nothing.
        grid_word: the word for the grid of pieces to pick from.
        misfit_keys: all keys that did nothing.
        ok_down_at: when the OK button went down that is still held, 0 for none.
    """

    kind: str
    seat: int
    size: int
    pieces: tuple[str, ...] = ()
    typed_keys: str = ""
    cursor: tuple[int, int] | None = None
    cursor_moved: bool = False
    refusal: RefusedError | None = None
    stray_key: str = ""
    grid_word: str = ""
    misfit_keys: str = ""
    ok_down_at: float = 0.0

    public_name = "Dealing"
    allows_naming = True
    shows_device_warning = False

    @property
    def can_erase(self) -> bool:
        return bool(self.pieces or self.typed_keys)

    def with_cancel_notice(self) -> NamingScreen:
        return self._replace(stray_key=scenes.CANCELLED)

    def fits_base_screen(self, base: Screen) -> bool:
        return isinstance(base, NamingScreen) and (self.kind, self.seat, self.size) == (base.kind, base.seat, base.size)

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Nobody may erase on a phone what another player names at the box.
        return ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if round_ is None:
            return session
        if key == "#" and self.pieces and self._is_secret(round_) and has_hold_button(session):
            return session.replace_screen(self._replace(stray_key="", ok_down_at=session.now))
        if key == "#":
            return self._replace(stray_key="")._take_ok(session, round_)
        screen = self._replace(refusal=None, stray_key="", ok_down_at=0.0)
        if key == "*":
            # Whoever erases has looked at what is entered.
            return screen._replace(misfit_keys="")._erase_last(session, round_)
        if key in ("up", "down", "left", "right"):
            positions = self.pickable_positions(round_)
            return session.replace_screen(screen._replace(typed_keys="").with_arrow(positions, key))
        if self.refusal is not None and len(self.pieces) >= self.size:
            # The pieces are refused as they are, and one more would be another mistake.
            return session.replace_screen(self._replace(stray_key=key))
        return session.replace_screen(screen._with_key(round_, key))

    def release(self, session: Session, key: str) -> Session:
        if key != "ok" or not self.ok_down_at:
            return session
        screen = self._replace(ok_down_at=0.0)
        return screen._take_ok(session.replace_screen(screen), session.current_round)

    def next_change_time(self, session: Session) -> float | None:
        return self.ok_down_at + LOOK_AFTER_SECONDS if self.ok_down_at else None

    def tick(self, session: Session) -> Session:
        """Show the hidden pieces so far while OK is held."""
        shown = self._replace(ok_down_at=0.0)._show_to_owner(session, len(self.pieces) - 1)
        away = shown.screen
        if isinstance(away, LookAway) and isinstance(away.private_screen, CorrectionScreen):
            shown = shown.open_screens(away.private_screen)
        return shown.replace_screen(shown.screen._replace(is_held=True))

    def _with_key(self, round_: Round, key: str) -> NamingScreen:
        """The draft after a key of a piece. One that begins a piece takes the place of another such key."""
        word, parse = self.grid_word or self.kind, round_.move_input.parse_typed_pieces
        parsed = parse(self.typed_keys + key, word, round_.options)
        if parsed is None and self.typed_keys:
            begun = parse(key, word, round_.options)
            parsed = begun if begun is not None and not begun[0] else None
        with_misfit = self._replace(cursor=None, misfit_keys=self.misfit_keys + key)
        if parsed is None or len(self.pieces) >= self.size:
            return with_misfit._replace(stray_key=key)
        complete_pieces, remaining_keys = parsed
        if any(self._is_unknown(round_, piece) for piece in complete_pieces):
            return with_misfit._replace(stray_key=key)
        return self._replace(pieces=(*self.pieces, *complete_pieces), typed_keys=remaining_keys, cursor=None)

    def _is_unknown(self, round_: Round, piece: str) -> bool:
        """Whether the game has no such face-up piece. Hidden pieces are only checked as a whole holding."""
        return not round_.move_input.is_piece_hidden(self.kind, piece) and not any(
            piece in row for row in self._grid(round_)
        )

    def _grid(self, round_: Round) -> Sequence[Sequence[str]]:
        return round_.move_input.piece_rows(self.grid_word or self.kind, round_.options)

    def pickable_positions(self, round_: Round) -> list[tuple[int, int]]:
        """The positions of the grid, in reading order, whose pieces can still be named.

        That depends on public knowledge and on what is entered. Once all pieces are named, the last one can be
        replaced.
        """
        return pickable_positions(round_, self.grid_word or self.kind, self.seat, self.pieces[: self.size - 1])

    def with_arrow(self, positions: list[tuple[int, int]], key: str) -> NamingScreen:
        """The draft after an arrow. The first arrow only shows the picker."""
        if not positions:
            return self
        if self.cursor is None:
            return self._replace(cursor=positions[0], cursor_moved=True)
        cursor = next_picker_position(positions, self.cursor, key)
        has_moved = cursor != self.cursor or key in ("left", "right")
        return self._replace(cursor=cursor, cursor_moved=True) if has_moved else self

    def _is_replacing_last(self, round_: Round) -> bool:
        """Whether all pieces are named, and OK would replace the last one by the piece under the picker."""
        if self.cursor is None or not self.cursor_moved or len(self.pieces) != self.size:
            return False
        return self._grid(round_)[self.cursor[0]][self.cursor[1]] != self.pieces[-1]

    def _erase_last(self, session: Session, round_: Round) -> Session:
        if self.typed_keys:
            return double_taps.mark_erased(session.replace_screen(self._replace(typed_keys=self.typed_keys[:-1])))
        if self.pieces:
            return double_taps.mark_erased(session.replace_screen(self._without_last(round_)))
        if double_taps.has_just_erased(session):
            return double_taps.ignore_back_after_erasing(session)
        return table_menu.open_table_menu(session)

    def _without_last(self, round_: Round) -> NamingScreen:
        """The draft without its last piece, and with the picker on that piece."""
        if self.cursor is None:
            return self._replace(pieces=self.pieces[:-1])
        cursor = position_of(self._grid(round_), self.pieces[-1]) or self.cursor
        return self._replace(pieces=self.pieces[:-1], cursor=cursor, cursor_moved=True)

    def with_picked_piece(self, round_: Round, cursor: tuple[int, int]) -> NamingScreen:
        """The draft with the piece under the picker, which stays there as long as there may be another one like it.

        Once all pieces are named, it replaces the last one.
        """
        piece = self._grid(round_)[cursor[0]][cursor[1]]
        screen = self._replace(pieces=(*self.pieces[: self.size - 1], piece), cursor_moved=False, refusal=None)
        positions = screen.pickable_positions(round_)
        # After the last piece the picker stays on it: OK hands the pieces in, and an arrow goes on from there.
        needs_next_position = bool(positions) and len(screen.pieces) < screen.size and cursor not in positions
        return screen._replace(
            cursor=next_position(positions, cursor, is_forward=True) if needs_next_position else cursor
        )

    def _take_ok(self, session: Session, round_: Round) -> Session:
        """Take OK: it adds the picked piece while some are missing, replaces the last one, or hands the pieces in."""
        missing_count = self.size - len(self.pieces)
        if self.cursor is not None and (missing_count > 0 or self._is_replacing_last(round_)):
            return session.replace_screen(self.with_picked_piece(round_, self.cursor))
        if self.typed_keys:
            return session.replace_screen(self._replace(stray_key="#"))
        if self.pieces and missing_count > 0 and self._is_secret(round_):
            return self._show_to_owner(session, len(self.pieces) - 1)
        if not self.pieces:
            return session.replace_screen(self._replace(stray_key="#"))
        if self.refusal is not None and not missing_count:
            return self._open_correction(session, self.refusal)
        if self.misfit_keys and not missing_count:  # A wrong number of pieces is refused without a question.
            return self._ask_without_misfits(session.replace_screen(self), round_)
        return self._submit(session, round_)

    def _ask_without_misfits(self, session: Session, round_: Round) -> Session:
        """Ask whether the pieces are right, although some keys did nothing. Keys of hidden pieces are not shown."""
        is_secret = any(
            round_.move_input.is_piece_hidden(self.kind, piece) for row in self._grid(round_) for piece in row
        )
        without_misfits = self._replace(misfit_keys="", stray_key="")
        question = text("Are these all the pieces?")
        return ask_to_ignore_misfit_keys(
            session, "" if is_secret else self.misfit_keys, question, without_misfits._submit_to_round
        )

    def _submit_to_round(self, session: Session) -> Session:
        return session if session.round is None else self._submit(session, session.round)

    def _submit(self, session: Session, round_: Round) -> Session:
        pieces_text = " ".join(self.pieces)
        try:
            kind = holding_kind(self.kind)
            if kind in round_.manifest.holdings and kind is not None:
                return round_actions.enter_holding(session, kind, self.seat, pieces_text)
            return round_actions.play_event(session, f"{self.kind} {pieces_text}")
        except RefusedError as refused:
            public_refusal = self._public_refusal(round_, refused, pieces_text)
            return (
                session.replace_screen(self._replace(refusal=public_refusal))
                .open_screens(RefusalScreen(public_refusal))
                .play_sound("refused")
            )

    def _open_correction(self, session: Session, refusal: RefusedError) -> Session:
        """Show the pieces to their owner, the cursor on the one that can't be right."""
        number = refusal.figure.removeprefix("piece ")
        at = self.pieces.index(refusal.figure) if refusal.figure in self.pieces else 0
        unrefused = self._replace(refusal=None, cursor=None)
        return unrefused._show_to_owner(session, int(number) - 1 if number.isdigit() else at)

    def _show_to_owner(self, session: Session, cursor_index: int) -> Session:
        """Show the pieces so far to their owner, the cursor on piece `cursor_index`, from 0."""
        hand = DraftHand(self.kind, self.grid_word or self.kind)
        return open_draft_correction(session.replace_screen(self), self.seat, self.pieces, cursor_index, hand)

    def _is_secret(self, round_: Round) -> bool:
        """Whether everything here is hidden from the other players."""
        holding = round_.manifest.holding_words(self.kind)
        return holding is not None and not holding.is_face_up

    def _public_refusal(self, round_: Round, refused: RefusedError, pieces_text: str) -> RefusedError:
        """The refusal of `pieces_text` without hidden pieces, which only their owner may read."""
        figure = refused.figure
        if figure in self.pieces and round_.move_input.is_piece_hidden(self.kind, figure):
            # The others must not learn which piece was wrong.
            figure = text("piece {number}", number=len(self.pieces) - self.pieces[::-1].index(figure))
        elif (
            figure
            and pieces_text.startswith(figure)
            and any(round_.move_input.is_piece_hidden(self.kind, each) for each in self.pieces)
        ):
            # Rules that can't read a text quote its beginning, which would show hidden pieces.
            figure = text("these pieces")
        if figure == refused.figure:
            return refused
        return RefusedError(refused.code, figure, refused.conflict, refused.rule)

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        holding = round_.manifest.holding_words(self.kind)
        is_hidden = self._is_secret(round_)
        rows, cursor = self._picker(round_)
        scene = NamingScene(
            kind=self.kind,
            noun=holding.noun if holding else self.kind,
            view=round_.game.seat_view(round_.state, None),
            options=round_.options,
            names=round_.header.names,
            seat=self.seat,
            size=self.size,
            pieces=tuple("" if round_.move_input.is_piece_hidden(self.kind, piece) else piece for piece in self.pieces),
            partial_piece="•" * len(self.typed_keys) if is_hidden else self.typed_keys,
            repeated_number=first_repeat_position(self.pieces),
            rows=rows,
            cursor=cursor,
            replaces_last=self._is_replacing_last(round_),
            stray_key_text=self._stray_key_line(round_),
            due_refill=None if holding else round_.move_input.due_refill(round_.state),
            is_hidden=is_hidden,
            uses_buttons=session.uses_buttons,
            excess=self._excess_piece(round_),
            was_refused=self.refusal is not None,
            can_hold_ok=is_hidden and has_hold_button(session),
        )
        return kinds.Drawn(round_.header.game, scene)

    def _stray_key_line(self, round_: Round) -> str:
        """The line after a key that did nothing; "" after any other key."""
        if self.stray_key == scenes.CANCELLED:
            return scenes.NOTHING_CHANGED_TEXT
        if not self.stray_key:
            return ""
        if len(self.pieces) >= self.size:
            return text("that is all; * deletes") if self.stray_key != "#" else ""
        if self.stray_key == "#" and not self.pieces and not self.typed_keys:
            return text("First name all {number}.", number=self.size) if self.size > 1 else text("First name it.")
        return round_.move_input.stray_piece_key_text(self.typed_keys, self.grid_word or self.kind, round_.options)

    def _excess_piece(self, round_: Round) -> tuple[str, int] | None:
        """The first piece named more often than there can be, by public knowledge, and how often there can be one."""
        spare = round_.move_input.available_pieces(
            round_.game.seat_view(round_.state, None), self.grid_word or self.kind, self.seat
        )
        if spare is None:
            return None
        surplus_piece = next((piece for piece in self.pieces if self.pieces.count(piece) > spare.get(piece, 0)), None)
        if surplus_piece is None:
            return None
        if round_.move_input.is_piece_hidden(self.kind, surplus_piece):
            return "", 0
        return surplus_piece, spare.get(surplus_piece, 0)

    def _picker(self, round_: Round) -> tuple[list[list[str]], tuple[int, int] | None]:
        """The rows of pieces that may still be named, and the picker's position in them."""
        grid, positions = self._grid(round_), self.pickable_positions(round_)
        lines = sorted({row for row, _ in positions})
        rows = [[grid[row][column] for row, column in positions if row == line] for line in lines]
        if self.cursor not in positions:
            return rows, None
        row, column = self.cursor
        return rows, (lines.index(row), sum(line == row and place < column for line, place in positions))
