"""Keys of a round in play: entries, refusals, notices, the result, and the match."""

from __future__ import annotations

from companion.game import Refused
from companion.game.entry import ARROWS
from companion.session import countdown, guard, hooks, looking_back, opponent, rounds, table_menu
from companion.session.model import MatchScore, Notice, Page, PageKind, Playing, Refusing, RoundOver, Session, draft


def press(session: Session, mode: Playing, key: str) -> Session:
    """A key while a move is due."""
    mode = mode._replace(stray="", arrows=False, nudge=False)
    if opponent.thinks(session) and key != "*":
        return opponent.confirmed(session) if key == "#" else session._replace(mode=mode._replace(stray=key))
    if key == "#":
        return _entered(session, mode)
    if key == "*":
        return _erased(session, mode)
    return session._replace(mode=_added(session, mode, key))


def _added(session: Session, mode: Playing, key: str) -> Playing:
    """The entry after another key; the first arrow only shows the picker."""
    round_ = session.round
    if round_ is None:
        return mode
    if key in ARROWS:
        if mode.pick is None:
            return Playing(pick=round_.entry.pick(round_.state))
        moved = round_.entry.moved(round_.state, mode.pick, key)
        return Playing(pick=moved, stray=key if moved == mode.pick else "")
    if round_.entry.typed(round_.state, mode.keys + key) is None:
        return mode._replace(stray=key)
    return Playing(mode.keys + key)


def _entered(session: Session, mode: Playing) -> Session:
    """OK: the next step of a pick, or the move; with nothing or too little entered it changes nothing."""
    round_ = session.round
    session = session._replace(mode=mode)
    if round_ is None:
        return session
    if mode.pick is not None:
        following = round_.entry.entered(round_.state, mode.pick)
        if following is not None:
            return session._replace(mode=Playing(pick=following))
    entry = draft(session)
    if entry is None and countdown.stands(session):
        return countdown.switched(session)
    if entry is None or entry.event is None:
        return session
    try:
        return rounds.commit(session, entry.event)
    except Refused as refused:
        return session._replace(mode=Refusing(refused, mode), sounds=(*session.sounds, "refused"))


def _erased(session: Session, mode: Playing) -> Session:
    """BACK: one key or step less; with nothing entered the table menu, but not right after erasing."""
    if mode.pick is not None and session.round is not None:
        return session._replace(
            mode=Playing(pick=session.round.entry.erased(session.round.state, mode.pick)), erased=session.clock
        )
    if mode.keys:
        return session._replace(mode=Playing(mode.keys[:-1]), erased=session.clock)
    if session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session._replace(mode=mode), session.erased + guard.ERASE_SECONDS)
    return table_menu.open_menu(session)


def press_refusing(session: Session, mode: Refusing, key: str) -> Session | None:
    """The press that ends a refusal: BACK goes back to the entry, OK closes, another begins a new entry (None).

    Pieces that were dealt or drawn are kept for mending whatever is pressed.
    """
    if key == "*":
        return session._replace(mode=mode.back, erased=session.clock)
    if key == "#":
        return session._replace(mode=Playing() if isinstance(mode.back, Playing) else mode.back)
    return None


def press_notice(session: Session, mode: Notice, key: str) -> Session | None:
    """The press that ends a notice: OK and BACK close it, another counts for what comes next (None)."""
    return session._replace(mode=mode.then, erased=session.clock) if key in "#*" else None


def press_round_over(session: Session, mode: RoundOver, key: str) -> Session:
    """OK goes on to false claims if any are proven, then to the match or the next round; BACK to the table menu.

    Down asks where the round was decided, as the last entry of that menu does.
    """
    if key == "down" and session.round is not None:
        return looking_back.opened(session, session.round, mode)
    if key == "#":
        rows = hooks.claims(session.round) if session.round else ()
        return (
            session._replace(mode=Page(PageKind.CLAIMS, rows=rows, back=mode)) if rows else rounds.next_round(session)
        )
    return table_menu.open_menu(session) if key == "*" else session


def press_match(session: Session, mode: MatchScore, key: str) -> Session:
    """OK begins the next round, or after a match that is won such a match again; BACK leads back to the result.

    After a won match BACK opens the table menu, on "Main menu".
    """
    round_ = session.round
    if round_ is not None and rounds.champion(round_):
        if key == "#":
            return rounds.begin(session._replace(previous=round_), rounds.again(rounds.following(round_)))
        return table_menu.open_menu(session) if key == "*" else session
    if key == "#" and round_ is not None:
        return rounds.next_round(session)
    return session._replace(mode=RoundOver()) if key == "*" else session
