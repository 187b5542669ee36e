"""The list of the stored rounds, and the page of each, from which it can be resumed, voided or corrected."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from companion import games
from companion.evening.contents import kinds
from companion.evening.model import Session
from companion.evening.screens import beginning, stored_rounds
from companion.evening.screens.lists import Item, ListScreen, PageScreen, Reply
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.messages import Ask
from companion.evening.screens.stored_rounds import no_longer, open_walk
from companion.games.api import RefusedError
from companion.games.api.result import verdict_heading, verdict_text
from companion.inputs import StoredRoundChangeRequest, QueryResult, Request, StoredRoundRequest
from companion.languages import join_texts, text
from companion.rounds import replaying, standings
from companion.rounds.on_table import PadRound, replay_round
from companion.rounds.stored import LogEntry, StoredRound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.evening.model import Screen
    from companion.rounds.stored import RoundSummary


MOST_PAIRS = 4
"""The most players for whom a row of the history shows each score."""
MOST_DIGITS = 4
"""The most digits of a score in such a row with three or four names."""


class History(ListScreen):
    """The list of saved rounds and matches, the newest first."""


def take_rounds(session: Session, result: QueryResult) -> Session:
    """Show the store's answer, if the screen that asked for it is still there."""
    match result.request:
        case StoredRoundChangeRequest() as request:
            return _take_changed(session, result, request)
        case StoredRoundRequest() if isinstance(session.screen, History):
            return session.open(page_of(result))
        case Request.HISTORY if isinstance(session.screen, MoreMenu):
            nothing = Reply((text("History"), text("No rounds are saved yet.")))
            return session.open(of_rounds(result.values) if result.values else nothing)
    return session


def of_rounds(rounds: Iterable[RoundSummary]) -> History:
    """The list of these rounds, with a row or two for each."""
    return History(text("History"), (), tuple(item for each in rounds for item in items_of(each)))


def _take_changed(session: Session, result: QueryResult, request: StoredRoundChangeRequest) -> Session:
    """Take the store's answer to a change: the reason against it ("" if it was done), and the new history."""
    why, past, *shown = result.values
    if past is not None:
        known = session.past
        # The store doesn't know names under which nobody has played yet.
        names = tuple(dict.fromkeys((*past.names, *known.player_names)))
        past = past._replace(seen=known.seen_games, next_round=max(past.next_round, known.next_round), names=names)
        session = session._replace(past=past, previous=None)
    if request.phone:
        return session.answer(request, why)
    if why:
        return session.open(Reply((text("Round {number}", number=request.round), why)))
    below = session.close()
    if not (isinstance(session.screen, RoundPage) and isinstance(below.screen, History)):
        return session
    rounds, found = shown
    listed = of_rounds(rounds)
    row = sum(len(items_of(each)) for each in takewhile(lambda each: each.id != request.round, rounds))
    listed = listed._replace(cursor=min(row, len(listed.listed) - 1))
    return below.show(listed).open(page_of(QueryResult(StoredRoundRequest(request.round), found)))


def _ask_round(session: Session, number: int) -> Session:
    return session.request(StoredRoundRequest(number))


def items_of(kept: RoundSummary) -> tuple[Item, ...]:
    """The rows of a round; the last round of a match has a row with the match's result above it."""
    match, opens = kept.match, partial(_ask_round, number=kept.id)
    if match is None or match.rounds[-1] != kept.id:
        return (item_of(kept),)
    if len(match.wins) <= MOST_PAIRS:
        pairs, note = tuple((name, str(won)) for name, won in match.wins), "" if match.winner else text("not over")
        return Item("", opens, note, "match", pairs=pairs), item_of(kept)
    if not match.winner:
        return (item_of(kept),)
    words = text("{who} wins", who=match.winner)
    return Item(words, opens, "match", "match", names=(match.winner,)), item_of(kept)


def item_of(kept: RoundSummary) -> Item:
    """The row of a round: its game's icon, players and scores; if these are too long, who won."""
    names, opens, over = kept.names, partial(_ask_round, number=kept.id), bool(kept.result)
    digits = max((len(str(score)) for score in kept.scores), default=0)
    if len(names) > MOST_PAIRS or (len(names) > 2 and digits > MOST_DIGITS):
        shared = 1 < len(kept.winners) < len(names)
        ending = text("A shared win") if shared else verdict_heading(kept.winners, len(names))
        words = ending if over else text("{count} players", count=len(names))
        note = text("of {count}", count=len(names)) if over else _no_result(kept)
        return Item(words, opens, note, kept.game, names=names)
    if over and not games.manifest_or_placeholder(kept.game).scores_are_points:
        return Item(_winner(kept), opens, icon=kept.game, names=names)
    scores = map(str, kept.scores) if over else ("",) * len(names)
    return Item("", opens, "" if over else _no_result(kept), kept.game, pairs=tuple(zip(names, scores, strict=True)))


def _no_result(kept: RoundSummary) -> str:
    return text("void") if kept.state == "void" else text("not over")


def _winner(kept: RoundSummary) -> str:
    """Who has won, for a row without scores: ``Ann beats Ben``, ``Ann - Ben: draw``."""
    if len(kept.winners) == 1 and len(kept.names) == 2:
        (loser,) = (name for name in kept.names if name not in kept.winners)
        return text("{winner} beats {loser}", winner=kept.winners[0], loser=loser)
    return text("{names}: draw" if kept.winners else "{names}: nobody wins", names=" - ".join(kept.names))


class RoundPage(PageScreen):
    """The page of a stored round: `lines` with the heading first.

    OK resumes an unfinished round, and opens a menu for a finished one. Right shows the moves. With `has_open_match`
    the round's match can go on after it.
    """

    lines: tuple[str, ...]
    kept: StoredRound
    match: bool = False
    note: str = ""
    void: bool = False

    @property
    def ended(self) -> bool:
        """Whether the round has a result, or had one before it was voided."""
        return bool(self.kept.result) or self.void

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return _open_menu(session, self) if self.ended else _go_on(session, self)
        return open_walk(session, self.kept) if key == "right" else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        meanings = kinds.ok_back(text("menu") if self.ended else text("go on"), "back")
        right = kinds.KeyMeaning("right", text("moves"))
        return kinds.Reading(self.lines[0], self.lines[1:], (*meanings, right), self.number, self.note)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.kept.header.names


def page_of(result: QueryResult) -> RoundPage:
    """The page of a round that the store was asked for."""
    saved, kept, match = result.values
    return RoundPage(lines_of(kept, saved), saved, match, kept.begun[:10], void=kept.state == "void")


def _open_menu(session: Session, page: RoundPage) -> Session:
    """Open the menu of what can be done with a finished round."""
    number = page.kept.id
    items = [Item(text("Continue"), partial(_go_on, page=page))] if page.match else []
    items.append(Item(text("Moves"), partial(_walk, page=page)))
    if page.void:
        items.append(Item(text("Let it count again"), partial(_change, page=page, change="restore")))
    else:
        title, said = text("Void round {number}?", number=number), text("It no longer counts.")
        ask = Ask(partial(_change, page=page, change="void"), title, (said,), plain=True)
        items += [
            Item(text("Make it void"), partial(_open_over_page, screen=ask)),
            Item(text("Correct"), partial(_correct, page=page)),
        ]
    return session.open(ListScreen(page.lines[0], (), tuple(items)))


def _open_over_page(session: Session, screen: Screen) -> Session:
    """Open a screen that leads back to the page, not to its menu."""
    return session.close_to(RoundPage).open(screen)


def _walk(session: Session, page: RoundPage) -> Session:
    return open_walk(session.close_to(RoundPage), page.kept)


def _correct(session: Session, page: RoundPage) -> Session:
    """Ask which entry of a score pad is wrong. Moves are corrected elsewhere, and a page says where."""
    number, sheet = page.kept.id, replaying.replay_stored(page.kept).round
    if isinstance(sheet, PadRound):
        return stored_rounds.choose_entry(session, sheet, RoundPage)
    where = (
        text("On the host's phone: History, then Change."),
        text("Or in a terminal: companion correct {number}", number=number),
    )
    return _open_over_page(session, Reply((text("Correct"), *where)))


def _change(session: Session, page: RoundPage, change: Literal["void", "restore"]) -> Session:
    """Ask the store to change the round. Its page stays open until the answer comes."""
    return session.close_to(RoundPage).request(StoredRoundChangeRequest(page.kept.id, change))


def _go_on(session: Session, page: RoundPage) -> Session:
    """Resume the round of a page, or its match."""
    kept = page.kept
    try:
        left = beginning.resume_question(kept)
    except (RefusedError, ValueError):
        return session.close_to(RoundPage).show(no_longer(kept.id, replaying.replay_stored(kept).problem))
    if not left.between:
        session = session.keep(LogEntry(kept.id, "resume"))
    return left.resume(session)


def lines_of(kept: RoundSummary, saved: StoredRound | None = None) -> tuple[str, ...]:
    """A round in lines: its number, the game and the time, who played, who won and why, and its match."""
    doubt = replaying.find_problem(saved) if saved is not None else None
    more = () if doubt is None else (doubt.message,)
    played, time = games.game_title(kept.game, kept.options, kept.title), kept.begun[11:16]
    lines = [text("Round {number}", number=kept.id), join_texts((played, time), ", ") if time else played]
    if not kept.result:
        return (*lines, _so_far(kept, saved), kept.no_result_reason, *more)
    numbers, unit = _counted(kept, saved)
    pairs = zip(kept.names, numbers, strict=True)
    won = verdict_text(kept.winners, len(kept.names))
    if kept.reason:
        won = text("{won}: {reason}", won=won, reason=games.ending_text(kept.game, kept.reason))
    counts = _paired(pairs)
    lines += [join_texts((counts, unit), " ") if unit else counts, won]
    return (*lines, standings.match_text(kept.match), *more) if kept.match else (*lines, *more)


def _so_far(kept: RoundSummary, saved: StoredRound | None) -> str:
    """Who plays an unfinished round, with what each has so far."""
    round_ = replaying.replay_stored(saved)[0] if saved is not None else None
    if round_ is None:
        return " - ".join(kept.names)
    pairs = zip(kept.names, round_.counts_after(len(round_.events)), strict=True)
    known = games.manifest_or_placeholder(kept.game)
    counts, unit = _paired(pairs), "" if known.scores_are_points else known.result_counts
    return join_texts((counts, unit), " ") if unit else counts


def _paired(pairs: Iterable[tuple[str, int]]) -> str:
    """Names with their numbers; no line break divides a name from its number."""
    return ", ".join(f"{name} {number}".replace(" ", "\N{NO-BREAK SPACE}") for name, number in pairs)


def _counted(kept: RoundSummary, saved: StoredRound | None) -> tuple[tuple[int, ...], str]:
    """What the round's result counts, by seat, and the word for it, which is "" for the rules' own score."""
    known = games.manifest_or_placeholder(kept.game)
    if known.scores_are_points or saved is None:
        return tuple(kept.scores), ""
    try:
        return replay_round(saved).result_counts, known.result_counts
    except (RefusedError, ValueError):  # The round no longer replays, so only its scores are known.
        return tuple(kept.scores), ""
