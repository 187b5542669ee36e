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
from companion.evening.screens.messages import Ask, Notice, Refusing
from companion.evening.screens.play import round_life
from companion.evening.screens.private.hints import LookAway
from companion.games.api import RefusedError
from companion.games.api.box_seats import look_away_text
from companion.inputs import CorrectPieceRequest
from companion.languages import text
from companion.rounds import on_table

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.rounds.on_table import Naming, Round


def walk(places: list[tuple[int, int]], cursor: tuple[int, int], key: str) -> tuple[int, int]:
    """The picker's position after an arrow: right and left in reading order, up and down to the nearest row."""
    if not places:
        return cursor
    if key in ("right", "left"):
        return next_place(places, cursor, forward=key == "right")
    row, column = cursor
    others = sorted({line for line, _ in places} - {row}, reverse=key == "up")
    if not others:
        return cursor
    other = next((line for line in others if (line > row) == (key == "down")), others[0])
    return other, min((place for line, place in places if line == other), key=lambda place: abs(place - column))


def next_place(places: list[tuple[int, int]], cursor: tuple[int, int], *, forward: bool) -> tuple[int, int]:
    """The next position in reading order, or the one before; it wraps round. `cursor` needn't be in `positions`."""
    if forward:
        return next((place for place in places if place > cursor), places[0])
    return next((place for place in reversed(places) if place < cursor), places[-1])


def pickable(round_: Round, word: str, seat: int, named: tuple[str, ...], kept: str = "") -> list[tuple[int, int]]:
    """The positions of a grid whose pieces can exist besides those `named_pieces`, and the position of `current_piece`.

    They are in reading order, and depend on public knowledge alone.
    """
    spare = round_.move_input.available_pieces(round_.game.seat_view(round_.state, None), word, seat)
    return [
        (row, column)
        for row, pieces in enumerate(round_.move_input.piece_rows(word, round_.options))
        for column, piece in enumerate(pieces)
        if spare is None or spare.get(piece, 0) > named.count(piece) or piece == kept
    ]


def place_of(grid: Sequence[Sequence[str]], piece: str) -> tuple[int, int] | None:
    """The row and column of a piece in a grid, None if it isn't there."""
    return next(((row, list(line).index(piece)) for row, line in enumerate(grid) if piece in line), None)


def ask_correction(
    session: Session, round_: Round, seat: int, place: int, named: str,
    *, declined: Callable[[Session, str], Session] | None = None,
) -> Session:  # fmt: skip
    """Correct a piece if no move has been made yet, else ask another player.

    `on_declined` reports a no to the phone that asks, and is None where the box asks. A phone's question may interrupt
    anything.
    """
    if not round_.events:
        if declined is None:
            return _tell_mended(session, seat, place, named)
        return _done(session, place, named)
    other = seat % len(round_.header.names) + 1
    lines = (text("{who} has named a piece wrongly.", who=round_.player_name(seat)),)
    does = partial(_mend_if_possible, place=place, named=named)
    question = Ask(does, text("Correct a piece?"), lines, (seat, other), (seat,), declined=declined)
    return session.open(question)


def _mend_if_possible(session: Session, place: int, named: str) -> Session:
    """Correct the piece, or refuse that if a later event would become impossible; a message says which."""
    round_ = session.round
    if round_ is None:
        return session
    seat = [*round_.deals, *(("", seat, event) for seat, event in round_.events)][place - 1][1]
    return _tell_mended(session, seat, place, named)


def _tell_mended(session: Session, seat: int, place: int, named: str) -> Session:
    """Correct the piece, and tell everybody; where the piece lies face up, also what it was and is now."""
    round_ = session.round_here
    try:
        after = _done(session, place, named)
        now = after.round_here
        # A player who still has to draw is not to move yet.
        turn = now.turn if now.move_input.due_refill(now.state) is None else None
        said = _change(round_, now, seat, place)
        follows = text("{who} is to move", who=round_.player_name(turn)) if turn is not None else ""
    except RefusedError as refused:
        after = session
        said = text("can't correct that piece")
        follows = refused.figure if refused.code == "mend" else text("It was already named or played")
    return after.open(Notice("mended", round_.player_name(seat), (said,), follows))


def _change(before: Round, after: Round, seat: int, place: int) -> str:
    """What was corrected, for everybody: ``corrected a piece: +2 → +5`` where it lies face up."""
    was, now = (
        next(each for each in on_table.find_namings(round_, seat) if each.number == place) for round_ in (before, after)
    )
    changed = [pieces for pieces in zip(was.pieces, now.pieces, strict=True) if pieces[0] != pieces[1]]
    if len(changed) != 1 or on_table.is_hidden(before, was.word, changed[0]):
        return text("corrected a piece")
    one, other = map(before.move_input.with_printed_names, changed[0])
    return text("corrected a piece: {before} → {after}", before=one, after=other)


def _done(session: Session, place: int, named: str) -> Session:
    """Correct a piece in the round, which is saved."""
    return keep_screens(round_life.mend(session, place, named), session)


def keep_screens(after: Session, before: Session) -> Session:
    """Go back to the screens from before a phone's request, with somebody else's draft if it still fits."""
    return after.show(BaseDue(before.screens)) if after.at_base else after


class Entry(NamedTuple):
    """A hand that is still being entered, in the draft below: its word, and the word of its grid of pieces."""

    word: str
    grid: str


class Mending(PrivateScreen):
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
    """

    seat: int
    pieces: tuple[str, ...]
    on: int = 0
    naming: bool = False
    keys: str = ""
    cursor: tuple[int, int] | None = None
    stray: bool = False
    misfit: bool = False
    entry: Entry | None = None

    @property
    def letters(self) -> Literal["arrows", "keys"]:
        return "keys" if self.naming else "arrows"

    @property
    def privacy_screen(self) -> LookAway:
        return LookAway(self.seat, "mend", self._replace(naming=False, keys="", cursor=None))

    def _leave(self, session: Session) -> Session:
        """Close this screen and its privacy screen. The draft or the table is below."""
        return session.close().close()

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if round_ is None:
            return session
        screen = self._replace(stray=False)
        if not self.naming:
            return screen._choose(session, round_, key)
        if key == "*":
            back = screen._replace(keys=self.keys[:-1]) if self.keys else screen._unnamed()
            return double_taps.mark_erased(session.show(back))
        if key == "#":
            piece = self.picked(round_)
            return screen._mend(session, round_, piece) if piece else session.show(screen)
        if key in ("up", "down", "left", "right"):
            places = self.offered(round_)
            cursor = self._near(round_) if self.cursor is None else walk(places, self.cursor, key)
            return session.show(screen._replace(keys="", cursor=cursor))
        return screen._type(session, round_, key)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        pieces = tuple(round_.move_input.printed_piece(piece, round_.options) for piece in self.pieces)
        title, name = text("Correct"), round_.player_name(self.seat)
        if not self.naming:
            return kinds.OwnPieces(text("Which one?"), name, pieces, self.on, kinds.ok_back("choose", "back"))
        wrong = pieces[self.on]
        back = kinds.KeyMeaning("back", text("undo") if self.keys else text("back"))
        if self.cursor is None:
            kind, entry = self._grid_word(round_), round_.move_input
            told = entry.piece_keys_text(kind, round_.options) or text("type the right one")
            said = entry.stray_piece_key_text(self.keys, kind, round_.options) if self.stray else told
            return kinds.Mend(title, name, wrong, f"{entry.partial_piece_text(self.keys)}_", said, (), 0, (back,))
        line = [place for place in self.offered(round_) if place[0] == self.cursor[0]] or [self.cursor]
        words = round_.move_input.printed_piece
        new = self.picked(round_)
        row = tuple(words(self._replace(cursor=place).picked(round_), round_.options) for place in line)
        ok = kinds.KeyMeaning("ok", text("keep it") if new == self.pieces[self.on] else text("replace"))
        column = line.index(self.cursor) if self.cursor in line else 0
        return kinds.Mend(title, name, wrong, words(new, round_.options), "", row, column, (ok, back))

    def picked(self, round_: Round) -> str:
        """The piece under the picker, "" where there is none."""
        return self._grid(round_)[self.cursor[0]][self.cursor[1]] if self.cursor is not None else ""

    def offered(self, round_: Round) -> list[tuple[int, int]]:
        """The positions of the grid that can be picked, by public knowledge and the owner's other pieces.

        The piece that is corrected is always one of them: the picker starts on it, and OK there keeps it as it is.
        """
        # Once the round has events, own pieces may lie on the table, where public knowledge counts them already.
        others = () if round_.events else (*self.pieces[: self.on], *self.pieces[self.on + 1 :])
        return pickable(round_, self._grid_word(round_), self.seat, others, self.pieces[self.on])

    def _choose(self, session: Session, round_: Round, key: str) -> Session:
        """Take a key while a piece is chosen."""
        if key == "*":
            return self._leave(session)
        if key == "#":
            there = self._replace(naming=True)
            if session.buttons:
                there = there._replace(cursor=there._near(round_))
            return session.show(there)
        by = {"left": -1, "up": -1, "right": 1, "down": 1}.get(key, 0)
        return session.show(self._replace(on=(self.on + by) % len(self.pieces), stray=not by))

    def _type(self, session: Session, round_: Round, key: str) -> Session:
        """Take a key of the new piece. A complete piece replaces the old one at once."""
        read = round_.move_input.parse_typed_pieces(self.keys + key, self._grid_word(round_), round_.options)
        grid = {piece for row in self._grid(round_) for piece in row}
        if read is None or len(read[0]) > 1 or any(piece not in grid for piece in read[0]):
            return session.show(self._replace(cursor=None, stray=True, misfit=True))
        whole, begun = read
        if whole and not begun and self.misfit:  # After a misfit the panel shows the piece first, and OK takes it.
            return session.show(self._replace(keys="", cursor=place_of(self._grid(round_), whole[0])))
        if whole and not begun:
            return self._mend(session, round_, whole[0])
        return session.show(self._replace(keys=self.keys + key, cursor=None))

    def _mend(self, session: Session, round_: Round, piece: str) -> Session:
        """Replace the piece, in the draft below or in the round."""
        pieces = (*self.pieces[: self.on], piece, *self.pieces[self.on + 1 :])
        if self.entry is not None:
            draft = self._leave(session)
            return draft.show(draft.screen._replace(pieces=pieces))
        if piece == self.pieces[self.on]:
            return session.show(self._unnamed())
        named, word, which = self._spot(round_)
        assert named is not None, "without an entry the piece was named before"
        try:
            _, said = on_table.requested_correction(round_, self.seat, CorrectPieceRequest(named.number, which, piece))
            return ask_correction(session.show_base(), round_, self.seat, named.number, said)
        except RefusedError as refused:
            if refused.figure in pieces and on_table.is_hidden(round_, word, (piece,)):
                # The owner knows which piece was named. The others must not learn it.
                refused = RefusedError(refused.code, text("That piece"), refused.conflict, refused.rule)
            return session.show(self._unnamed()).open(Refusing(refused)).sound("refused")

    def _unnamed(self) -> Mending:
        """The pieces to choose from again."""
        return self._replace(naming=False, cursor=None, keys="", misfit=False)

    def _spot(self, round_: Round) -> tuple[Naming | None, str, int]:
        """Where the piece under the cursor was named: its naming (None in a draft), the word, and its index there."""
        if self.entry is not None:
            return None, self.entry.word, self.on
        named, which = on_table.correctable_pieces(round_, self.seat)[self.on]
        return named, named.word, which

    def _grid_word(self, round_: Round) -> str:
        return self._spot(round_)[1] if self.entry is None else self.entry.grid

    def _grid(self, round_: Round) -> Sequence[Sequence[str]]:
        return round_.move_input.piece_rows(self._grid_word(round_), round_.options)

    def _near(self, round_: Round) -> tuple[int, int] | None:
        """Where the picker starts: on the piece that is corrected, else on the first position."""
        places = self.offered(round_)
        return place_of(self._grid(round_), self.pieces[self.on]) or (places[0] if places else None)


def why_no_correction(round_: Round) -> str:
    """Why nothing can be corrected now; "" if something can."""
    if round_.is_over:
        return text("The round is over.")
    if correcting_seats(round_):
        return ""
    named = any(on_table.find_namings(round_, seat) for seat in range(1, len(round_.header.names) + 1))
    if named:
        return text("All named pieces have been played.")
    return text("For pieces that were named. For a move, use Take back.")


def correcting_seats(round_: Round) -> list[int]:
    """The seats that hold pieces which they have named."""
    return [seat for seat in range(1, len(round_.header.names) + 1) if on_table.correctable_pieces(round_, seat)]


def open_mending(session: Session, seat: int) -> Session:
    """Show the pieces that a seat has handed in. If any is hidden, the others are asked to look away first."""
    round_ = session.round
    if round_ is None:
        return session
    found = on_table.correctable_pieces(round_, seat)
    screen = Mending(seat, tuple(named.pieces[which] for named, which in found))
    return _open_privately(
        session.show_base(),
        round_,
        screen,
        hidden=any(on_table.is_hidden(round_, named.word, named.pieces) for named, _ in found),
    )


def open_entry(session: Session, seat: int, pieces: tuple[str, ...], on: int, entry: Entry) -> Session:
    """Show the pieces of a hand that is still being entered, the cursor `cursor_index` one of them."""
    round_ = session.round
    if round_ is None:
        return session
    screen = Mending(seat, pieces, min(on, len(pieces) - 1), entry=entry)
    return _open_privately(session, round_, screen, hidden=on_table.is_hidden(round_, entry.word, pieces))


def _open_privately(session: Session, round_: Round, screen: Mending, *, hidden: bool) -> Session:
    asks_first = hidden and look_away_text(round_.header.names, screen.seat)
    session = session.open(screen.privacy_screen)
    return session if asks_first else session.open(screen)
