"""The network without a keyboard: the Wi-Fi in sight, its password letter by letter, and a hotspot where there is none.

A helper has NetworkManager do it (`HelperRequest`). The password is in the session only while it is typed::

    HelperWait ──► ListScreen ──► PasswordScreen ──► HelperWait ──► a page with what was done
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.screens.lists import ListScreen, MenuItem, TextPage
from companion.evening.screens.name_screens import SpellingScreen
from companion.evening.screens.stick import NO_ANSWER_TEXT, HelperWait
from companion.evening.session_values import Network
from companion.inputs import HelperRequest
from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.evening.model import Session
    from companion.inputs import HelperAnswered, PhoneRequest, SettingRequest

MIN_PASSWORD_LETTERS, MAX_PASSWORD_LETTERS = 8, 63
"""The lengths of a password of WPA (IEEE 802.11, annex J.4), which is in printable ASCII."""
TAIL_LETTERS = 14
"""The letters of a longer password that the panel shows, which are the last ones."""
PASSWORD_CELLS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "1234567890-_.,!?@#$%&*+/=:;'\"()<>[]{}\\|^~` "
"""The letters and the signs that buttons pick from."""
PASSWORD_TAPS = {
    "1": "1.,-_!?@'\"&", "2": "abc2ABC", "3": "def3DEF", "4": "ghi4GHI", "5": "jkl5JKL", "6": "mno6MNO",
    "7": "pqrs7PQRS", "8": "tuv8TUV", "9": "wxyz9WXYZ", "0": "0 #*+/=:;()$%<>[]{}\\|^~`",
}  # fmt: skip
"""What taps of a digit give, in this order."""
PROBLEM_TEXTS = {
    "no-nmcli": text("This system has no NetworkManager, so the box can't set up its network."),
    "no-wifi": text("The box has no Wi-Fi."),
    "not-joined": text("The network didn't let the box in. Is the password right?"),
    "no-hotspot": text("The hotspot can't be opened."),
}
"""Word of the helper → what it means."""
PASSWORD_TEXT = text("A password has 8 to 63 letters, digits and signs, without accents.")
NOT_IN_SIGHT_TEXT = text("This network is not in sight: look for networks again.")


class PasswordScreen(SpellingScreen):
    """The password of a network. Only the panel shows it: no phone, no big screen."""

    max_letters = MAX_PASSWORD_LETTERS
    cell_rows = PASSWORD_CELLS
    taps = PASSWORD_TAPS
    is_exact = True
    is_public = False

    def key_refusal(self, key: str) -> str:
        return "" if len(key) > 1 or " " <= key <= "~" else text("A password has\nno accents")

    def content(self, session: Session) -> kinds.Content:
        content = super().content(session)
        assert isinstance(content, kinds.Letters)
        tail = self.name_text[-TAIL_LETTERS:]
        return content._replace(text=tail if tail == self.name_text else f"…{tail}")


def open_network(session: Session) -> Session:
    """Look for networks, then open the list of those in sight."""
    return _start_task(session, "list")


def _network_list(session: Session) -> ListScreen:
    """The networks in sight, the one in use and those with the strongest signal first, and the hotspot."""
    items = (
        *(
            MenuItem(each.name, partial(_open_network, network=each), text("in use") if each.is_in_use else "")
            for each in session.networks
        ),
        MenuItem(text("Open a hotspot"), partial(_start_task, task="hotspot")),
        MenuItem(text("Look again"), lambda after: open_network(after.close_screen())),
    )
    return ListScreen(text("Network"), (), items)


def _start_task(session: Session, task: str, *lines: str) -> Session:
    wait = HelperWait(task, (text("Network"), text("One moment …")))
    return session.open_screens(wait).send_request(HelperRequest("network", (task, *lines)))


def _open_network(session: Session, network: Network) -> Session:
    if network.is_in_use:
        return _show_joined(session, network.name)
    if network.is_open:
        return _start_task(session, "join", network.name, "")
    return session.open_screens(PasswordScreen(text("Password"), network.name, partial(_join, network=network)))


def _show_joined(session: Session, name: str) -> Session:
    return session.open_screens(TextPage((text("Network"), text("The box is in {network}.", network=name))))


def _join(session: Session, password: str, network: Network) -> Session:
    if len(password) < MIN_PASSWORD_LETTERS:
        return session._replace(banner=text("{number} letters at least", number=MIN_PASSWORD_LETTERS))
    return _start_task(session.close_screen(), "join", network.name, password)


def ask_for_phone(session: Session, phone_request: PhoneRequest, request: SettingRequest) -> Session:
    """Look for networks, or join one, for the host's phone, which gets its reply when the helper has answered."""
    if not session.settings.has_network:
        return session.reply_to_phone(phone_request, text("This is not possible here."))
    lines: tuple[str, ...] = ("list",)
    if request.setting == "join":
        name, _, password = request.text.partition("\t")
        network = next((each for each in session.networks if each.name == name), None)
        if network is None:
            return session.reply_to_phone(phone_request, NOT_IN_SIGHT_TEXT)
        if not network.is_open and not re.fullmatch(r"[ -~]{8,63}", password):
            return session.reply_to_phone(phone_request, PASSWORD_TEXT)
        lines = ("join", name, "" if network.is_open else password)
    return session.send_request(HelperRequest("network", lines, phone_request.request_number, phone_request.phone))


def show_answer(session: Session, answered: HelperAnswered) -> Session:
    """Show the answer of the helper to whoever has asked, if somebody at the box still waits for it."""
    request, (word, *said) = answered.request, answered.lines
    task = request.lines[0]
    problem = "" if word == "ok" else PROBLEM_TEXTS.get(word, NO_ANSWER_TEXT)
    if not problem and task != "hotspot":
        session = session._replace(networks=parse_networks(said))
    if request.phone:
        return session.reply_to_phone(request, problem)
    if not isinstance(session.screen, HelperWait) or session.screen.task != task:
        return session
    session = session.close_screen()
    if problem:
        return session.open_screens(TextPage((text("Network"), problem)))
    if task == "list":
        return session.open_screens(_network_list(session))
    if task == "join":
        return _show_joined(session.replace_screen(_network_list(session)), request.lines[1])
    name, code = [*said, "", ""][:2]
    lines = text("Network: {network}", network=name), text("Code: {code}", code=code)
    return session.open_screens(TextPage((text("Hotspot"), *lines)))


def parse_networks(lines: Iterable[str]) -> tuple[Network, ...]:
    r"""The networks that nmcli has listed in lines such as ``*:90:WPA2:Home\: 1``, the strongest first, each once.

    Hidden networks are left out, and those of companies, for which a password is not enough (802.1X).
    """
    found: dict[str, tuple[bool, int, Network]] = {}
    for line in lines:
        if match := re.fullmatch(r"([* ]):(\d+):([^:]*):(.+)", line):
            in_use, signal, security, name = match.groups()
            name = re.sub(r"\\(.)", r"\1", name)
            ranked = (in_use == "*", int(signal), Network(name, not security, in_use == "*"))
            if "802.1X" not in security and name.isprintable():
                found[name] = max(found.get(name, ranked), ranked)
    return tuple(network for *_, network in sorted(found.values(), key=lambda each: each[:2], reverse=True))
