"""Whole rounds on phones in real Chromium, by what a screen reader gets: names of buttons, and one spoken line.

One player taps, the next one uses the keyboard alone; upright and on the side, light and dark.
"""

from __future__ import annotations

import random

import pytest
from browser import keys_to_phones_page, page_faults, press_button, seated_phone
from tapping import TAPS_SCRIPT, keys_of_move, nearest_tap

from companion import games

NAMES = ("Ann", "Ben", "Cleo", "Dan")
SCREENS = [
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
    {"viewport": {"width": 740, "height": 360}, "color_scheme": "dark"},
    {"viewport": {"width": 320, "height": 568}, "color_scheme": "dark"},
    {"viewport": {"width": 1920, "height": 1080}, "color_scheme": "light"},
]
"""A phone for each seat."""
SMALL_TARGETS_SCRIPT = """() => [...document.querySelectorAll("button, summary, a, .tap")].filter((each) => {
  const box = each.getBoundingClientRect();
  return each.checkVisibility() && Math.min(box.width, box.height) < 23.9;
}).map((each) => each.outerHTML.slice(0, 120))"""


def tap_move(phone, keys: str, *, typing: bool) -> int:
    """Put a move together on the board, finding each tap by its name. Returns how many taps that took."""
    entered, taps = "", 0
    while entered != keys:
        phone.wait_for_selector(f"#draft:not([aria-busy=true]):has(#keys[value='{entered}']) .tap >> nth=0")
        entered, words = nearest_tap(phone.evaluate(TAPS_SCRIPT), keys, entered)
        place = phone.get_by_role("button", name=words, exact=True).and_(
            phone.locator(f".tap[hx-vals*='\"{entered}\"']")
        )
        if typing:
            place.first.focus()
            phone.keyboard.press("Enter" if taps % 2 else "Space")
        else:
            place.first.click()
        taps += 1
    phone.wait_for_selector(f"#draft:not([aria-busy=true]) #keys[value='{keys}']", state="attached")
    if typing:
        assert phone.evaluate("document.querySelector('#draft').contains(document.activeElement)"), "focus is lost"
    return taps


def accessibility_faults(phone, axe) -> list[str]:
    """The accessibility faults of a page; its weight is that of a whole round by now, and checked elsewhere."""
    phone.wait_for_selector("#draft:not([aria-busy=true]):has(#keys[value=''])")
    return [each for each in page_faults(phone, axe) if not each.endswith(" bytes")] + phone.evaluate(
        SMALL_TARGETS_SCRIPT
    )


@pytest.mark.drill
@pytest.mark.parametrize(
    ("game", "players"), [("27", 2), ("coral-reef", 2), ("prime-attactics", 2), ("ziggurat", 2), ("ziggurat", 4)]
)
def test_a_round_is_tapped_to_its_end(box, browser, web, axe, play_round, typed_keys, game, players):
    """Each move is put together on the board and played; nothing is cut, too small or without a name on the way."""
    guessed = game != "ziggurat"  # There a sealed hand can guess nothing; the moves of open ones are as good.
    options = games.manifest_of(game).option_defaults
    played = play_round(game, options, players, random.Random(5), share=0.0 if guessed else 1.0)
    table = box("--game", game, "--players", ",".join(NAMES[:players]))
    table.start()
    pages = web(table)
    phones = {}
    table.type_keys(keys_to_phones_page(game))
    for seat, name in enumerate(NAMES[:players], 1):
        phones[seat] = seated_phone(browser, table, pages, name, **SCREENS[seat - 1], bypass_csp=True)
    table.type_keys("~*~*")
    errors: list[str] = []
    for phone in phones.values():
        phone.on("pageerror", lambda error: errors.append(str(error)))
    wrong: list[str] = []
    for index, ((seat, move), state) in enumerate(zip(played.events, played.states, strict=False)):
        phone, keys = phones[seat], keys_of_move(typed_keys, game, state, move)
        phone.wait_for_selector("h1:has-text('your turn')")
        tap_move(phone, keys, typing=seat % 2 == 0)
        # A lone 0 of Prime Attactics may still become an aim, so it is no move yet.
        press_button(phone, "#cannot" if (game, str(move)) == ("prime-attactics", "pass") else "#play")
        if index in (0, 1, 2, len(played.events) // 2):
            wrong += accessibility_faults(phone, axe)
        if index == 0:
            name = NAMES[seat - 1]
            other = phones[seat % players + 1]
            other.wait_for_function("name => document.querySelector('#said').textContent.includes(name)", arg=name)
    for phone in phones.values():
        phone.wait_for_selector(".result")
        wrong += accessibility_faults(phone, axe)
    assert (wrong, errors) == ([], [])
    assert table.stop() == 0
