"""What the box does with a USB stick: back everything up, put it back, take an update or the evening's report.

A helper does it (`HelperRequest`), for the table may mount nothing. What changes the box is looked at first, told in
plain words, and done after one OK::

    StickMenu ──► HelperWait ──► a page with what was done
                     └──find──► Confirmation ──OK──► HelperWait ──► the table starts anew, or a page with the reason
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.screen_kinds import BoxScreen
from companion.evening.screens.lists import ListScreen, MenuItem, TextPage
from companion.evening.screens.messages import Confirmation
from companion.inputs import HelperRequest
from companion.languages import text

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import HelperAnswered

TASKS = {
    "backup": text("Back everything up"),
    "find-backup": text("Put a backup back"),
    "report": text("Take the report"),
    "find-update": text("Update the program"),
}
"""The tasks of the menu, in its order."""
QUESTIONS = {
    "find-backup": ("restore", text("Put it back?"), text("What is here now is kept.")),
    "find-update": (
        "update", text("Update?"), text("Rounds stay. If it fails, this version comes back."),
    ),
}  # fmt: skip
"""Task that only looks → the task that follows an OK, the question, and what happens then."""
DONE_TEXTS = {
    "backup": text("All rounds and settings are on the stick. Hidden pieces too: keep it safe."),
    "report": text("The evening's report is on the stick."),
    "restore": text("Everything is put back."),
    "update": text("The update is installed."),
}
STICK_LINES = text("USB stick"), text("One moment …"), text("Leave the stick in.")
NO_ANSWER_TEXT = text("The box can't do that now. Wait a minute, then try again.")
PROBLEM_TEXTS = {
    "failed": text("That didn't work: was the stick pulled, or is it full? Nothing is lost."),
    "no-stick": text("Put in a USB stick formatted with FAT or exFAT."),
    "unreadable": text("The stick can't be read. Try another one."),
    "no-backup": text("No backup that can be read is on the stick."),
    "no-package": text("No newer version is on the stick."),
    "no-key": text("This version has no key to check updates with, so it takes none from a stick."),
    "no-openssl": text("The program openssl is missing, so updates can't be checked."),
    "unsigned": text("The package has no signature beside it, so it isn't installed."),
    "forged": text("The package's signature is wrong, so it isn't installed."),
    "other-box": text("The package is for another kind of computer or system."),
    "not-newer": text("The package is no newer than this version."),
    "not-installed": text("The update was cut off. This version runs on; try it again."),
    "not-started": text("The new version doesn't start here. This version runs on."),
}
"""Word of the helper → what it means."""


class HelperWait(BoxScreen):
    """Says that a helper is at work, until the answer comes; BACK leaves it alone with its work.

    The first of its `lines` is the title.
    """

    task: str
    lines: tuple[str, ...] = STICK_LINES

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        return session.close_screen() if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        title, *lines = self.lines
        return kinds.Reading(title, tuple(lines), (KeyHint("back", text("back")),), 0)


def open_stick_menu(session: Session) -> Session:
    """Open the list of what can be done with a stick."""
    items = tuple(MenuItem(label, partial(_start_task, task=task)) for task, label in TASKS.items())
    return session.open_screens(ListScreen(text("USB stick"), (), items))


def _start_task(session: Session, task: str) -> Session:
    request = HelperRequest("stick", (f"{task} {session.language}",))
    return session.open_screens(HelperWait(task)).send_request(request)


def show_answer(session: Session, answered: HelperAnswered) -> Session:
    """Show the answer of the helper, or the question that it leads to, if somebody still waits for it."""
    task, screen = answered.request.lines[0].partition(" ")[0], session.screen
    if not isinstance(screen, HelperWait) or screen.task != task:
        return session
    session, (word, *said) = session.close_screen(), answered.lines
    if word == "ok" and task in QUESTIONS:
        next_task, title, note = QUESTIONS[task]
        found = text("Version {version}.", version=said[0]) if task == "find-update" else f"{said[0]}."
        ask = Confirmation(partial(_start_task, task=next_task), title, (found, note), needs_ok_or_back=True)
        return session.open_screens(ask)
    sentence = DONE_TEXTS[task] if word == "ok" else PROBLEM_TEXTS.get(word, NO_ANSWER_TEXT)
    return session.open_screens(TextPage((text("USB stick"), sentence, *said)))
