"""Naming pieces, typed or picked: the open holdings of a deal, seat by seat, and the refills of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens.messages import Refusing, ask_without
from companion.evening.screens.play import round_life, scenes, table_menu
from companion.evening.screens.private.mending import Entry, next_place, open_entry, pickable, place_of, walk
from companion.games.api import RefusedError
from companion.games.api.manifest import holding_kind
from companion.games.api.screen import NamingScene, first_repeated_number
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.model import Screen, Session
    from companion.rounds.on_table import Round

LONGEST = 2
"""The most pieces too many that can be entered, so that a wrong count shows as one."""


class Dealing(MoveScreen):
    """Pieces are being named: a holding of the deal, or a refill in the round.

    An arrow shows the picker, in which OK adds a piece; digits and letters type one. Once all pieces are named, OK
    hands them in. BACK erases, and opens the table menu when nothing is left.

    Attributes:
        kind: the holding, or for a refill the event's word.
        seat: whose pieces they are.
        size: how many there have to be.
        pieces: the complete ones.
        typed_keys: the keys of an incomplete one.
        cursor: the picker's row and column in the grid, None while typing.
        cursor_moved: whether the picker was moved since the last OK.
        refusal: why the pieces were refused, None if they weren't.
        stray_key: the last key, if it did nothing.
        grid_word: the word for the grid of pieces to pick from.
        misfit_keys: all keys that did nothing.
    """

    kind: str
    seat: int
    size: int
    pieces: tuple[str, ...] = ()
    keys: str = ""
    cursor: tuple[int, int] | None = None
    moved: bool = False
    wrong: RefusedError | None = None
    stray: str = ""
    grid: str = ""
    misfits: str = ""

    naming_goes_on = True
    shows_missing = False

    @property
    def erases(self) -> bool:
        return bool(self.pieces or self.keys)

    def after_cancel(self) -> Dealing:
        return self._replace(stray=scenes.CANCELLED)

    def fits(self, base: Screen) -> bool:
        return isinstance(base, Dealing) and (self.kind, self.seat, self.size) == (base.kind, base.seat, base.size)

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # Nobody may erase on a phone what another player names at the box.
        return ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if round_ is None:
            return session
        if key == "#":
            return self._replace(stray="")._enter(session, round_)
        screen = self._replace(wrong=None, stray="")
        if key == "*":
            return screen._erase(session, round_)
        if key in ("up", "down", "left", "right"):
            return session.show(screen._replace(keys="").walk(self.offered(round_), key))
        if self.wrong is not None and len(self.pieces) >= self.size:
            return session  # The pieces are refused as they are, and one more would be another mistake.
        return session.show(screen._type(round_, key))

    def _type(self, round_: Round, key: str) -> Dealing:
        read = round_.move_input.parse_typed_pieces(self.keys + key, self.grid or self.kind, round_.options)
        misfit = self._replace(cursor=None, misfits=self.misfits + key)
        if read is None:
            return misfit._replace(stray=key)
        if len(self.pieces) >= self.size + LONGEST:
            return misfit
        whole, begun = read
        if any(self._is_unknown(round_, piece) for piece in whole):
            return misfit._replace(stray=key)
        return self._replace(pieces=(*self.pieces, *whole), keys=begun, cursor=None)

    def _is_unknown(self, round_: Round, piece: str) -> bool:
        """Whether the game has no such face-up piece. Hidden pieces are only checked as a whole holding."""
        return not round_.move_input.is_piece_hidden(self.kind, piece) and not any(piece in row for row in self._grid(round_))

    def _grid(self, round_: Round) -> Sequence[Sequence[str]]:
        return round_.move_input.piece_rows(self.grid or self.kind, round_.options)

    def offered(self, round_: Round) -> list[tuple[int, int]]:
        """The positions of the grid, in reading order, whose pieces can still be named.

        That depends on public knowledge and on what is entered. Once all pieces are named, the last one can be
        replaced.
        """
        return pickable(round_, self.grid or self.kind, self.seat, self.pieces[: self.size - 1])

    def walk(self, places: list[tuple[int, int]], key: str) -> Dealing:
        """The draft after an arrow. The first arrow only shows the picker."""
        if not places:
            return self
        if self.cursor is None:
            return self._replace(cursor=places[0], moved=True)
        cursor = walk(places, self.cursor, key)
        moves = cursor != self.cursor or key in ("left", "right")
        return self._replace(cursor=cursor, moved=True) if moves else self

    def _replaces_last(self, round_: Round) -> bool:
        """Whether all pieces are named, and OK would replace the last one by the piece under the picker."""
        if self.cursor is None or not self.moved or len(self.pieces) != self.size:
            return False
        return self._grid(round_)[self.cursor[0]][self.cursor[1]] != self.pieces[-1]

    def _erase(self, session: Session, round_: Round) -> Session:
        if self.keys:
            return double_taps.mark_erased(session.show(self._replace(keys=self.keys[:-1])))
        if self.pieces:
            return double_taps.mark_erased(session.show(self._without_last(round_)))
        if double_taps.just_erased(session):
            return double_taps.wait_after_erasing(session)
        return table_menu.open_menu(session)

    def _without_last(self, round_: Round) -> Dealing:
        """The draft without its last piece, and with the picker on that piece."""
        if self.cursor is None:
            return self._replace(pieces=self.pieces[:-1])
        cursor = place_of(self._grid(round_), self.pieces[-1]) or self.cursor
        return self._replace(pieces=self.pieces[:-1], cursor=cursor, moved=True)

    def pick(self, round_: Round, cursor: tuple[int, int]) -> Dealing:
        """The draft with the piece under the picker, which stays there as long as there may be another one like it.

        Once all pieces are named, it replaces the last one.
        """
        piece = self._grid(round_)[cursor[0]][cursor[1]]
        screen = self._replace(pieces=(*self.pieces[: self.size - 1], piece), moved=False, wrong=None)
        places = screen.offered(round_)
        # After the last piece the picker stays on it: OK hands the pieces in, and an arrow goes on from there.
        goes_on = bool(places) and len(screen.pieces) < screen.size and cursor not in places
        return screen._replace(cursor=next_place(places, cursor, forward=True) if goes_on else cursor)

    def _enter(self, session: Session, round_: Round) -> Session:
        """Take OK: it adds the picked piece while some are missing, replaces the last one, or hands the pieces in."""
        missing = self.size - len(self.pieces)
        if self.cursor is not None and (missing > 0 or self._replaces_last(round_)):
            return session.show(self.pick(round_, self.cursor))
        if self.keys:
            return session.show(self._replace(stray="#"))
        if not self.pieces:
            return session  # The panel shows already how many pieces are missing.
        if self.wrong is not None and not missing:
            return self._mend(session, self.wrong)
        if self.misfits:
            return self._ask_without(session.show(self), round_)
        return self._hand_in(session, round_)

    def _ask_without(self, session: Session, round_: Round) -> Session:
        """Ask whether the pieces are right without the keys that did nothing. Those keys may be secret."""
        secret = any(round_.move_input.is_piece_hidden(self.kind, piece) for row in self._grid(round_) for piece in row)
        counts = self._replace(misfits="", stray="")
        question = text("Are these all the pieces?")
        return ask_without(session, "" if secret else self.misfits, question, counts._hand_in_later)

    def _hand_in_later(self, session: Session) -> Session:
        return session if session.round is None else self._hand_in(session, session.round)

    def _hand_in(self, session: Session, round_: Round) -> Session:
        named = " ".join(self.pieces)
        try:
            kind = holding_kind(self.kind)
            if kind in round_.manifest.holdings and kind is not None:
                return round_life.deal(session, kind, self.seat, named)
            return round_life.commit(session, f"{self.kind} {named}")
        except RefusedError as refused:
            wrong = self._unnamed(round_, refused, named)
            return session.show(self._replace(wrong=wrong)).open(Refusing(wrong)).sound("refused")

    def _mend(self, session: Session, wrong: RefusedError) -> Session:
        """Show the pieces to their owner, the cursor on the one that can't be right."""
        number = wrong.figure.removeprefix("piece ")
        at = self.pieces.index(wrong.figure) if wrong.figure in self.pieces else 0
        right = self._replace(wrong=None, cursor=None)
        entry = Entry(self.kind, self.grid or self.kind)
        return open_entry(
            session.show(right), self.seat, self.pieces, int(number) - 1 if number.isdigit() else at, entry
        )

    def _unnamed(self, round_: Round, refused: RefusedError, named: str) -> RefusedError:
        """A refusal without the hidden pieces, which only their owner may read; `pieces_text` was handed in."""
        figure = refused.figure
        if figure in self.pieces and round_.move_input.is_piece_hidden(self.kind, figure):
            # The others must not learn which piece was wrong.
            figure = text("piece {number}", number=len(self.pieces) - self.pieces[::-1].index(figure))
        elif figure and named.startswith(figure) and any(round_.move_input.is_piece_hidden(self.kind, each) for each in self.pieces):
            # Rules that can't read a text quote its beginning, which would show hidden pieces.
            figure = text("these pieces")
        return refused if figure == refused.figure else RefusedError(refused.code, figure, refused.conflict, refused.rule)

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        held = round_.manifest.holding_words(self.kind)
        hidden = held is not None and not held.is_face_up
        rows, cursor = self._picker(round_)
        drawn = NamingScene(
            kind=self.kind,
            noun=held.noun if held else self.kind,
            view=round_.game.seat_view(round_.state, None),
            options=round_.options,
            names=round_.header.names,
            seat=self.seat,
            size=self.size,
            pieces=tuple("" if round_.move_input.is_piece_hidden(self.kind, piece) else piece for piece in self.pieces),
            partial_piece="•" * len(self.keys) if hidden else self.keys,
            repeated_number=first_repeated_number(self.pieces),
            rows=rows,
            cursor=cursor,
            replaces_last=self._replaces_last(round_),
            stray_key_text=self._stray_piece(round_),
            due_refill=None if held else round_.move_input.due_refill(round_.state),
            is_hidden=hidden,
            uses_buttons=session.buttons,
            excess=self._excess(round_),
            was_refused=self.wrong is not None,
        )
        return kinds.Drawn(round_.header.game, drawn)

    def _stray_piece(self, round_: Round) -> str:
        """The line after a key that did nothing; "" after any other key."""
        if self.stray == scenes.CANCELLED:
            return scenes.NOTHING_CHANGED
        if len(self.pieces) >= self.size and not self.keys:
            return ""  # All pieces are named, so no key is missing.
        return round_.move_input.stray_piece_key_text(self.keys, self.grid or self.kind, round_.options) if self.stray else ""

    def _excess(self, round_: Round) -> tuple[str, int] | None:
        """The first piece named more often than there can be, by public knowledge, and how often there can be one."""
        spare = round_.move_input.available_pieces(round_.game.seat_view(round_.state, None), self.grid or self.kind, self.seat)
        if spare is None:
            return None
        found = next((piece for piece in self.pieces if self.pieces.count(piece) > spare.get(piece, 0)), None)
        if found is None:
            return None
        return ("", 0) if round_.move_input.is_piece_hidden(self.kind, found) else (found, spare.get(found, 0))

    def _picker(self, round_: Round) -> tuple[list[list[str]], tuple[int, int] | None]:
        """The rows of pieces that may still be named, and the picker's position in them."""
        grid, places = self._grid(round_), self.offered(round_)
        lines = sorted({row for row, _ in places})
        rows = [[grid[row][column] for row, column in places if row == line] for line in lines]
        if self.cursor not in places:
            return rows, None
        row, column = self.cursor
        return rows, (lines.index(row), sum(line == row and place < column for line, place in places))
