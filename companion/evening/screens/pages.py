"""Pages to read: false claims, how to play, a review of a round, a page of a game's own, and the standings.

The session doesn't know the store. It requests standings and reviews, and the results arrive as inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.screens.lists import PageScreen, TextPage
from companion.games.api.screen import PAGE_ROWS, PageScene
from companion.inputs import GameStandingsRequest, Request, ReviewRequest
from companion.languages import plural_text, text
from companion.rounds import standings
from companion.rounds.standings import group_into_matches, round_numbers_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.inputs import QueryResult, ReviewProgress
    from companion.rounds.on_table import Round
    from companion.rounds.stored import Match, Standing


class FalseClaimsPage(PageScreen):
    """False claims, one at a time: who, which move, what it could have been.

    OK goes through them one by one, and after the last one to `open_next`, for which `next_label` is the key hint.
    """

    rows: tuple[tuple[str, str, str], ...]
    open_next: Callable[[Session], Session] | None = None
    next_label: str = text("next")

    @property
    def last_page(self) -> int:
        return len(self.rows) - 1

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # OK may only leave a claim that has been seen.
        return key == "#"

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#" and self.page_number < self.last_page:
            return super().press(session, "down")
        return self.open_next(session) if key == "#" and self.open_next is not None else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        back = text("back") if self.open_next is None else text("result")
        leads = self.next_label if self.page_number == self.last_page else text("next")
        return kinds.Claims(text("Could have moved"), self.rows, kinds.ok_and_back_hints(leads, back), self.page_number)


class HelpPage(PageScreen):
    """How a game is played: first its keys on the device that was used last, then the rules. OK turns the page too."""

    shown_game: str

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return super().press(session, "down" if key == "#" else key)

    def content(self, session: Session) -> kinds.Content:
        pages = games.help_pages(self.shown_game, uses_buttons=session.uses_buttons)
        hints = kinds.ok_and_back_hints("more", "back")
        return kinds.Reading(games.manifest_of(self.shown_game).name, pages, hints, self.page_number, parted=True)


def open_help(session: Session, game: str) -> Session:
    """Open the first page about a game."""
    return session.open_screens(HelpPage(game))


REVIEW_TITLE = text("What decided it?")


class ReviewPage(TextPage):
    """The page that says where the round was decided, or that the search is still running."""


def open_review(session: Session, round_: Round) -> Session:
    """Open the page with the review of the round. It is requested, unless it was made before."""
    request = ReviewRequest(round_.header.game, round_.states, round_.events, round_.header.names)
    last = session.last_review
    if last is not None and last.is_complete and last.request == request:
        return session.open_screens(ReviewPage((REVIEW_TITLE, *last.lines)))
    page = ReviewPage(
        (REVIEW_TITLE, text("I'm checking every move."), text("The answer will appear here: please wait."))
    )
    return session.open_screens(page).send_request(request)


def is_review_open(session: Session) -> bool:
    """Whether the page is open, so that the review should go on."""
    return any(isinstance(each, ReviewPage) for each in session.screens)


def show_review_progress(session: Session, progress: ReviewProgress) -> Session:
    """Keep what the review has found so far, and show it if the page is still open and the round hasn't changed."""
    if session.round is None or session.round.events != progress.request.events:
        return session
    session = session._replace(last_review=progress)
    return session.replace_screens(ReviewPage, lambda page: page._replace(lines=(REVIEW_TITLE, *progress.lines)))


class GamePage(PageScreen):
    """A page of the game on the table, such as a list of its moves; `page_id` is its id among the game's pages."""

    page_id: str
    page_lines: tuple[str, ...]

    @property
    def last_page(self) -> int:
        return max(0, len(self.page_lines) - 1) // PAGE_ROWS

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        title, view = round_.manifest.pages[self.page_id], round_.game.seat_view(round_.state, None)
        names = round_.header.names
        scene = PageScene(self.page_id, title, self.page_lines, self.page_number, view, names, session.uses_buttons)
        return kinds.Drawn(round_.header.game, scene)


def open_game_page(session: Session, round_: Round, page_id: str) -> Session:
    """Open one of the game's own pages, at its last part."""
    page = GamePage(page_id, tuple(round_.move_input.page_lines(page_id, round_.states, round_.events, PAGE_ROWS)))
    return session.open_screens(page._replace(page_number=page.last_page))


class TodayPage(PageScreen):
    """The standings of this evening, and its matches. OK asks for those of all time."""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return session.send_request(Request.STANDINGS)
        return super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        day = standings.day_rounds(session.history)
        columns = tuple(standings.games_played(standings.counting_rounds(day)))
        rows = tuple(
            (each.name, tuple(str(dict(each.won_by_game).get(game, "-")) for game in columns), str(each.won))
            for each in standings.compute_standings(day)
        )
        match_parts = (each.match_part for each in day if each.match_part is not None)
        played = tuple(map(_match_figures, group_into_matches(match_parts)))
        hints = kinds.ok_and_back_hints("all time", "back")
        return kinds.Standings(
            text("Tonight"), columns, rows, played, _no_standings_reason(session), hints, self.page_number
        )

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(each.name for each in standings.compute_standings(standings.day_rounds(session.history)))


MIN_RATED_ROUNDS = 10
"""The rounds from which on a player's rating is shown: before, it says little."""


class AllTimePage(PageScreen):
    """The standings of all time, of one `shown_game` or, for "", of all: name, rounds won of those played, rating.

    Left and right ask for the next game that was played, or for all together.
    """

    rows: tuple[tuple[str, str, str], ...] = ()
    shown_game: str = ""

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key not in ("left", "right"):
            return super().press(session, key)
        played = {header.game for header in session.history.recent_headers}
        game_ids = ["", *(game.id for game in games.all_manifests(session.history.seen_games) if game.id in played)]
        game_index = game_ids.index(self.shown_game) if self.shown_game in game_ids else 0
        game = game_ids[(game_index + (1 if key == "right" else -1)) % len(game_ids)]
        return session.send_request(GameStandingsRequest(game))

    def content(self, session: Session) -> kinds.Content:
        hints = (
            kinds.KeyHint("back", text("back")),
            kinds.KeyHint("left"),
            kinds.KeyHint("right", text("next game"), (text("game"),)),
        )
        title = games.manifest_or_placeholder(self.shown_game).name if self.shown_game else text("All time: rounds won")
        return kinds.AllTime(title, self.shown_game, self.rows, _no_standings_reason(session), hints, self.page_number)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.rows)


def open_today(session: Session) -> Session:
    """Open the standings of this evening."""
    return session.open_screens(TodayPage())


def show_arrived_standings(session: Session, result: QueryResult) -> Session:
    """Show the standings in place of the page that asked for them, if that is still there."""
    game = result.request.game if isinstance(result.request, GameStandingsRequest) else None
    if not isinstance(session.screen, TodayPage if game is None else AllTimePage):
        return session
    return session.replace_screen(AllTimePage(tuple(map(all_time_row, result.values)), game or ""))


def all_time_row(standing: Standing) -> tuple[str, str, str]:
    """A player's row in the standings of all time: name, ``2 of 9``, and ``rating±doubt``; "" before ten rounds."""
    rating = standing.rating if standing.played >= MIN_RATED_ROUNDS else None
    points = f"{rating.display_points}±{rating.display_deviation}" if rating else ""
    return standing.name, text("{won} of {played}", won=standing.won, played=standing.played), points


def _match_figures(match: Match) -> kinds.MatchFigures:
    rounds = round_numbers_text(match.rounds)
    return kinds.MatchFigures(
        match.game,
        games.manifest_or_placeholder(match.game).name,
        match.wins,
        match.result_text,
        rounds,
        (text("match, {rounds}", rounds=rounds),
         plural_text(len(match.rounds), "match, {number} round", "match, {number} rounds")),
    )  # fmt: skip


def _no_standings_reason(session: Session) -> str:
    """Why there are no standings yet."""
    return text("No round counts yet.") if standings.day_rounds(session.history) else text("No round has ended yet.")
