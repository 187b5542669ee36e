"""Stored rounds on the panel: standings of all time, the history, and the page of a round, which can be resumed.

The session does not know the store: it makes a request, and the answer is an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.game import Refused
from companion.game.result import verdict
from companion.inputs import GameStandings, Request, RoundRequest
from companion.session import resuming, rounds, walking
from companion.session.matches import in_rounds
from companion.session.model import Item, LogEntry, Menu, PadRound, Page, PageKind, Session, StoredRound, round_of

if TYPE_CHECKING:
    from companion.inputs import QueryResult
    from companion.session.matches import Match
    from companion.session.model import Standing


MOST_PAIRS = 4
"""The most players in a round's row of the history, each with a score."""
MOST_DIGITS = 4
"""The most digits of a score in such a row with three or four names."""


def on_result(session: Session, answer: QueryResult) -> Session:
    """The session with the answer to a request, if the page that asked is still open."""
    mode = session.mode
    if answer.request is Request.STANDINGS and isinstance(mode, Page) and mode.kind is PageKind.STANDINGS:
        return session._replace(mode=Page(PageKind.EVER, rows=tuple(map(_player, answer.found)), back=mode.back))
    if isinstance(answer.request, GameStandings) and isinstance(mode, Page) and mode.kind is PageKind.EVER:
        rows = tuple(map(_player, answer.found))
        return session._replace(mode=Page(PageKind.EVER, rows=rows, back=mode.back, game=answer.request.game))
    if answer.request is Request.HISTORY and isinstance(mode, Menu) and mode.kind == "more":
        items = tuple(item for each in answer.found for item in _items(each))
        if not items:
            return session._replace(mode=Page(PageKind.ANSWER, ("History", "No round is kept yet."), back=mode))
        return session._replace(mode=Menu("history", items, title="History"))
    if isinstance(answer.request, RoundRequest) and isinstance(mode, Menu) and mode.kind == "history":
        saved, kept, match = answer.found
        return session._replace(
            mode=Page(PageKind.ROUND, _lines(kept, saved), back=mode, kept=saved, match=match, note=kept.begun[:10])
        )
    return session


def press(session: Session, page: Page, key: str) -> Session | None:
    """OK on the standings of the evening leads to those of all time, on an unfinished round or match to the table.

    On a round right leads to its positions, and so does OK where it does not go on.
    """
    if page.kind is PageKind.ROUND and page.kept is not None and (key == "right" or (key == "#" and not page.goes_on)):
        return walking.opened(session, page, page.kept)
    if page.kind is PageKind.EVER and key in ("left", "right"):
        return _of_next_game(session, page, 1 if key == "right" else -1)
    if key != "#":
        return None
    if page.kind is PageKind.STANDINGS:
        return session._replace(requests=(*session.requests, Request.STANDINGS))
    if page.goes_on and page.kept is not None:
        return _gone_on(session, page, page.kept)
    return None


def _of_next_game(session: Session, page: Page, step: int) -> Session:
    """The session that asks for the standings of the next game that was played, or of all games together."""
    played = {header.game for header in session.past.heads}
    games_ = ["", *(game.id for game in games.known(session.past.seen) if game.id in played)]
    here = games_.index(page.game) if page.game in games_ else 0
    return session._replace(requests=(*session.requests, GameStandings(games_[(here + step) % len(games_)])))


def _gone_on(session: Session, page: Page, kept: StoredRound) -> Session:
    try:
        left = resuming.question(kept)
    except (Refused, ValueError) as no:
        why = no.why if isinstance(no, Refused) else str(no)
        return session._replace(
            mode=Page(PageKind.ANSWER, (f"Round {kept.id}", f"It no longer replays: {why}"), back=page.back)
        )
    if left.between:
        return resuming.press_resume(session, left, "#")
    session = session._replace(unsaved=(*session.unsaved, LogEntry(kept.id, "resume")))
    if isinstance(left.round, PadRound):
        return resuming.press_resume(session, left, "#")
    return session._replace(round=left.round, mode=rounds.table(left.round))


def _player(standing: Standing) -> tuple[str, str, str]:
    rating = f"{standing.rating.shown}±{standing.rating.doubt}" if standing.rating else ""
    return standing.name, f"{standing.won}/{standing.played}", rating


def _items(kept: Any) -> tuple[Item, ...]:
    """The rows of a round; above the last round of a won match is a row with the match's result."""
    match = kept.match
    if match is None or not match.winner or match.rounds[-1] != kept.id:
        return (_item(kept),)
    if len(match.wins) <= MOST_PAIRS:
        pairs = tuple((name, str(won)) for name, won in match.wins)
        return Item(RoundRequest(kept.id), "", icon="match", pairs=pairs), _item(kept)
    words = f"{match.winner} wins"
    return Item(RoundRequest(kept.id), words, "match", "match", names=(match.winner,)), _item(kept)


def _item(kept: Any) -> Item:
    """The row of a round: its game's icon, players and scores; if these are too long, who won."""
    names, does, over = kept.names, RoundRequest(kept.id), bool(kept.result)
    digits = max((len(str(score)) for score in kept.scores), default=0)
    if len(names) > MOST_PAIRS or (len(names) > 2 and digits > MOST_DIGITS):
        words = verdict(kept.winners, len(names)) if over else f"{len(names)} players"
        words = words[:1].upper() + words[1:] if len(kept.winners) != 1 else words
        return Item(does, words, f"of {len(names)}" if over else "not over", kept.game, names=names)
    if over and not games.described(kept.game).points:
        return Item(does, _winner(kept), icon=kept.game, names=names)
    scores = map(str, kept.scores) if over else ("",) * len(names)
    return Item(does, "", "" if over else "not over", kept.game, pairs=tuple(zip(names, scores, strict=True)))


def _winner(kept: Any) -> str:
    """Who has won, for a row without scores: ``Ann beats Ben``, ``Ann - Ben: draw``."""
    if len(kept.winners) == 1 and len(kept.names) == 2:
        (loser,) = (name for name in kept.names if name not in kept.winners)
        return f"{kept.winners[0]} beats {loser}"
    return f"{' - '.join(kept.names)}: {'draw' if kept.winners else 'nobody wins'}"


def _lines(kept: Any, saved: StoredRound | None = None) -> tuple[str, ...]:
    """A round as a page: its number, the game and its time, who and what, who won and why, its match."""
    played = " ".join([kept.title or games.described(kept.game).name, *games.labels(kept.game, kept.options)])
    lines = [f"Round {kept.id}", f"{played}, {kept.begun[11:16]}".rstrip(", ")]
    if not kept.result:
        return (*lines, " - ".join(kept.names), "unfinished")
    numbers, unit = _counted(kept, saved)
    pairs = zip(kept.names, numbers, strict=True)
    won = verdict(kept.winners, len(kept.names))
    lines += [", ".join(f"{name} {score}" for name, score in pairs) + unit, f"{won}: {kept.reason}".rstrip(": ")]
    return (*lines, of_match(kept.match)) if kept.match else tuple(lines)


def _counted(kept: Any, saved: StoredRound | None) -> tuple[tuple[int, ...], str]:
    """What the round's result counts, by seat; and " " with the word for it if it is not the rules' score, else ""."""
    known = games.described(kept.game)
    if known.points or saved is None:
        return tuple(kept.scores), ""
    try:
        return round_of(saved).counted, f" {known.counts}"
    except (Refused, ValueError):  # It no longer replays: the scores are what is left.
        return tuple(kept.scores), ""


def of_match(match: Match) -> str:
    """``Match: Ann beats Ben 2:1, rounds 3 to 5``."""
    return f"Match: {match.result}, {in_rounds(match.rounds)}"
