"""The box's keys on a phone: which of them a phone may press, what holds a player up at the box, and closing that.

A press names what its page showed by a mark: where the box shows something else by then it does nothing, so neither a
second tap nor an old page presses a key that nobody meant.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.contents import kinds
from companion.languages import text
from companion.moments.ask import Ask
from companion.moments.menus.menu import Menu
from companion.moments.phones import pairing
from companion.moments.phones.pairing import add_answer
from companion.moments.phones.phones_page import Phones
from companion.moments.play.dealing import Dealing
from companion.moments.play.playing import Playing
from companion.moments.play.refusing import Refusing
from companion.moments.private.look_away import LookAway
from companion.moments.setup.seats import Seats
from companion.moments.setup.spelling import Spelling
from companion.rounds.player_names import fit, unfit

if TYPE_CHECKING:
    from companion.contents.kinds import Content
    from companion.inputs import PhoneRequest
    from companion.phone_requests import PressRequest
    from companion.session.model import Moment, Session

OTHER = text("The box shows something else by now: look again.")
NOT_HERE = text("That is for the box's own keys.")
OPENED = (kinds.Choice, kinds.Reading, kinds.Parts, kinds.Claims, kinds.Standings, kinds.AllTime, kinds.Findings,
          kinds.Progress, kinds.Refusal, kinds.Notice, kinds.Code, kinds.PhoneQuestion, kinds.Question,
          kinds.Drawn)  # fmt: skip
"""What a player whose turn it is may close: it was opened over the table, and nothing that is entered is lost."""
KEYS = {"ok": "#", "back": "*", "up": "up", "down": "down", "left": "left", "right": "right"}


class Remote(NamedTuple):
    """What phones may press now: the mark of what the box shows, and keys as `PressRequest` has them."""

    seen: str
    keys: tuple[str, ...]


def in_public(session: Session) -> Session:
    """The session without what lets a phone in; while a player's own pieces are shown, with what stands before them."""
    return session._replace(mode=session.mode.in_public, code=None)


def content(session: Session) -> Content | None:
    """What the moment says, None where the game of another package fails; the panel's picture says so."""
    try:
        return session.mode.says(session)
    except Exception:
        if not games.is_added(session.game):
            raise
        return None


def remote(session: Session, shown: Content | None) -> Remote:
    """What phones may press where the box shows this to everybody."""
    words: Any = shown
    if isinstance(shown, kinds.Drawn | kinds.Progress):
        words = None  # It changes by itself.
    elif isinstance(shown, kinds.Reading | kinds.Findings):
        words = shown.title, shown.at  # What is being looked into changes by itself too, and its keys mean the same.
    elif shown is not None:
        words = shown._replace(answers=())  # Whether a key counts yet is no other page.
    seen = f"{zlib.crc32(repr((session.mode.family, words)).encode()):08x}"
    return Remote(seen, _keys(session, session.mode, shown))


def _keys(session: Session, mode: Moment, shown: Any) -> tuple[str, ...]:
    """The keys that mean something, but for those of entries, of what is private, and of who is let in."""
    if session.stopping or mode.in_public is not mode:
        return ()
    if isinstance(mode, LookAway) or (isinstance(mode, Ask) and isinstance(mode.back, Phones)):
        return ("back",)
    match shown:
        case kinds.Drawn():
            rests = not isinstance(mode, Playing | Dealing) or (mode.at_rest and session.box_move is None)
            return ("back",) if rests else ()
        case kinds.Scores():
            return () if shown.change else ("back",)
        case kinds.Question() if shown.seats:
            return ()
        case kinds.Code() | kinds.PhoneQuestion():
            return ("back",)
        case kinds.Notice() | kinds.Refusal():
            return ("ok",)
        case kinds.Letters():
            return ("type", "back")
        case kinds.Cover() | kinds.OwnPieces() | kinds.Mend() | None:
            return ()
    answers = tuple(answer.key for answer in shown.answers if answer.key in KEYS)
    if isinstance(mode, Menu | Seats):
        return ("pick", *(key for key in answers if isinstance(mode, Seats) or key == "back"))
    return (*(("type",) if isinstance(shown, kinds.Amount) else ()), *answers)


def may_press(session: Session, phone: str) -> bool:
    """Whether a phone may press the box's keys: the host's, and where the table's settings say so any player's."""
    if not phone:
        return False
    return phone == session.host or (session.settings.players_press and pairing.player(session, phone) != "")


def hold_up(session: Session, seat: int, shown: Content | None) -> str:
    """What at the box keeps a seat from its move, in a sentence; "" where nothing does, or it is not to move."""
    round_, mode = session.round, session.mode
    if round_ is None or round_.waiting or round_.turn != seat or session.at_floor:
        return ""
    if isinstance(mode, Refusing) or shown is None:
        return ""
    match shown:
        case kinds.Code() | kinds.PhoneQuestion(must_show=""):
            return text("The box shows its page for phones.")
        case kinds.PhoneQuestion():
            return text("The box asks whether a phone may come in.")
        case kinds.Question(title=title, seats=seats):
            asked = [each.name for each in seats if each.state == "asked"]
            if asked == [round_.name(seat)]:
                return ""  # The page has the question itself.
            if asked:
                return text("The box asks {who}: {title}", who=asked[0], title=title)
            return text("The box asks: {title}", title=title)
        case kinds.Notice(heading=heading):
            return text("The box shows: {heading}", heading=heading) if isinstance(mode, LookAway) else ""
        case kinds.Choice():
            return text("A menu is open at the box.")
        case kinds.Letters() | kinds.Amount() | kinds.Form() | kinds.OwnPieces() | kinds.Mend():
            return text("Something is being entered at the box.")
    return text("A page is open at the box.")


def may_close(session: Session, shown: Content | None) -> bool:
    """Whether a player who is held up may close what the box shows: nobody is asked, or in the middle of something."""
    mode = session.mode
    if mode.in_public is not mode or isinstance(mode, LookAway):
        return False
    return isinstance(shown, OPENED) and not (isinstance(shown, kinds.Question) and shown.seats)


def answer_press(session: Session, event: PhoneRequest, request: PressRequest) -> Session:
    """Press a key of the box for a phone that may."""
    shown = content(in_public(session))
    found = remote(session, shown)
    if request.seen != found.seen:
        return add_answer(session, event, OTHER)
    if request.key == "close":
        held = hold_up(session, pairing.seat(session, event.phone), shown)
        return add_answer(session.show_floor(), event) if held and may_close(session, shown) else _no(session, event)
    if not may_press(session, event.phone) or request.key not in found.keys:
        return _no(session, event)
    return _press(session, event, request)


def _no(session: Session, event: PhoneRequest) -> Session:
    return add_answer(session, event, NOT_HERE)


def _press(session: Session, event: PhoneRequest, request: PressRequest) -> Session:
    """Do what a key means in the moment."""
    mode = session.mode
    if request.key == "pick":
        return add_answer(_pick_entry(session, mode, request.text), event)
    if request.key == "type":
        return _type_name(session, event, mode, request.text)
    return add_answer(mode.press(session, KEYS[request.key]), event)


def _pick_entry(session: Session, mode: Moment, number: str) -> Session:
    """Pick an entry of a list, or a seat, counted from 1."""
    at = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
    if isinstance(mode, Menu) and 1 <= at <= len(mode.items(session)):
        picked: Menu = mode._replace(cursor=at - 1)
        return picked.press(session, "#")
    return mode.press(session, number) if isinstance(mode, Seats) and 1 <= at <= 8 else session


def _type_name(session: Session, event: PhoneRequest, mode: Moment, said: str) -> Session:
    """A name that is spelled, or a number, and OK."""
    said = " ".join(said.split())
    if isinstance(mode, Spelling):
        return add_answer(mode.done(session, said) if fit(said) else session, event, "" if fit(said) else unfit(said))
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        return add_answer(session, event, text("Say a number."))
    for key in (*said, "#"):
        if type(session.mode) is type(mode):
            session = session.mode.press(session, key)
    return add_answer(session, event)
