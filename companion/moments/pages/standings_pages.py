"""Who has won how often: this evening, and ever, in all games or in one.

The session does not know the store: it makes a request, and its result is an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.contents import kinds
from companion.inputs import GameStandings, Request
from companion.languages import counted, text
from companion.moments.pages.page import PageScreen
from companion.rounds import standings
from companion.rounds.matches import in_rounds, matches

if TYPE_CHECKING:
    from companion.inputs import QueryResult
    from companion.rounds.stored import Match, Standing
    from companion.session.model import Session


class Today(PageScreen):
    """The standings of this evening, and its matches."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK asks for those of all time."""
        if key == "#":
            return session.request(Request.STANDINGS)
        return super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        """The rounds that everybody has won, by game, a dash for a game that one did not play."""
        day = standings.of_day(session.past)
        columns = tuple(standings.games_of(standings.counting(day)))
        rows = tuple(
            (each.name, tuple(str(dict(each.won_by_game).get(game, "-")) for game in columns), str(each.won))
            for each in standings.of_rounds(day)
        )
        played = tuple(map(_of_match, matches(result.part for result in day if result.part is not None)))
        meanings = kinds.ok_back("all time", "back")
        return kinds.Standings(text("Today"), columns, rows, played, _none(session), meanings, self.number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """All that have played."""
        return tuple(each.name for each in standings.of_rounds(standings.of_day(session.past)))


class AllTime(PageScreen):
    """The standings of all time: `rows` of name, rounds won of those played, and rating; of one `game`, "" for all."""

    rows: tuple[tuple[str, str, str], ...] = ()
    game: str = ""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Left and right ask for those of the next game that was played, or of all together."""
        if key not in ("left", "right"):
            return super().press(session, key)
        played = {header.game for header in session.past.heads}
        games_ = ["", *(game.id for game in games.known(session.past.seen) if game.id in played)]
        here = games_.index(self.game) if self.game in games_ else 0
        game = games_[(here + (1 if key == "right" else -1)) % len(games_)]
        return session.request(GameStandings(game))

    def content(self, session: Session) -> kinds.Content:
        """The players, the strongest first."""
        meanings = (
            kinds.KeyMeaning("ok", text("back")),
            kinds.KeyMeaning("left"),
            kinds.KeyMeaning("right", text("game")),
        )
        title = text("all time") if self.game else text("All time")
        return kinds.AllTime(title, self.game, self.rows, _none(session), meanings, self.number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players in its rows."""
        return tuple(name for name, _, _ in self.rows)


def open_today(session: Session) -> Session:
    """Show the standings of this evening over the screen that led there."""
    return session.open(Today())


def take_standings(session: Session, result: QueryResult) -> Session:
    """Show the standings that were asked for in place of the page that has asked, if that is still there."""
    game = result.request.game if isinstance(result.request, GameStandings) else None
    if not isinstance(session.screen, Today if game is None else AllTime):
        return session
    return session.show(AllTime(tuple(map(row_of, result.found)), game or ""))


def row_of(standing: Standing) -> tuple[str, str, str]:
    """A player's row in the standings of all time."""
    rating = f"{standing.rating.shown}±{standing.rating.doubt}" if standing.rating else ""
    return standing.name, f"{standing.won}/{standing.played}", rating


def _of_match(match: Match) -> kinds.MatchFigures:
    rounds = in_rounds(match.rounds)
    return kinds.MatchFigures(
        match.game,
        games.described(match.game).name,
        match.wins,
        match.result,
        rounds,
        (text("match, {rounds}", rounds=rounds),
         counted(len(match.rounds), "match, {number} round", "match, {number} rounds")),
    )  # fmt: skip


def _none(session: Session) -> str:
    """Why there are no standings."""
    return text("No round counts yet.") if standings.of_day(session.past) else text("No round has ended yet.")
