"""Keys of the score pad: entering points for the seat under the cursor, take-back, and the end.

Digits type points, up and down change them by one. OK enters them and moves to the next seat; two seconds without a key
enter them too.
"""

from __future__ import annotations

from companion.games.score_pad import rules as pad
from companion.session import guard, menu_keys, phones, rounds, setup
from companion.session.actions import Action
from companion.session.asks import unfinished
from companion.session.devices import DISK
from companion.session.main_menu import main_menu
from companion.session.model import (
    Ask,
    Item,
    LogEntry,
    Menu,
    PadOver,
    PadRound,
    PadSheet,
    Page,
    PageKind,
    Scoring,
    Session,
)
from companion.session.pad_rounds import begin, ended, entered, on_table, table, take_back

SHEET_ROWS = 4
"""The rounds of the running sheet on the panel."""
GROUP_SECONDS = 2.0
"""The pause in seconds after which points count as entered."""


def due(session: Session) -> float | None:
    """When the points being entered count by themselves; None for none, or while the disk is missing."""
    mode = session.mode
    waits = isinstance(mode, Scoring) and mode.points is not None and DISK not in session.missing_devices
    return mode.at + GROUP_SECONDS if waits and isinstance(mode, Scoring) else None


def settled(session: Session) -> Session:
    """The session with the change that is being entered counted, the cursor where it is."""
    mode = session.mode
    if not isinstance(mode, Scoring) or session.pad is None:
        return session
    return entered(session, mode, mode.seat) if mode.points else session._replace(mode=Scoring(mode.seat))


def paused(session: Session) -> Session:
    """The same after a pause; a question or result that follows is marked as having come by itself (`by_pause`)."""
    session = settled(session)
    mode = session.mode
    return session._replace(mode=mode._replace(by_pause=True)) if isinstance(mode, Ask | PadOver) else session


# -- entering ---------------------------------------------------------------------------------------------------


def press_scoring(session: Session, mode: Scoring, key: str, *, held: bool = False) -> Session:
    """A key while points are entered; `held` for an automatic repeat."""
    sheet = on_table(session)
    if key == "#":
        after = mode.seat % sheet.pad.players + 1
        return session._replace(mode=Scoring(after)) if mode.points is None else entered(session, mode, after)
    if key == "*":
        return _erased(session, mode)
    if key in ("left", "right", "B", "D"):
        session = settled(session)
        by = 1 if key in ("right", "B") else -1
        there = isinstance(session.mode, Scoring)
        return session._replace(mode=Scoring((mode.seat - 1 + by) % sheet.pad.players + 1)) if there else session
    return session._replace(mode=_changed(mode, key, session.clock, held))


def _changed(mode: Scoring, key: str, now: float, held: bool) -> Scoring:
    """The entry after a key: a digit, a sign, or one point up or down, more than one while the button is held."""
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
    """BACK: erase a digit, the sign or a change; with nothing entered open the menu, but not right after that."""
    if mode.keys:
        shorter = mode._replace(keys=mode.keys[:-1], at=session.clock, full=False)
        return session._replace(mode=shorter, erased=session.clock)
    if mode.sign or mode.step is not None:
        return session._replace(mode=Scoring(mode.seat), erased=session.clock)
    if session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session, session.erased + guard.ERASE_SECONDS)
    return open_menu(session)


def press_sheet(session: Session, mode: PadSheet, key: str) -> Session:
    """Up and down lead through the rounds, left and right through the players; BACK leaves."""
    pad_ = on_table(session).pad
    if key in ("up", "down", "2", "8"):
        last = max(0, len(pad_.running) - SHEET_ROWS)
        row = mode.row + (SHEET_ROWS if key in ("down", "8") else -SHEET_ROWS)
        return session._replace(mode=mode._replace(row=min(max(0, row), last)))
    if key in ("left", "right", "4", "6"):
        column = mode.column + (1 if key in ("right", "6") else -1)
        return session._replace(mode=mode._replace(column=min(max(0, column), pad_.players - 1)))
    return _resumed(session) if key == "*" else session


# -- menu, take-back, end ---------------------------------------------------------------------------------------


def open_menu(session: Session) -> Session:
    """The menu of the score pad: a fixed list, so that each entry keeps its digit."""
    over = isinstance(session.mode, PadOver)
    why = "The game is over." if over else "Nothing is entered yet." if on_table(session).empty else ""
    items = (
        Item(Action.TAKE_BACK, setup.take_back_words(session, on_table(session))),
        Item(Action.END, "End the game", why=why),
        Item(Action.STANDINGS, "Standings"),
        Item(Action.LEAVE, "Main menu" if over else "Set it aside"),
        Item(Action.PHONES, f"Phones: {'on' if session.phones else 'off'}"),
        Item(Action.SHEET, "Score sheet", why="Nothing is entered yet." if on_table(session).empty else ""),
        Item(Action.DEALER, f"Dealer's mark: {'on' if session.dealer else 'off'}"),
    )
    if isinstance(session.mode, Scoring):
        session = session._replace(pad=on_table(session)._replace(seat=session.mode.seat))
    return session._replace(mode=Menu("pad", items))


def press_menu(session: Session, menu: Menu, key: str) -> Session:
    """A key in the menu of the score pad."""
    if key == "*":
        return _resumed(session)
    session, menu, item = menu_keys.picked(session, menu, key)
    if item is None:
        return session
    if item.does is Action.TAKE_BACK:
        return ask_back(session)
    if item.does is Action.SHEET:
        return session._replace(mode=PadSheet(max(0, len(on_table(session).pad.running) - SHEET_ROWS)))
    if item.does is Action.DEALER:
        line = LogEntry(0, "dealer", text="off" if session.dealer else "on")
        return _resumed(session._replace(dealer=not session.dealer, unsaved=(*session.unsaved, line)))
    if item.does is Action.PHONES:
        return phones.opened(session)
    if item.does is Action.STANDINGS:
        return session._replace(mode=Page(PageKind.STANDINGS, back=menu))
    if item.does is Action.END:
        ends = Ask(Action.END, "End the game?", _standing(on_table(session)), back=table(session).mode)
        return session._replace(mode=ends)
    if _is_over(session):
        return main_menu(session)
    words = unfinished(on_table(session))
    return session._replace(mode=Ask(Action.LEAVE, "Set it aside?", words, back=table(session).mode))


def _standing(sheet: PadRound) -> tuple[str, ...]:
    names = " and ".join(sheet.name(seat) for seat in sheet.pad.leaders)
    return (f"{names} would win." if len(sheet.pad.leaders) == 1 else f"{names} would share it.",)


def ask_back(session: Session) -> Session:
    """Ask before the last entry is taken back; points being entered count first."""
    session = settled(session)
    sheet = on_table(session)
    if sheet.empty:
        return setup.earlier(session, sheet.header)
    seat, points = sheet.pad.entries[-1]
    said = (f"{sheet.name(seat)}: {points:+d}", "is undone.")
    return session._replace(mode=Ask(Action.TAKE_BACK, "Take back?", said, back=session.mode))


def press_ask(session: Session, ask: Ask, key: str) -> Session:
    """OK agrees, any other key cancels; where play goes on, a key that is not BACK counts for it."""
    if key != "#":
        session = _resumed(session) if isinstance(ask.back, Menu) else session._replace(mode=ask.back)
        counts = ask.does is Action.END and key != "*"
        return press_scoring(session, session.mode, key) if counts and isinstance(session.mode, Scoring) else session
    if ask.does is Action.TAKE_BACK:
        return take_back(session)
    if ask.does is Action.END:
        return ended(session)
    return main_menu(rounds.set_aside(session, on_table(session)))


def press_over(session: Session, mode: PadOver, key: str) -> Session:
    """OK begins the same game again with the next player first; BACK opens the menu."""
    if key == "#":
        sheet = on_table(session)
        names = (*sheet.header.names[1:], sheet.header.names[0])
        return begin(session._replace(previous=sheet), sheet.header._replace(names=names))
    return open_menu(session) if key == "*" else session


def press_page(session: Session, page: Page, key: str) -> Session:
    """A page to read: up and down turn it, any other key leaves."""
    if key in ("down", "right", "8", "0"):
        return session._replace(mode=page._replace(number=page.number + 1))
    if key in ("up", "left", "2"):
        return session._replace(mode=page._replace(number=max(0, page.number - 1)))
    return session._replace(mode=page.back)


def _resumed(session: Session) -> Session:
    """Back to the pad or its result."""
    return session._replace(mode=PadOver()) if _is_over(session) else table(session)


def _is_over(session: Session) -> bool:
    return on_table(session).over
