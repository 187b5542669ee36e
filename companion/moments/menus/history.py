"""The list of the kept rounds."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from companion import games
from companion.game.result import heading
from companion.inputs import QueryResult, RoundRequest
from companion.languages import text
from companion.moments.menus.menu import Item, ListScreen
from companion.moments.pages import history_pages
from companion.moments.pages.page import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.inputs import ChangeRequest
    from companion.rounds.stored import RoundSummary
    from companion.session.model import Session

MOST_PAIRS = 4
"""The most players in a round's row of the history, each with a score."""
MOST_DIGITS = 4
"""The most digits of a score in such a row with three or four names."""


class History(ListScreen):
    """The kept rounds and matches, the newest first."""


def take_round(session: Session, result: QueryResult) -> Session:
    """Open the page of the round that was picked, if the list is still there."""
    return session.open(history_pages.page_of(result)) if isinstance(session.screen, History) else session


def of_rounds(rounds: Iterable[RoundSummary]) -> History:
    """The list of these rounds."""
    return History(text("History"), (), tuple(item for each in rounds for item in items_of(each)))


def take_changed(session: Session, result: QueryResult, request: ChangeRequest) -> Session:
    """Take what the store says of a changed round: why not (""), and the history from now on."""
    why, past, *shown = result.found
    if past is not None:
        known = session.past
        names = tuple(dict.fromkeys((*past.names, *known.names)))  # Nobody has played yet under some of them.
        past = past._replace(seen=known.seen, next_round=max(past.next_round, known.next_round), names=names)
        session = session._replace(past=past, previous=None)
    if request.phone:
        return session.answer(request, why)
    if why:
        return session.open(Reply((text("Round {number}", number=request.round), why)))
    below = session.close()
    if not (isinstance(session.screen, history_pages.RoundPage) and isinstance(below.screen, History)):
        return session
    rounds, found = shown
    listed = of_rounds(rounds)
    row = sum(len(items_of(each)) for each in takewhile(lambda each: each.id != request.round, rounds))
    listed = listed._replace(cursor=min(row, len(listed.listed) - 1))
    return below.show(listed).open(history_pages.page_of(QueryResult(RoundRequest(request.round), found)))


def _ask_round(session: Session, number: int) -> Session:
    """Ask the store for a round."""
    return session.request(RoundRequest(number))


def items_of(kept: RoundSummary) -> tuple[Item, ...]:
    """The rows of a round; above the last round of a match is a row with the match's result so far."""
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
        ending = text("A shared win") if shared else heading(kept.winners, len(names))
        words = ending if over else text("{count} players", count=len(names))
        note = text("of {count}", count=len(names)) if over else _no_result(kept)
        return Item(words, opens, note, kept.game, names=names)
    if over and not games.described(kept.game).points:
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
