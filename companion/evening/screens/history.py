"""The list of the stored rounds, and the page of each, from which it can be resumed, voided or corrected."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from companion import games
from companion.evening.contents import kinds
from companion.evening.model import Session
from companion.evening.screen_kinds import close_messages
from companion.evening.screens import evening_start, stored_rounds
from companion.evening.screens.lists import ListScreen, MenuItem, PageScreen, TextPage
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.messages import Confirmation, Notice
from companion.evening.screens.stored_rounds import open_last_position, replay_failure_page
from companion.games.api import RefusedError
from companion.games.api.result import verdict_heading, verdict_text
from companion.inputs import QueryResult, Request, StoredRoundChangeRequest, StoredRoundRequest
from companion.languages import join_texts, text
from companion.rounds import replaying, standings
from companion.rounds.on_table import PadRound, Round, replay_round
from companion.rounds.stored import LogEntry, StoredRound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.evening.model import Screen
    from companion.rounds.stored import RoundSummary


MAX_PAIRS = 4
"""The most players whose scores a page may show in place of a row's words."""


class History(ListScreen):
    """The list of saved rounds and matches, the newest first."""

    def key_hints(self, session: Session) -> tuple[kinds.KeyHint, ...]:
        return kinds.ok_and_back_hints("show", self.back_label)


def show_store_answer(session: Session, result: QueryResult) -> Session:
    """Show the store's answer, if the screen that asked for it is still there."""
    match result.request:
        case StoredRoundChangeRequest() as request:
            return _take_round_change(session, result, request)
        case StoredRoundRequest() if isinstance(session.screen, History):
            return session.open_screens(page_of_found_round(result))
        case Request.HISTORY if isinstance(session.screen, MoreMenu):
            empty_reply = TextPage((text("History"), text("No rounds are saved yet.")))
            return session.open_screens(history_screen(result.values) if result.values else empty_reply)
    return session


def history_screen(rounds: Iterable[RoundSummary]) -> History:
    """The list of these rounds, with a row or two for each."""
    return History(text("History"), (), tuple(item for each in rounds for item in round_items(each)))


def _with_result_after_change(session: Session, request: StoredRoundChangeRequest, changed: StoredRound) -> Session:
    """The table after a saved round has changed: the result on it stays, and with it the rematch that is offered.

    The changed round itself is shown as it is now. In a match the table is cleared, since wins may count differently.
    """
    round_, on_table = session.round, session.round or session.pad
    if on_table is None or on_table.header.goal:
        return session.clear_table()
    if on_table.id != request.round:
        return session
    if round_ is None or request.change == "correct":
        replayed, _ = replaying.replay_stored(changed)
        if isinstance(replayed, Round) and replayed.is_over:
            return session._replace(round=replayed)
        return session.clear_table()
    session = close_messages(session)._replace(round=round_._replace(is_void=request.change == "void"))
    if request.change != "void":
        return session
    heading = text("Round {number} is void", number=request.round)
    return session.open_screens(
        Notice("alert", heading, (text("It doesn't count."),), text("You can still play a rematch"))
    )


def _take_round_change(session: Session, result: QueryResult, request: StoredRoundChangeRequest) -> Session:
    """Take the store's answer to a change: the reason against it ("" if it was done), and the new history."""
    reason, new_history, *shown = result.values
    if new_history is not None:
        known_history = session.history
        # The store doesn't know names under which nobody has played yet.
        names = tuple(dict.fromkeys((*new_history.player_names, *known_history.player_names)))
        new_history = new_history._replace(
            next_round=max(new_history.next_round, known_history.next_round),
            player_names=names,
            seen_games=known_history.seen_games,
        )
        session = session._replace(history=new_history, previous_round=None)
    if request.phone:
        if not reason and session.has_result:
            session = _with_result_after_change(session, request, shown[1][0])
        return session.reply_to_phone(request, reason)
    if reason:
        return session.open_screens(TextPage((text("Round {number}", number=request.round), reason)))
    below = session.close_screen()
    if not (isinstance(session.screen, RoundPage) and isinstance(below.screen, History)):
        return session
    rounds, page_values = shown
    new_screen = history_screen(rounds)
    row = sum(len(round_items(each)) for each in takewhile(lambda each: each.id != request.round, rounds))
    new_screen = new_screen._replace(cursor=min(row, len(new_screen.list_items) - 1))
    return below.replace_screen(new_screen).open_screens(
        page_of_found_round(QueryResult(StoredRoundRequest(request.round), page_values))
    )


def _request_round(session: Session, number: int) -> Session:
    return session.send_request(StoredRoundRequest(number))


def round_items(summary: RoundSummary) -> tuple[MenuItem, ...]:
    """The rows of a round; the last round of a match has a row with the match's result above it."""
    match, opens = summary.match, partial(_request_round, number=summary.id)
    if match is None or match.rounds[-1] != summary.id:
        return (round_item(summary),)
    pairs = tuple((name, str(won)) for name, won in match.wins)
    if not match.winner:
        item = MenuItem(_players_text(summary.names), opens, text("go on"), "match", pairs=pairs)
    else:
        item = MenuItem(verdict_heading((match.winner,), 0), opens, text("match"), "match", pairs=pairs)
    return item._replace(names=summary.names), round_item(summary)


def round_item(summary: RoundSummary) -> MenuItem:
    """The row of a round: its game's icon, and who beat whom; of a round without a result the players."""
    names, opens, winners = summary.names, partial(_request_round, number=summary.id), summary.winners
    scores, note, words = ("",) * len(names), "", _players_text(names)
    if not summary.result:
        note = text("void") if summary.state == "void" else text("go on")
    elif len(names) == 2 and len(winners) == 1:
        (loser,) = (name for name in names if name not in winners)
        words = text("{winner} beat {loser}", winner=winners[0], loser=loser)
    elif len(names) == 2:
        words = text("{names}: draw" if winners else "{names}: nobody wins", names=words)
    else:
        words, note = verdict_heading(winners, len(names)), text("of {count}", count=len(names))
    if summary.result:
        scores = tuple(map(str, summary.scores))
    pairs = tuple(zip(names, scores, strict=True)) if len(names) <= MAX_PAIRS else ()
    return MenuItem(words, opens, note, summary.game, pairs=pairs, names=names)


def _players_text(names: Sequence[str]) -> str:
    """Two players by name, more of them as a number."""
    return " - ".join(names) if len(names) < 3 else text("{count} players", count=len(names))


class RoundPage(PageScreen):
    """The page of a stored round: `lines` with the heading first.

    OK resumes an unfinished round, and opens a menu for a finished one. Right shows the moves. With `has_open_match`
    the round's match can go on after it.
    """

    lines: tuple[str, ...]
    stored_round: StoredRound
    has_open_match: bool = False
    note: str = ""
    is_void: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether the round has a result, or had one before it was voided."""
        return bool(self.stored_round.result) or self.is_void

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            return _open_menu(session, self) if self.has_ended else _resume_round(session, self)
        return open_last_position(session, self.stored_round) if key == "right" else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        hints = kinds.ok_and_back_hints(text("menu") if self.has_ended else text("go on"), "back")
        right = kinds.KeyHint("right", text("moves"))
        return kinds.Reading(self.lines[0], self.lines[1:], (*hints, right), self.page_number, self.note)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.stored_round.header.names


def page_of_found_round(result: QueryResult) -> RoundPage:
    """The page that shows a round, made from the store's answer."""
    stored_round, summary, has_open_match = result.values
    return RoundPage(
        round_lines(summary, stored_round),
        stored_round,
        has_open_match,
        summary.begun[:10],
        is_void=summary.state == "void",
    )


def _open_menu(session: Session, page: RoundPage) -> Session:
    """Open the menu of what can be done with a finished round."""
    number = page.stored_round.id
    items = [MenuItem(text("Continue"), partial(_resume_round, page=page))] if page.has_open_match else []
    items.append(MenuItem(text("Moves"), partial(_open_walk, page=page)))
    if page.is_void:
        items.append(MenuItem(text("Let it count again"), partial(_request_change, page=page, change="restore")))
    else:
        title, explanation = text("Void round {number}?", number=number), text("It no longer counts.")
        ask = Confirmation(
            partial(_request_change, page=page, change="void"), title, (explanation,), needs_ok_or_back=True
        )
        items += [
            MenuItem(text("Make it void"), partial(_open_over_page, screen=ask)),
            MenuItem(text("Correct"), partial(_open_correction, page=page)),
        ]
    return session.open_screens(ListScreen(page.lines[0], (), tuple(items)))


def _open_over_page(session: Session, screen: Screen) -> Session:
    """Open a screen that leads back to the page, not to its menu."""
    return session.close_screens_above(RoundPage).open_screens(screen)


def _open_walk(session: Session, page: RoundPage) -> Session:
    return open_last_position(session.close_screens_above(RoundPage), page.stored_round)


def _open_correction(session: Session, page: RoundPage) -> Session:
    """Ask which entry of a score pad is wrong. Moves are corrected elsewhere, and a page says where."""
    number, sheet = page.stored_round.id, replaying.replay_stored(page.stored_round).round
    if isinstance(sheet, PadRound):
        return stored_rounds.ask_which_entry_is_wrong(session, sheet, RoundPage)
    advice = (
        text("On the host's phone: History, then Change."),
        text("Or in a terminal: companion correct {number}", number=number),
    )
    return _open_over_page(session, TextPage((text("Correct"), *advice)))


def _request_change(session: Session, page: RoundPage, change: Literal["void", "restore"]) -> Session:
    """Ask the store to change the round. Its page stays open until the answer comes."""
    return session.close_screens_above(RoundPage).send_request(StoredRoundChangeRequest(page.stored_round.id, change))


def _resume_round(session: Session, page: RoundPage) -> Session:
    """Resume the round of a page, or its match."""
    stored_round = page.stored_round
    try:
        resume = evening_start.resume_screen(stored_round)
    except (RefusedError, ValueError):
        return session.close_screens_above(RoundPage).replace_screen(
            replay_failure_page(stored_round.id, replaying.replay_stored(stored_round).problem)
        )
    if not resume.is_between_rounds:
        session = session.save_entries(LogEntry(stored_round.id, "resume"))
    return resume.resume_round_or_match(session)


def round_lines(summary: RoundSummary, stored_round: StoredRound | None = None) -> tuple[str, ...]:
    """A round in lines: its number, the game and the time, who played, who won and why, and its match."""
    doubt = replaying.find_problem(stored_round) if stored_round is not None else None
    more = () if doubt is None else (doubt.message,)
    played, time = games.game_title(summary.game, summary.options, summary.title), summary.begun[11:16]
    lines = [text("Round {number}", number=summary.id), join_texts((played, time), ", ") if time else played]
    if not summary.result:
        return (*lines, _score_so_far(summary, stored_round), summary.no_result_reason, *more)
    numbers, unit = _result_counts(summary, stored_round)
    pairs = zip(summary.names, numbers, strict=True)
    winner_text = verdict_text(summary.winners, len(summary.names))
    if summary.reason:
        winner_text = text("{won}: {reason}", won=winner_text, reason=games.ending_text(summary.game, summary.reason))
    counts = _names_with_numbers(pairs)
    lines += [join_texts((counts, unit), " ") if unit else counts, winner_text]
    return (*lines, standings.match_text(summary.match), *more) if summary.match else (*lines, *more)


def _score_so_far(summary: RoundSummary, stored_round: StoredRound | None) -> str:
    """Who plays an unfinished round, with what each has so far."""
    round_ = replaying.replay_stored(stored_round)[0] if stored_round is not None else None
    if round_ is None:
        return " - ".join(summary.names)
    pairs = zip(summary.names, round_.counts_after(len(round_.events)), strict=True)
    game = games.manifest_or_placeholder(summary.game)
    counts, unit = _names_with_numbers(pairs), "" if game.scores_are_points else game.result_counts
    return join_texts((counts, unit), " ") if unit else counts


def _names_with_numbers(pairs: Iterable[tuple[str, int]]) -> str:
    """Names with their numbers; no line break divides a name from its number."""
    return ", ".join(f"{name} {number}".replace(" ", "\N{NO-BREAK SPACE}") for name, number in pairs)


def _result_counts(summary: RoundSummary, stored_round: StoredRound | None) -> tuple[tuple[int, ...], str]:
    """What the round's result counts, by seat, and the word for it, which is "" for the rules' own score."""
    game = games.manifest_or_placeholder(summary.game)
    if game.scores_are_points or stored_round is None:
        return tuple(summary.scores), ""
    try:
        return replay_round(stored_round).result_counts, game.result_counts
    except (RefusedError, ValueError):  # The round no longer replays, so only its scores are known.
        return tuple(summary.scores), ""
