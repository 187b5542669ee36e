"""The match so far, between its rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.contents import kinds
from companion.languages import Text, text
from companion.moments.play import round_life, table_menu
from companion.rounds import matches
from companion.session.model import Screen

if TYPE_CHECKING:
    from companion.rounds.on_table import Round
    from companion.session.model import Session


class MatchScore(Screen):
    """The match so far, between rounds."""

    def ignores(self, session: Session, key: str) -> bool:
        """No key counts before the result was seen."""
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK begins the next round, or after a match that is won such a match again; BACK leads back to the result.

        After a won match BACK opens the table menu, on "Main menu".
        """
        round_ = session.round
        won = round_ is not None and matches.champion(round_)
        if key == "*":
            return table_menu.open_menu(session) if won else session.close()
        if key != "#" or round_ is None:
            return session
        if won:
            return round_life.begin(session._replace(previous=round_), matches.again(matches.following(round_)))
        return round_life.begin_following(session)

    def content(self, session: Session) -> kinds.Content:
        """Who has won how many rounds, and who starts the next."""
        round_ = session.round_here
        won = dict(matches.wins(round_))
        names = round_.header.names if len(round_.header.names) > 2 else sorted(round_.header.names)
        champion, goal = matches.champion(round_), round_.header.goal
        if champion:
            note, meanings = text("{who} wins", who=champion), kinds.ok_back(text("rematch"), text("menu"))
        else:
            starts = text("{who} starts", who=matches.following(round_).names[0])
            ok = kinds.KeyMeaning("ok", starts, (text("next round"), text("next")))
            note, meanings = _note(round_), (ok, kinds.KeyMeaning("back", text("result"), ("",)))
        return kinds.MatchResult(tuple((name, won.get(name, 0)) for name in names), goal, champion, note, meanings)


def _note(round_: Round) -> Text:
    """How many wins it takes; after a round that several have won, that nobody has one for it."""
    if len(round_.outcome.winners) == 1:
        return text("first to {goal}", goal=round_.header.goal)
    return text("draw: no win") if len(round_.header.names) == 2 else text("shared: no win")
