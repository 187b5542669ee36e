"""Pages to read: false claims, how to play, what decided a round, a page of the game's own, standings.

The session does not know the store: it makes a request for the standings, and its result is an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.screens.lists import FORWARD, PageScreen, Reply
from companion.games.api.screen import ROWS, PageScene
from companion.inputs import GameStandings, LookBackRequest, Request
from companion.languages import counted, text
from companion.rounds import standings
from companion.rounds.standings import in_rounds, matches_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.inputs import LookedBack, QueryResult
    from companion.rounds.on_table import Round
    from companion.rounds.stored import Match, Standing


class Claims(PageScreen):
    """False claims, one at a time: who, which move, what it could have been.

    OK after the last one leads to `then`, which `leads` says.
    """

    rows: tuple[tuple[str, str, str], ...]
    then: Callable[[Session], Session] | None = None
    leads: str = text("next")

    @property
    def last(self) -> int:
        """The last claim."""
        return len(self.rows) - 1

    def ignores(self, session: Session, key: str) -> bool:
        """OK goes on from a claim only once it was seen."""
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK goes through the claims first."""
        if key == "#" and self.number < self.last:
            return super().press(session, "down")
        return self.then(session) if key == "#" and self.then is not None else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        """All claims."""
        back = text("back") if self.then is None else text("result")
        leads = self.leads if self.number == self.last else text("next")
        return kinds.Claims(text("False claim"), self.rows, kinds.ok_back(leads, back), self.number)


class HelpPage(PageScreen):
    """How a game is played: first its keys on the device that was used last, then the rules, a part a page."""

    game: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK turns the page too, and leaves the last one."""
        last = len(self._pages(session)) - 1
        at = min(self.number, last)
        if at == last and key in FORWARD:
            return session
        return PageScreen.press(self._replace(number=at), session, "down" if key == "#" and at < last else key)

    def _pages(self, session: Session) -> tuple[str, ...]:
        return games.help_pages(self.game, buttons=session.buttons)

    def content(self, session: Session) -> kinds.Content:
        """All parts, one at a time."""
        told = self._pages(session)
        more = (kinds.KeyMeaning("ok", text("more")),) if self.number < len(told) - 1 else ()
        meanings = (*more, kinds.KeyMeaning("back", text("back")))
        return kinds.Reading(
            games.manifest(self.game).name, told, meanings, min(self.number, len(told) - 1), parted=True
        )


def open_help(session: Session, game: str) -> Session:
    """Show the first page about a game, over the screen that led there."""
    return session.open(HelpPage(game))


TITLE = text("Look back")


class LookBack(Reply):
    """Where the round was decided, or that it is being looked for."""


def open_look_back(session: Session, round_: Round) -> Session:
    """Show the page, still empty, over the screen that led there, and request it."""
    request = LookBackRequest(round_.header.game, round_.states, round_.events, round_.header.names)
    page = LookBack((TITLE, text("I'm checking every move."), text("The answer will appear here: please wait.")))
    return session.open(page).request(request)


def awaits_look_back(session: Session) -> bool:
    """Whether the page is open and waits for what is found."""
    return any(isinstance(each, LookBack) for each in session.screens)


def take_look_back(session: Session, looked: LookedBack) -> Session:
    """Show what was found on the page, if the page is still open and the round has not changed."""
    if session.round is None or session.round.events != looked.request.events:
        return session
    return session.change_screens(LookBack, lambda page: page._replace(lines=(TITLE, *looked.lines)))


class OwnPage(PageScreen):
    """The page `own` of the game on the table, with its lines."""

    own: str
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        """The last part of so many lines as the game draws at a time."""
        return max(0, len(self.lines) - 1) // ROWS

    def content(self, session: Session) -> kinds.Content:
        """The page's scene."""
        round_ = session.round_here
        title, view = round_.manifest.pages[self.own], round_.game.view(round_.state, None)
        names = round_.header.names
        scene = PageScene(self.own, title, self.lines, self.number, view, names, session.buttons)
        return kinds.Drawn(round_.header.game, scene)


def open_own_page(session: Session, round_: Round, own: str) -> Session:
    """Show one of the game's own pages, at its last part, over the screen that led there."""
    page = OwnPage(own, tuple(round_.entry.lines(own, round_.states, round_.events, ROWS)))
    return session.open(page._replace(number=page.last))


class Today(PageScreen):
    """The standings of this evening, and its matches."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK asks for those of all time."""
        if key == "#":
            return session.request(Request.STANDINGS)
        return super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        """The rounds that everybody has won, by game, a dash for a game that one did not play."""
        day = standings.day_rounds(session.past)
        columns = tuple(standings.games_played(standings.counting(day)))
        rows = tuple(
            (each.name, tuple(str(dict(each.won_by_game).get(game, "-")) for game in columns), str(each.won))
            for each in standings.standings_of(day)
        )
        played = tuple(map(_of_match, matches_of(result.part for result in day if result.part is not None)))
        meanings = kinds.ok_back("all time", "back")
        return kinds.Standings(text("Today"), columns, rows, played, _none(session), meanings, self.number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """All that have played."""
        return tuple(each.name for each in standings.standings_of(standings.day_rounds(session.past)))


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
    return text("No round counts yet.") if standings.day_rounds(session.past) else text("No round has ended yet.")
