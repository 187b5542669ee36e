"""The box's keys on a phone: which ones it may press, and what at the box keeps a player from a move.

A press carries a mark of what its page showed. If the box shows something else by now, the press does nothing. So
neither a second tap nor an old page can press a key that nobody meant.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.evening.contents import kinds
from companion.evening.screen_kinds import InputScreen, MessageScreen
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.phones import pairing
from companion.evening.screens.phones.phones_page import Letting, tell_changed
from companion.evening.screens.private.hints import LookAway
from companion.languages import text
from companion.rounds.player_names import normalize_name

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.inputs import PhoneRequest, PressRequest

OTHER = text("The box now shows something else: look again.")
NOT_HERE = text("Only the keys on the box can do that.")
OPENED = (kinds.Choice, kinds.Reading, kinds.Parts, kinds.Claims, kinds.Standings, kinds.AllTime, kinds.Findings,
          kinds.Progress, kinds.Refusal, kinds.Notice, kinds.Code, kinds.PhoneQuestion, kinds.Question,
          kinds.Drawn)  # fmt: skip
"""The kinds of content that a player to move may close from a phone: pages in which nothing is being entered."""
KEYS = {"ok": "#", "back": "*", "up": "up", "down": "down", "left": "left", "right": "right"}


class Remote(NamedTuple):
    """What phones may press now: the mark of what the box shows, and keys as in `PressRequest`."""

    seen: str
    keys: tuple[str, ...]


def in_public(session: Session) -> Session:
    """The session as everybody may see it: without private screens, and without what lets a phone in."""
    screens = session.screens
    while not screens[-1].is_public:
        screens = screens[:-1]
    session, screen = session._replace(screens=screens, phones=session.phones._replace(code=None)), screens[-1]
    return session.show(screen._replace(phone="")) if isinstance(screen, Letting) else session


def content(session: Session) -> Content | None:
    """The content of the topmost screen, None where the game of another package fails."""
    try:
        return session.screen.content(session)
    except Exception:
        if not games.is_added_game(session.game):
            raise
        return None


def remote(session: Session, shown: Content | None) -> Remote:
    """What phones may press while the box shows this content to everybody."""
    words: object = shown
    if isinstance(shown, kinds.Drawn | kinds.Progress):
        words = None  # Such content changes by itself, and the mark must not.
    elif isinstance(shown, kinds.Reading | kinds.Findings):
        words = shown.title, shown.at  # The text may change by itself while a search runs, but its keys stay the same.
    elif shown is not None:
        words = shown._replace(meanings=())  # A key that starts to count doesn't make this another page.
    seen = f"{zlib.crc32(repr((session.screen.family, words)).encode()):08x}"
    return Remote(seen, _keys(session, shown))


def _keys(session: Session, shown: Content | None) -> tuple[str, ...]:
    """The keys that phones may press: none on a private screen, nor those of a draft or of who is let in."""
    if shown is None or session.stopping or not session.screen.is_public:
        return ()
    return session.screen.phone_keys(session, _meant(shown))


def _meant(shown: Content) -> tuple[str, ...]:
    """The keys of the box that have an effect while it shows this content."""
    match shown:
        case kinds.Question() if shown.seats:
            return ()
        case kinds.Drawn() | kinds.Scores() | kinds.Code() | kinds.PhoneQuestion():
            return ("back",)
        case kinds.Notice() | kinds.Refusal():
            return ("ok",)
        case kinds.Letters():
            return ("type", "back")
        case kinds.Cover() | kinds.OwnPieces() | kinds.Mend():
            return ()
    keys = tuple(each.key for each in shown.meanings if each.key in KEYS)
    return ("type", *keys) if isinstance(shown, kinds.Amount) else keys


def may_press(session: Session, phone: str) -> bool:
    """Whether a phone may press the box's keys: the host's, and if the configuration says so also any player's."""
    if not phone:
        return False
    return phone == session.phones.host or (session.settings.players_may_press and session.phones.player(phone) != "")


def hold_up(session: Session, seat: int, shown: Content | None) -> str:
    """What at the box keeps a seat from its move, in a sentence; "" if nothing does, or if the seat isn't to move."""
    round_ = session.round
    if round_ is None or round_.missing_holdings or round_.turn != seat or session.at_base:
        return ""
    if isinstance(session.screen, MessageScreen) or shown is None:
        return ""
    match shown:
        case kinds.Code() | kinds.PhoneQuestion(must_show=""):
            return text("The box shows its page for phones.")
        case kinds.PhoneQuestion():
            return text("The box asks whether to let a phone in.")
        case kinds.Question(title=title, seats=seats):
            asked = [each.name for each in seats if each.state == "asked"]
            if asked == [round_.player_name(seat)]:
                return ""  # The player's own page shows this question already.
            if asked:
                return text("The box asks {who}: {title}", who=asked[0], title=title)
            return text("The box asks: {title}", title=title)
        case kinds.Notice(heading=heading):
            return text("The box shows: {heading}", heading=heading)
        case kinds.Choice():
            return text("A menu is open at the box.")
        case kinds.Letters() | kinds.Amount() | kinds.Form() | kinds.OwnPieces() | kinds.Mend():
            return text("Something is being entered at the box.")
    return text("A page is open at the box.")


def may_close(session: Session, shown: Content | None) -> bool:
    """Whether a player who is kept from a move may close what the box shows.

    Not so while somebody is asked something or is in the middle of an input.
    """
    if not session.screen.is_public or isinstance(session.screen, LookAway):
        return False
    match shown:
        case kinds.Question(seats=asks) | kinds.PhoneQuestion(must_show=asks) if asks:
            return False
    return isinstance(shown, OPENED)


def answer_press(session: Session, event: PhoneRequest, request: PressRequest) -> Session:
    """Press a key of the box for a phone that may, or refuse it."""
    shown = content(in_public(session))
    found = remote(session, shown)
    if request.page_mark != found.seen:
        return session.answer(event, OTHER)
    if request.key == "close":
        held = hold_up(session, pairing.seat(session, event.phone), shown)
        return session.show_base().answer(event) if held and may_close(session, shown) else _no(session, event)
    if not may_press(session, event.phone) or request.key not in found.keys:
        return _no(session, event)
    return _press(session, event, request)


def _no(session: Session, event: PhoneRequest) -> Session:
    return session.answer(event, NOT_HERE)


def _press(session: Session, event: PhoneRequest, request: PressRequest) -> Session:
    screen = session.screen
    if request.key == "pick":
        number = request.text
        at = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
        if isinstance(screen, MenuScreen):
            return screen.pick_entry(session, at).answer(event)
        return (screen.press(session, str(at)) if 1 <= at <= 8 else session).answer(event)
    if request.key == "type" and isinstance(screen, InputScreen):
        after, why = screen.take_words(session, normalize_name(request.text))
        if not why and isinstance(screen.content(session), kinds.Letters):
            after = tell_changed(after, event.phone, request.text)
        return after.answer(event, why)
    return screen.press(session, KEYS[request.key]).answer(event)
