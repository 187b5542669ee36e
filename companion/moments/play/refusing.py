"""A move or pieces that are refused, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import text
from companion.rounds import namings, referee
from companion.session import double_taps
from companion.session.screen_kinds import MessageScreen, PrivateScreen

if TYPE_CHECKING:
    from companion.game import Refused
    from companion.rounds.on_table import Round
    from companion.session.model import Screen, Session


class Refusing(MessageScreen):
    """A refusal that fills the panel until the next key, over the refused draft; `fresh` is the new one after it.

    BACK leads to the draft. Without `fresh` it is kept whatever is pressed, as pieces are that were dealt or drawn.
    """

    refused: Refused
    fresh: Screen | None = None

    thinking = True

    def close(self, session: Session) -> Session:
        """Show the new draft, or the refused one."""
        return session.close() if self.fresh is None else session.close().show(self.fresh)

    def due(self, session: Session) -> float | None:
        """When own pieces below are covered by themselves."""
        below = session.close()
        return below.screen.due(below) if isinstance(below.screen, PrivateScreen) else None

    def tick(self, session: Session) -> Session:
        """Cover them."""
        below = session.close()
        return below.screen.tick(below)

    def content(self, session: Session) -> kinds.Content:
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
        return any(namings.mendable(round_, seat) for seat in others)
    return refused.code == "held" and bool(namings.mendable(round_, round_.turn))
