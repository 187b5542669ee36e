"""The score pad at the table: points for the seat under the cursor, grouped by pauses, undone, ended.

Digits make a change, up and down count one; OK enters it and moves on to the next seat, two seconds without a press
enter it too. In between nothing else has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.score_pad import rules as pad
from companion.session import guard, history_pages, menu_keys, rounds, setup
from companion.session.model import (
    Ask,
    Item,
    LogEntry,
    Menu,
    PadOver,
    PadRound,
    Page,
    Result,
    RoundHeader,
    Scoring,
    Session,
)

if TYPE_CHECKING:
    from collections.abc import Callable

GROUP_SECONDS = 2.0
"""Presses no further apart than this make one entry."""
TAKE_BACK = "take-back"


def begin(session: Session, about: RoundHeader) -> Session:
    """The session with a new pad on the table; it is kept from its first entry on."""
    past = rounds.remembered(session.past, about)
    past = past._replace(pads=((about.options, about.names), *past.pads))
    sheet = PadRound(past.next_round, about, pad.opened(len(about.names), about.options), began=session.clock)
    return session._replace(pad=sheet, past=past, mode=Scoring())


def table(session: Session) -> Session:
    """The pad as it stands, the cursor on the seat that has had the fewest turns."""
    sheet = _sheet(session)
    taken = sheet.pad.taken
    return session._replace(mode=Scoring(taken.index(min(taken)) + 1))


def press(session: Session, key: str, *, held: bool = False) -> Session:
    """A key while a pad is on the table; `held` for an automatic repeat."""
    if key == TAKE_BACK:
        return _ask_back(settled(session))
    mode = session.mode
    key = menu_keys.arrow(mode, key, session.settings.terminal)
    if isinstance(mode, Scoring):
        return _press_scoring(session, mode, key, held)
    handler = _HANDLERS.get(type(mode))
    return handler(session, mode, key) if handler else session


def due(session: Session) -> float | None:
    """When the change that is being entered counts by itself; None where nothing is, or the disk does not take it."""
    mode = session.mode
    waits = isinstance(mode, Scoring) and mode.points is not None and "disk" not in session.missing_devices
    return mode.at + GROUP_SECONDS if waits and isinstance(mode, Scoring) else None


def settled(session: Session) -> Session:
    """The session with the change that is being entered counted, the cursor where it is."""
    mode = session.mode
    if not isinstance(mode, Scoring) or session.pad is None:
        return session
    return _entered(session, mode, mode.seat) if mode.points else session._replace(mode=Scoring(mode.seat))


def retold(sheet: PadRound) -> tuple[LogEntry, ...]:
    """The lines that a store without this pad needs to have it; none for an empty one."""
    if sheet.empty:
        return ()
    events = (LogEntry(sheet.id, "event", seat, pad.write(points)) for seat, points in sheet.pad.entries)
    over = (LogEntry(sheet.id, "result", text=pad.result(sheet.pad)),) if sheet.over else ()
    return LogEntry(sheet.id, "begin", about=sheet.about), *events, *over


# -- entering ---------------------------------------------------------------------------------------------------


def _press_scoring(session: Session, mode: Scoring, key: str, held: bool) -> Session:
    sheet = _sheet(session)
    if key == "#":
        after = mode.seat % sheet.pad.players + 1
        if mode.points is None and not sheet.pad.turns:
            return session._replace(mode=Scoring(after))
        return _entered(session, mode, after)  # Where turns are counted, one without points is one as well.
    if key == "*":
        return _erased(session, mode)
    if key in ("left", "right", "B", "D"):
        session = settled(session)
        by = 1 if key in ("right", "B") else -1
        there = isinstance(session.mode, Scoring)
        return session._replace(mode=Scoring((mode.seat - 1 + by) % sheet.pad.players + 1)) if there else session
    return session._replace(mode=_changed(mode, key, session.clock, held))


def _changed(mode: Scoring, key: str, now: float, held: bool) -> Scoring:
    """The change with a press more: a digit, a sign, or one up or down, more while the button is held."""
    mode = mode._replace(full=False)
    if key in ("up", "down"):
        so_far = mode.points or 0
        by = 1 if not held or abs(so_far) < 10 else 5 if abs(so_far) < 50 else 10
        step = so_far + (by if key == "up" else -by)
        return mode._replace(keys="", sign="", step=max(-pad.MOST, min(pad.MOST, step)), at=now)
    if key in ("A", "C"):
        if mode.step is not None:
            return mode._replace(step=abs(mode.step) * (-1 if key == "C" else 1), at=now)
        return mode._replace(sign="-" if key == "C" else "+", at=now)
    if key.isdigit() and int(mode.keys + key) <= pad.MOST:
        return mode._replace(keys=(mode.keys + key).lstrip("0") or "0", step=None, at=now)
    return mode._replace(full=key.isdigit())


def _erased(session: Session, mode: Scoring) -> Session:
    """BACK: a digit, sign or change less; with nothing entered the menu, but not right after erasing."""
    if mode.keys:
        shorter = mode._replace(keys=mode.keys[:-1], at=session.clock, full=False)
        return session._replace(mode=shorter, erased=session.clock)
    if mode.sign or mode.step is not None:
        return session._replace(mode=Scoring(mode.seat), erased=session.clock)
    if session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session, session.erased + guard.ERASE_SECONDS)
    return open_menu(session)


def _entered(session: Session, mode: Scoring, after: int) -> Session:
    """The session with the change kept and the cursor on seat `after`; the end where that has come."""
    sheet, points = _sheet(session), mode.points or 0
    reaches = sheet.pad.reaches(mode.seat, points)
    session = rounds.kept(session, sheet, LogEntry(sheet.id, "event", mode.seat, pad.write(points)))
    sheet = sheet._replace(pad=sheet.pad.add(mode.seat, points))
    session = session._replace(pad=sheet, mode=Scoring(after), sounds=(*session.sounds, "accepted"))
    if sheet.pad.full:
        return _over(session)
    if reaches:
        said = (f"{sheet.name(mode.seat)} has {sheet.pad.totals[mode.seat - 1]} points.", "Is the game over?")
        return session._replace(mode=Ask("pad-end", f"{sheet.pad.target} reached", said, back=Scoring(after)))
    return session


def _over(session: Session) -> Session:
    sheet = _sheet(session)
    result = Result(pad.ID, sheet.about.names, sheet.pad.totals, sheet.pad.leaders)
    return session._replace(
        mode=PadOver(),
        pad=sheet._replace(over=True),
        past=session.past._replace(fresh=(*session.past.fresh, result)),
        unsaved=(*session.unsaved, LogEntry(sheet.id, "result", text=pad.result(sheet.pad))),
        sounds=(*session.sounds, "round over"),
    )


# -- menu, take-back, end ---------------------------------------------------------------------------------------


def open_menu(session: Session) -> Session:
    """What is there besides points: a fixed list, whose entries keep their digits."""
    over = isinstance(session.mode, PadOver)
    why = "The game is over." if over else "Nothing is entered yet." if _sheet(session).empty else ""
    items = (
        Item(TAKE_BACK, "Take back"),
        Item("end", "End the game", why=why),
        Item("standings", "Standings"),
        Item("leave", "Main menu" if over else "Set it aside"),
    )
    return session._replace(mode=Menu("pad", items))


def _press_menu(session: Session, menu: Menu, key: str) -> Session:
    if key == "*":
        return _resumed(session)
    menu, index = menu_keys.press(menu, key)
    session = session._replace(mode=menu)
    if index is None:
        return session
    does, label, why = menu.items[index].does, menu.items[index].label, menu.items[index].why
    if why:
        return session._replace(mode=Page("answer", (label, why), back=menu))
    if does == TAKE_BACK:
        return _ask_back(session)
    if does == "standings":
        return session._replace(mode=Page(does, back=menu))
    if does == "end":
        return session._replace(
            mode=Ask("pad-end", "End the game?", _standing(_sheet(session)), back=table(session).mode)
        )
    if _is_over(session):
        return setup.main_menu(session)
    said = ("It is kept, unfinished:", "nobody has won it.")
    return session._replace(mode=Ask("aside", "Set it aside?", said, back=table(session).mode))


def _standing(sheet: PadRound) -> tuple[str, ...]:
    names = " and ".join(sheet.name(seat) for seat in sheet.pad.leaders)
    return (f"{names} would win." if len(sheet.pad.leaders) == 1 else f"{names} would share it.",)


def _ask_back(session: Session) -> Session:
    sheet = _sheet(session)
    if sheet.empty:
        return setup.earlier(session, sheet.about)
    seat, points = sheet.pad.entries[-1]
    said = (f"{sheet.name(seat)}: {points:+d}", "is undone.")
    return session._replace(mode=Ask(TAKE_BACK, "Take back?", said, back=session.mode))


def _press_ask(session: Session, ask: Ask, key: str) -> Session:
    """OK agrees, any other key cancels; where play goes on, a key that is not BACK counts for it."""
    if key != "#":
        session = _resumed(session) if isinstance(ask.back, Menu) else session._replace(mode=ask.back)
        return press(session, key) if ask.does == "pad-end" and key != "*" else session
    if ask.does == TAKE_BACK:
        return _taken_back(session)
    if ask.does == "pad-end":
        return _over(session)
    return setup.main_menu(setup.set_aside(session, _sheet(session)))


def _taken_back(session: Session) -> Session:
    sheet = _sheet(session)
    past = session.past
    if _is_over(session):
        past = past._replace(fresh=past.fresh[:-1])
    seat = sheet.pad.entries[-1][0]
    left = sheet._replace(pad=sheet.pad._replace(entries=sheet.pad.entries[:-1]), over=False)
    return session._replace(
        pad=left._replace(began=session.clock) if left.empty else left,
        past=past,
        mode=Scoring(seat),
        unsaved=(*session.unsaved, LogEntry(sheet.id, "drop" if left.empty else "back")),
    )


def _press_over(session: Session, mode: PadOver, key: str) -> Session:
    """OK begins the same game anew, another player first; BACK opens the menu."""
    if key == "#":
        sheet = _sheet(session)
        names = (*sheet.about.names[1:], sheet.about.names[0])
        return begin(session._replace(previous=sheet), sheet.about._replace(names=names))
    return open_menu(session) if key == "*" else session


def _press_page(session: Session, page: Page, key: str) -> Session:
    """A page to read: up and down turn it, any other key leaves."""
    if (after := history_pages.press(session, page, key)) is not None:
        return after
    if key in ("down", "right", "8", "0"):
        return session._replace(mode=page._replace(at=page.at + 1))
    if key in ("up", "left", "2"):
        return session._replace(mode=page._replace(at=max(0, page.at - 1)))
    return session._replace(mode=page.back)


def _resumed(session: Session) -> Session:
    """The pad, or its result, again."""
    return session._replace(mode=PadOver()) if _is_over(session) else table(session)


def _is_over(session: Session) -> bool:
    return _sheet(session).over


def _sheet(session: Session) -> PadRound:
    if session.pad is None:
        raise LookupError("no score pad is on the table")
    return session.pad


_HANDLERS: dict[type, Callable[[Session, Any, str], Session]] = {
    Menu: _press_menu,
    Ask: _press_ask,
    PadOver: _press_over,
    Page: _press_page,
}
