"""The doctor's pages and its test picture."""

import pytest

from companion.display import dispatch, messages, pages
from companion.evening.model import Session
from companion.evening.screens.box_checks import Doctor
from companion.inputs import Finding
from companion.panel.canvas import Canvas
from companion.rounds.stored import StoredHistory

FOUND = [
    Finding("panel", "ok", "It answers."),
    Finding("keypad", "do", "Keypad not allowed: add this user to the group dialout, it owns /dev/ttyACM0."),
    Finding("buttons", "ok", "They are ready."),
    Finding("lamps", "ok", "They are ready."),
    Finding("settings", "ok", "/etc/companion/config.toml is used."),
    Finding("disk", "ok", "11.9 GB are free in /var/lib/companion, a write took 3 ms."),
    Finding("rounds", "ok", "12 rounds are saved."),
    Finding("clock", "note", "2026-11-21 07:14, not set by the network; only the dates of rounds depend on it."),
    Finding("voltage", "do", "It has been too low since the start: use a good power supply with a short, thick cable."),
]
WELL = [finding._replace(state="ok") for finding in FOUND[:6]]
KEYS = ("#", "0", "1", "2", "A", "up", "down", "left", "OK", "BACK")

SCENES = {
    "doctor-looking": Doctor(),
    "doctor-overview": Doctor(pages.finding_pages(FOUND)),
    "doctor-well": Doctor(pages.finding_pages(WELL)),
    "doctor-noted": Doctor(pages.finding_pages([*WELL, FOUND[7]])),
    "doctor-finding": Doctor(pages.finding_pages(FOUND), 2),
    "doctor-full-page": Doctor(pages.finding_pages(FOUND), len(pages.finding_pages(FOUND)) - 1),
    "doctor-no-key": Doctor((), 1),
    "doctor-keys": Doctor((), 1, KEYS, 41),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_is_golden(golden, name):
    canvas = Canvas()
    moment = SCENES[name]
    dispatch.draw_content(canvas, moment.content(Session((moment,), StoredHistory())), uses_buttons=True)
    golden(canvas.image, name)


def test_nothing_of_a_long_finding_is_left_out():
    """A finding that is too long for a page has several pages, which together have all of it."""
    long = Finding("disk", "do", " ".join(f"word{number}" for number in range(60)))
    page_list = pages.finding_pages([long])
    assert len(page_list) > 2
    assert {page.about for page in page_list} == {"disk"}
    assert " ".join(page.text for page in page_list) == long.text
    assert pages.finding_pages(list(page_list)) == page_list


def test_the_test_picture_uses_every_edge():
    """All four edges are lit from end to end, and turned or mirrored it is another picture."""
    image = messages.panel_test_picture()
    assert (image.mode, image.size) == ("1", (128, 64))
    for box in ((0, 0, 128, 1), (0, 63, 128, 64), (0, 0, 1, 64), (127, 0, 128, 64)):
        assert set(image.crop(box).convert("L").tobytes()) == {255}
    turned = [image.transpose(way).tobytes() for way in (0, 1, 3)]
    assert image.tobytes() not in turned
