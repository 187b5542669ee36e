"""Pages to read: false claims, how to play, a review of a round, a page of a game's own, and the standings.

The session doesn't know the store. It requests standings and reviews, and the results arrive as inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.screens.lists import FORWARD, PageScreen, Reply
from companion.games.api.screen import PAGE_ROWS, PageScene
from companion.inputs import GameStandingsRequest, ReviewRequest, Request
from companion.languages import plural_text, text
from companion.rounds import standings
from companion.rounds.standings import rounds_text, group_into_matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.inputs import ReviewProgress, QueryResult
    from companion.rounds.on_table import Round
    from companion.rounds.stored import Match, Standing


class Claims(PageScreen):
    """False claims, one at a time: who, which move, what it could have been.

    OK goes through them one by one, and after the last one to `open_next`, for which `next_label` is the key hint.
    """

    rows: tuple[tuple[str, str, str], ...]
    then: Callable[[Session], Session] | None = None
    leads: str = text("next")

    @property
    def last(self) -> int:
        return len(self.rows) - 1

    def ignores(self, session: Session, key: str) -> bool:
        # OK may only leave a claim that has been seen.
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#" and self.number < self.last:
            return super().press(session, "down")
        return self.then(session) if key == "#" and self.then is not None else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        back = text("back") if self.then is None else text("result")
        leads = self.leads if self.number == self.last else text("next")
        return kinds.Claims(text("False claim"), self.rows, kinds.ok_back(leads, back), self.number)


class HelpPage(PageScreen):
    """How a game is played, a part a page: first its keys on the device that was used last, then the rules.

    OK turns the page too, and leaves from the last one.
    """

    game: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        last = len(self._pages(session)) - 1
        at = min(self.number, last)
        if at == last and key in FORWARD:
            return session
        return PageScreen.press(self._replace(number=at), session, "down" if key == "#" and at < last else key)

    def _pages(self, session: Session) -> tuple[str, ...]:
        return games.help_pages(self.game, uses_buttons=session.buttons)

    def content(self, session: Session) -> kinds.Content:
        told = self._pages(session)
        more = (kinds.KeyMeaning("ok", text("more")),) if self.number < len(told) - 1 else ()
        meanings = (*more, kinds.KeyMeaning("back", text("back")))
        return kinds.Reading(
            games.manifest_of(self.game).name, told, meanings, min(self.number, len(told) - 1), parted=True
        )


def open_help(session: Session, game: str) -> Session:
    """Open the first page about a game."""
    return session.open(HelpPage(game))


TITLE = text("Look back")


class LookBack(Reply):
    """The page that says where the round was decided, or that the search is still running."""


def open_look_back(session: Session, round_: Round) -> Session:
    """Open the page, still empty, and request the review."""
    request = ReviewRequest(round_.header.game, round_.states, round_.events, round_.header.names)
    page = LookBack((TITLE, text("I'm checking every move."), text("The answer will appear here: please wait.")))
    return session.open(page).request(request)


def awaits_look_back(session: Session) -> bool:
    """Whether the page is open, so that the review should go on."""
    return any(isinstance(each, LookBack) for each in session.screens)


def take_look_back(session: Session, looked: ReviewProgress) -> Session:
    """Show what the review has found so far, if the page is still open and the round hasn't changed."""
    if session.round is None or session.round.events != looked.request.events:
        return session
    return session.change_screens(LookBack, lambda page: page._replace(lines=(TITLE, *looked.lines)))


class OwnPage(PageScreen):
    """A page of the game on the table, such as a list of its moves; `page_id` is its id among the game's pages."""

    own: str
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        return max(0, len(self.lines) - 1) // PAGE_ROWS

    def content(self, session: Session) -> kinds.Content:
        round_ = session.round_here
        title, view = round_.manifest.pages[self.own], round_.game.seat_view(round_.state, None)
        names = round_.header.names
        scene = PageScene(self.own, title, self.lines, self.number, view, names, session.buttons)
        return kinds.Drawn(round_.header.game, scene)


def open_own_page(session: Session, round_: Round, own: str) -> Session:
    """Open one of the game's own pages, at its last part."""
    page = OwnPage(own, tuple(round_.move_input.page_lines(own, round_.states, round_.events, PAGE_ROWS)))
    return session.open(page._replace(number=page.last))


class Today(PageScreen):
    """The standings of this evening, and its matches. OK asks for those of all time."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return session.request(Request.STANDINGS)
        return super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        day = standings.day_rounds(session.past)
        columns = tuple(standings.games_played(standings.counting_rounds(day)))
        rows = tuple(
            (each.name, tuple(str(dict(each.won_by_game).get(game, "-")) for game in columns), str(each.won))
            for each in standings.compute_standings(day)
        )
        played = tuple(map(_of_match, group_into_matches(result.match_part for result in day if result.match_part is not None)))
        meanings = kinds.ok_back("all time", "back")
        return kinds.Standings(text("Today"), columns, rows, played, _none(session), meanings, self.number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(each.name for each in standings.compute_standings(standings.day_rounds(session.past)))


class AllTime(PageScreen):
    """The standings of all time, of one `shown_game` or, for "", of all: name, rounds won of those played, rating.

    Left and right ask for the next game that was played, or for all together.
    """

    rows: tuple[tuple[str, str, str], ...] = ()
    game: str = ""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key not in ("left", "right"):
            return super().press(session, key)
        played = {header.game for header in session.past.recent_headers}
        games_ = ["", *(game.id for game in games.all_manifests(session.past.seen_games) if game.id in played)]
        here = games_.index(self.game) if self.game in games_ else 0
        game = games_[(here + (1 if key == "right" else -1)) % len(games_)]
        return session.request(GameStandingsRequest(game))

    def content(self, session: Session) -> kinds.Content:
        meanings = (
            kinds.KeyMeaning("ok", text("back")),
            kinds.KeyMeaning("left"),
            kinds.KeyMeaning("right", text("game")),
        )
        title = text("all time") if self.game else text("All time")
        return kinds.AllTime(title, self.game, self.rows, _none(session), meanings, self.number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.rows)


def open_today(session: Session) -> Session:
    """Open the standings of this evening."""
    return session.open(Today())


def take_standings(session: Session, result: QueryResult) -> Session:
    """Show the standings in place of the page that asked for them, if that is still there."""
    game = result.request.game if isinstance(result.request, GameStandingsRequest) else None
    if not isinstance(session.screen, Today if game is None else AllTime):
        return session
    return session.show(AllTime(tuple(map(row_of, result.values)), game or ""))


def row_of(standing: Standing) -> tuple[str, str, str]:
    """A player's row in the standings of all time: name, ``won/played``, and ``rating±doubt`` or ""."""
    rating = f"{standing.rating.display_points}±{standing.rating.display_deviation}" if standing.rating else ""
    return standing.name, f"{standing.won}/{standing.played}", rating


def _of_match(match: Match) -> kinds.MatchFigures:
    rounds = rounds_text(match.rounds)
    return kinds.MatchFigures(
        match.game,
        games.manifest_or_placeholder(match.game).name,
        match.wins,
        match.result_text,
        rounds,
        (text("match, {rounds}", rounds=rounds),
         plural_text(len(match.rounds), "match, {number} round", "match, {number} rounds")),
    )  # fmt: skip


def _none(session: Session) -> str:
    """Why there are no standings yet."""
    return text("No round counts yet.") if standings.day_rounds(session.past) else text("No round has ended yet.")
