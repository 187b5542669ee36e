"""The box's keys on a phone: which ones it may press, and what at the box keeps a player from a move.

A press carries a mark of what its page showed. If the box shows something else by now, the press does nothing. So
neither a second tap nor an old page can press a key that nobody meant.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.evening.contents import kinds
from companion.evening.screen_kinds import InputScreen, MessageScreen
from companion.evening.screens.lists import MenuScreen
from companion.evening.screens.pad.pad_play import PadMenu
from companion.evening.screens.phones import pairing
from companion.evening.screens.phones.phones_page import PhoneAdmission, report_changed_name
from companion.evening.screens.play.table_menu import TableMenu
from companion.evening.screens.private.hints import LookAway
from companion.languages import text
from companion.rounds.player_names import normalize_name

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.evening.screens.lists import MenuItem
    from companion.inputs import PhoneRequest, PressRequest

SCREEN_CHANGED_TEXT = text("The box now shows something else: look again.")
BOX_KEYS_ONLY_TEXT = text("Only the keys on the box can do that.")
CLOSABLE_KINDS = (
    kinds.Choice, kinds.Reading, kinds.Parts, kinds.Claims, kinds.Standings, kinds.AllTime, kinds.Findings,
    kinds.Progress, kinds.Refusal, kinds.Notice, kinds.Code, kinds.PhoneQuestion, kinds.Question, kinds.Drawn,
)  # fmt: skip
"""The kinds of content that a player to move may close from a phone: pages in which nothing is being entered."""
NAMING_ENTRIES = "leave", "phones"
"""The words of the menu's entries that disturb nobody who names pieces at the box."""
BOX_KEYS = {"ok": "#", "back": "*", "up": "up", "down": "down", "left": "left", "right": "right"}


class RemoteKeys(NamedTuple):
    """What phones may press now.

    Attributes:
        seen: the mark of what the box shows.
        keys: the keys of the box, as in `PressRequest`.
        menu: the entries of the table menu that can be picked without opening it: ``word``, ``says``, ``why`` it cannot
            be used now ("" if it can), and whether its switch is ``on`` (None where it has none).
        close: whether the host may close what lies over the game.
        base: whether nothing is open over the base screen.
    """

    seen: str
    keys: tuple[str, ...]
    menu: tuple[dict[str, Any], ...]
    close: bool
    base: bool


def public_session(session: Session) -> Session:
    """The session as everybody may see it: without private screens, and without what lets a phone in."""
    screens = session.screens
    while not screens[-1].is_public:
        screens = screens[:-1]
    session, screen = session._replace(screens=screens, phones=session.phones._replace(code=None)), screens[-1]
    return session.replace_screen(screen._replace(phone_hash="")) if isinstance(screen, PhoneAdmission) else session


def topmost_content_or_none(session: Session) -> Content | None:
    """The content of the topmost screen, None where the game of another package fails."""
    try:
        return session.screen.content(session)
    except Exception:
        if not games.is_added_game(session.game_id):
            raise
        return None


def remote_keys(session: Session, content: Content | None) -> RemoteKeys:
    """What phones may press while the box shows this content to everybody."""
    marked_value: object = content
    if isinstance(content, kinds.Drawn | kinds.Progress):
        marked_value = None  # Such content changes by itself, and the mark must not.
    elif isinstance(content, kinds.Reading | kinds.Findings):
        # The text may change by itself while a search runs, but its keys stay the same.
        marked_value = content.title, content.at
    elif content is not None:
        marked_value = content._replace(key_hints=())  # A key that starts to count doesn't make this another page.
    mark = f"{zlib.crc32(repr((session.screen.public_name, marked_value)).encode()):08x}"
    keys = _pressable_keys(session, content)
    has_table = session.round is not None or session.pad is not None
    entries = [
        {
            "word": each.word,
            "says": each.label,
            "why": each.unavailable_reason,
            "on": session.switches.hints if each.word == "hints" else None,
        }
        for each in _table_entries(session, content, keys)
    ]
    can_close = has_table and not session.is_at_base and may_close_box_screen(session, content)
    return RemoteKeys(mark, keys, tuple(entries), can_close, session.is_at_base)


def _table_entries(session: Session, content: Content | None, keys: tuple[str, ...]) -> list[MenuItem]:
    """The entries of the menu over the game that have a word; none unless a move, points or pieces are due."""
    is_naming = session.screen.allows_naming
    may_open = is_naming or "back" in keys
    if not session.is_at_base or not may_open or not isinstance(content, kinds.Drawn | kinds.Scores):
        return []
    menu: MenuScreen = PadMenu() if session.pad is not None else TableMenu()
    try:
        return [each for each in menu.items(session) if each.word and (not is_naming or each.word in NAMING_ENTRIES)]
    except Exception:
        if not games.is_added_game(session.game_id):
            raise
        return []


def _pressable_keys(session: Session, content: Content | None) -> tuple[str, ...]:
    """The keys that phones may press: none on a private screen, nor those of a draft or of who is let in."""
    if content is None or session.is_stopping or not session.screen.is_public:
        return ()
    return session.screen.phone_keys(session, _keys_with_effect(content))


def _keys_with_effect(content: Content) -> tuple[str, ...]:
    """The keys of the box that have an effect while it shows this content."""
    match content:
        case kinds.Question() if content.seats:
            return ()
        case kinds.Drawn() | kinds.Scores() | kinds.Code() | kinds.PhoneQuestion():
            return ("back",)
        case kinds.Notice() | kinds.Refusal():
            return ("ok",)
        case kinds.Letters():
            return ("type", "back")
        case kinds.Cover() | kinds.OwnPieces() | kinds.Mend():
            return ()
    keys = tuple(each.key for each in content.key_hints if each.key in BOX_KEYS)
    return ("type", *keys) if isinstance(content, kinds.Amount) else keys


def may_press(session: Session, phone: str) -> bool:
    """Whether a phone may press the box's keys: the host's, and if the configuration says so also any player's."""
    if not phone:
        return False
    return phone == session.phones.host or (
        session.settings.players_may_press and session.phones.player_of(phone) != ""
    )


def move_blocked_by_box_reason(session: Session, seat: int, content: Content | None) -> str:
    """What at the box keeps a seat from its move, in a sentence; "" if nothing does, or if the seat isn't to move."""
    round_ = session.round
    if round_ is None or round_.missing_holdings or round_.turn != seat:
        return ""
    if isinstance(content, kinds.Question) and _asked_names(content) == [round_.player_name(seat)]:
        return ""  # The player's own page shows this question already.
    return open_box_page_text(session, content)


def open_box_page_text(session: Session, content: Content | None) -> str:
    """What is open at the box instead of the table, in a sentence; "" for nothing."""
    if session.is_at_base or isinstance(session.screen, MessageScreen) or content is None:
        return ""
    match content:
        case kinds.Code() | kinds.PhoneQuestion(must_show=""):
            return text("The box shows its page for phones.")
        case kinds.PhoneQuestion():
            return text("The box asks whether to let a phone in.")
        case kinds.Question(title=title):
            if asked := _asked_names(content):
                return text("The box asks {who}: {title}", who=asked[0], title=title)
            return text("The box asks: {title}", title=title)
        case kinds.Notice(heading=heading):
            return text("The box shows: {heading}", heading=heading)
        case kinds.Choice():
            return text("A menu is open at the box.")
        case kinds.Letters() | kinds.Amount() | kinds.Form() | kinds.OwnPieces() | kinds.Mend():
            return text("Something is being entered at the box.")
    return text("A page is open at the box.")


def _asked_names(question: kinds.Question) -> list[str]:
    """The players who are being asked now."""
    return [each.name for each in question.seats if each.state == "asked"]


def may_close_box_screen(session: Session, content: Content | None) -> bool:
    """Whether a player who is kept from a move may close what the box shows.

    Not so while somebody is asked something or is in the middle of an input.
    """
    if not session.screen.is_public or isinstance(session.screen, LookAway):
        return False
    match content:
        case kinds.Question(seats=awaited) | kinds.PhoneQuestion(must_show=awaited) if awaited:
            return False
    return isinstance(content, CLOSABLE_KINDS)


def press_for_phone(session: Session, phone_request: PhoneRequest, request: PressRequest) -> Session:
    """Press a key of the box for a phone that may, or refuse it."""
    public_content = topmost_content_or_none(public_session(session))
    pressable = remote_keys(session, public_content)
    if request.page_mark != pressable.seen:
        return session.reply_to_phone(phone_request, SCREEN_CHANGED_TEXT)
    if request.key == "close":
        reason = move_blocked_by_box_reason(session, pairing.phone_seat(session, phone_request.phone), public_content)
        may_close = reason and may_close_box_screen(session, public_content)
        if may_close or (pressable.close and phone_request.phone == session.phones.host):
            return session.show_base_screen().reply_to_phone(phone_request)
        return _refuse_press(session, phone_request)
    if request.key == "menu" and may_press(session, phone_request.phone):
        for entry in _table_entries(session, public_content, pressable.keys):
            if entry.word == request.text:
                after = session if entry.unavailable_reason else entry.action(session)
                return after.reply_to_phone(phone_request, entry.unavailable_reason)
    if not may_press(session, phone_request.phone) or request.key not in pressable.keys:
        return _refuse_press(session, phone_request)
    return _press_on_screen(session, phone_request, request)


def _refuse_press(session: Session, request: PhoneRequest) -> Session:
    return session.reply_to_phone(request, BOX_KEYS_ONLY_TEXT)


def _press_on_screen(session: Session, phone_request: PhoneRequest, request: PressRequest) -> Session:
    screen = session.screen
    if request.key == "pick":
        number = request.text
        item_number = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
        if isinstance(screen, MenuScreen):
            return screen.pick_item(session, item_number).reply_to_phone(phone_request)
        after = screen.press(session, str(item_number)) if 1 <= item_number <= 8 else session
        return after.reply_to_phone(phone_request)
    if request.key == "type" and isinstance(screen, InputScreen):
        after, reason = screen.take_text(session, normalize_name(request.text))
        if not reason and isinstance(screen.content(session), kinds.Letters):
            after = report_changed_name(after, phone_request.phone, request.text)
        return after.reply_to_phone(phone_request, reason)
    return screen.press(session, BOX_KEYS[request.key]).reply_to_phone(phone_request)
