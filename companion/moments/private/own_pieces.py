"""Mending at the panel: the owner selects one of their pieces and names it again, while the others look away.

A hand that is still being entered is changed at once; one that was handed in also at once before the first move, later
only with another player's consent, as from a phone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.contents import kinds
from companion.game import Refused
from companion.languages import text
from companion.moments.play import picker
from companion.moments.play.refusing import Refusing
from companion.moments.private import mending
from companion.moments.private.look_away import COVERED_SECONDS, LookAway
from companion.phone_requests import MendRequest
from companion.rounds import namings
from companion.session import double_taps
from companion.session.screen_kinds import PrivateScreen

if TYPE_CHECKING:
    from companion.rounds.namings import Naming
    from companion.rounds.on_table import Round
    from companion.session.model import Session
    from companion.session.screen_kinds import MoveScreen


class Entry(NamedTuple):
    """A hand that is still being entered: its word, the word of its grid, and the draft that goes on with pieces."""

    word: str
    grid: str
    go_on: Callable[[tuple[str, ...]], MoveScreen]


class Mending(PrivateScreen):
    """A player's own pieces, in the order in which they were named, one of which is corrected.

    The cursor is `on` a piece (from 0). After OK its replacement is named (`naming`): typed (`keys`) or picked
    (`cursor`, a row and column of its grid). `stray`: the last key meant nothing, `misfit`:
    one of its keys. `entry` is the hand that is still being entered, None for pieces that were handed in.
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
        """They are keys of the piece that is named."""
        return "keys" if self.naming else "arrows"

    @property
    def privacy_screen(self) -> LookAway:
        """The screen before it."""
        return LookAway(self.seat, "mend", self._replace(naming=False, keys="", cursor=None))

    def cover(self, session: Session) -> Session:
        """Show the privacy screen, which leads back to the pieces."""
        return session.close().show(self.privacy_screen)

    def _leave(self, session: Session) -> Session:
        """Close it with its privacy screen: the hand that is being entered is below, or the table."""
        return session.close().close()

    def due(self, session: Session) -> float:
        """When the pieces are covered by themselves."""
        return session.taps.pressed + COVERED_SECONDS

    def tick(self, session: Session) -> Session:
        """Cover them."""
        return self.cover(session)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """A key while a piece is chosen, or named anew."""
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
            cursor = self._near(round_) if self.cursor is None else picker.walk(places, self.cursor, key)
            return session.show(screen._replace(keys="", cursor=cursor))
        return screen._type(session, round_, key)

    def content(self, session: Session) -> kinds.Content:
        """The pieces to choose from; of the one that is named anew also what takes its place."""
        round_ = session.round_here
        pieces = tuple(round_.entry.piece_words(piece, round_.options) for piece in self.pieces)
        title, name = text("Correct"), round_.name(self.seat)
        if not self.naming:
            return kinds.OwnPieces(text("Which one?"), name, pieces, self.on, kinds.ok_back("choose", "back"))
        wrong = pieces[self.on]
        back = kinds.KeyMeaning("back", text("undo") if self.keys else text("back"))
        if self.cursor is None:
            kind, entry = self._grid_word(round_), round_.entry
            told = entry.piece_keys(kind, round_.options) or text("type the right one")
            said = entry.stray_piece(self.keys, kind, round_.options) if self.stray else told
            return kinds.Mend(title, name, wrong, f"{entry.begun(self.keys)}_", said, (), 0, (back,))
        line = [place for place in self.offered(round_) if place[0] == self.cursor[0]] or [self.cursor]
        words = round_.entry.piece_words
        new = self.picked(round_)
        row = tuple(words(self._replace(cursor=place).picked(round_), round_.options) for place in line)
        ok = kinds.KeyMeaning("ok", text("keep it") if new == self.pieces[self.on] else text("replace"))
        column = line.index(self.cursor) if self.cursor in line else 0
        return kinds.Mend(title, name, wrong, words(new, round_.options), "", row, column, (ok, back))

    def picked(self, round_: Round) -> str:
        """The piece under the picker, "" where there is none."""
        return self._grid(round_)[self.cursor[0]][self.cursor[1]] if self.cursor is not None else ""

    def offered(self, round_: Round) -> list[tuple[int, int]]:
        """The places of the grid that can be picked, by public knowledge and the owner's other pieces.

        The piece that is mended is always one of them: the picker starts on it, and OK there keeps it as it is.
        """
        spare = round_.entry.spare(round_.game.view(round_.state, None), self._grid_word(round_), self.seat)
        # Once the round runs, own pieces may lie on the table already: what everybody sees counts them.
        others = () if round_.events else (*self.pieces[: self.on], *self.pieces[self.on + 1 :])
        return [
            (row, column)
            for row, pieces in enumerate(self._grid(round_))
            for column, piece in enumerate(pieces)
            if spare is None or spare.get(piece, 0) > others.count(piece) or piece == self.pieces[self.on]
        ]

    def _choose(self, session: Session, round_: Round, key: str) -> Session:
        """Arrows walk over the pieces, OK names the one under the cursor anew, BACK leaves."""
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
        """A key of the piece; a whole one is put in at once."""
        read = round_.entry.pieces(self.keys + key, self._grid_word(round_), round_.options)
        grid = {piece for row in self._grid(round_) for piece in row}
        if read is None or len(read[0]) > 1 or any(piece not in grid for piece in read[0]):
            return session.show(self._replace(cursor=None, stray=True, misfit=True))
        whole, begun = read
        if whole and not begun and self.misfit:  # The panel shows the piece, and OK puts it in.
            return session.show(self._replace(keys="", cursor=self._place(round_, whole[0])))
        if whole and not begun:
            return self._mend(session, round_, whole[0])
        return session.show(self._replace(keys=self.keys + key, cursor=None))

    def _mend(self, session: Session, round_: Round, piece: str) -> Session:
        """Put the piece in its place: in the entry, or in the round."""
        pieces = (*self.pieces[: self.on], piece, *self.pieces[self.on + 1 :])
        if self.entry is not None:
            return self._leave(session).show(self.entry.go_on(pieces))
        if piece == self.pieces[self.on]:
            return session.show(self._unnamed())
        named, word, which = self._spot(round_)
        assert named is not None, "without an entry the piece was named before"
        try:
            _, said = namings.requested(round_, self.seat, MendRequest(named.place, which, piece))
            return mending.ask(session.show_base(), round_, self.seat, named.place, said)
        except Refused as refused:
            if refused.figure in pieces and namings.masked(round_, word, (piece,)):
                # The owner knows what was named; the others are not to learn of what kind the slip was.
                refused = Refused(refused.code, text("That piece"), refused.against, refused.rule)
            return session.show(self._unnamed()).open(Refusing(refused)).sound("refused")

    def _unnamed(self) -> Mending:
        """The pieces to choose from again."""
        return self._replace(naming=False, cursor=None, keys="", misfit=False)

    def _spot(self, round_: Round) -> tuple[Naming | None, str, int]:
        """Where the piece under the cursor was named: its naming (None while it is entered), word, and which it is."""
        if self.entry is not None:
            return None, self.entry.word, self.on
        named, which = namings.mendable(round_, self.seat)[self.on]
        return named, named.word, which

    def _grid_word(self, round_: Round) -> str:
        return self._spot(round_)[1] if self.entry is None else self.entry.grid

    def _grid(self, round_: Round) -> list[tuple[str, ...]]:
        return [tuple(row) for row in round_.entry.grid(self._grid_word(round_), round_.options)]

    def _near(self, round_: Round) -> tuple[int, int] | None:
        """Where the picker starts: on the piece that is mended, else on the first place."""
        places = self.offered(round_)
        return self._place(round_, self.pieces[self.on]) or (places[0] if places else None)

    def _place(self, round_: Round, piece: str) -> tuple[int, int] | None:
        """The row and column of a piece in the grid."""
        places = ((row, line.index(piece)) for row, line in enumerate(self._grid(round_)) if piece in line)
        return next(places, None)
