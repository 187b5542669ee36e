"""A move or pieces that are refused, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.contents import kinds
from companion.languages import text
from companion.rounds import on_table, referee
from companion.session import double_taps
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.game import Refused
    from companion.rounds.on_table import Round
    from companion.session.model import Session


class _Refusing(NamedTuple):
    refused: Refused
    back: Moment
    fresh: Moment | None = None


class Refusing(Moment, _Refusing):
    """A refusal that fills the panel until the next key; `back` is the moment with the entry, `fresh` a new entry.

    Without `fresh` the entry is kept for mending whatever is pressed, as pieces are that were dealt or drawn.
    """

    interruptible = True
    tells_its_guard = True
    thinking = True
    at_board = True
    letters_are_keys = True
    naming_goes_on = True

    @property
    def behind_notice(self) -> Moment:
        """The entry."""
        return self.back.behind_notice

    def ignores(self, session: Session, key: str) -> bool:
        """OK closes it only once it was seen."""
        return key == "#"

    def beneath(self, session: Session, key: str) -> Session | None:
        """Every key but OK and BACK counts for the entry."""
        return None if key in ("#", "*") else self._close(session)

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """BACK goes back to the entry, OK closes."""
        if key == "*":
            return double_taps.show_erased(session, self.back)
        return self._close(session)

    def _close(self, session: Session) -> Session:
        return session.show(self.back if self.fresh is None else self.fresh)

    def due(self, session: Session) -> float | None:
        """When own pieces beneath are covered by themselves."""
        return self.back.due(session) if self.back.covered is not self.back else None

    def tick(self, session: Session) -> Session:
        """Cover them."""
        return self.back.tick(session)

    def fits(self, waits: Moment) -> bool:
        """Whether the entry may stay."""
        return self.back.fits(waits)

    def says(self, session: Session) -> kinds.Content:
        """The reason; any key closes it once it was seen for long enough."""
        refused = self.refused
        figure, against = (referee.with_names(words, session.round) for words in (refused.figure, refused.against))
        meanings: tuple[kinds.KeyMeaning, ...] = ()
        if double_taps.takes_any_key(session):
            # Where any other key begins anew, BACK alone keeps the entry.
            again = text("and try again") if self.fresh is None else text("again")
            wrong = session.round is not None and told_wrongly(session.round, refused)  # There nothing is to be fixed.
            fixes = text("entry") if wrong else text("fix it")
            keeps = () if self.fresh is None else (kinds.KeyMeaning("back", fixes),)
            meanings = (kinds.KeyMeaning("any", again), *keeps)
        rule, needed = (referee.with_seats(words, session.round) for words in (refused.rule, refused.needed))
        round_ = session.round
        if round_ is not None and _must_draw(round_, refused):
            rule = text("Just drawn? Then enter the draw first.")
        elif round_ is not None and told_wrongly(round_, refused):
            rule = text("Told wrongly? In the menu: Correct a piece.")
        return kinds.Refusal(refused.code, figure, against, rule, needed, meanings)


def _must_draw(round_: Round, refused: Refused) -> bool:
    """Whether what is not held may just have been drawn."""
    return refused.code == "held" and round_.entry.forced(round_.known)


def told_wrongly(round_: Round, refused: Refused) -> bool:
    """Whether pieces that were told may be wrong: those of the seat to move, or those that another one holds."""
    if not round_.turn or _must_draw(round_, refused):
        return False
    if refused.row in refused.of_others:
        others = (seat for seat in range(1, len(round_.header.names) + 1) if seat != round_.turn)
        return any(on_table.correctable(round_, seat) for seat in others)
    return refused.code == "held" and bool(on_table.correctable(round_, round_.turn))
