"""A round of each game to its end on phones in real Chromium, in every language: nothing is English, nothing is cut.

The two players' phones and the big screen speak three languages, and change places twice: so each game is tapped in all
of them, from both seats.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from browser import keys_to_phones_page, naming_form_selector, press_button, seated_phone
from tapping import TAPS_SCRIPT, keys_of_move, nearest_tap
from untranslated_pages import untranslated_texts

from companion import games
from companion.languages import catalogues

LOCALES = {"de": "de-AT", "fr": "fr-CA", "es": "es-MX"}
NAMES = ("Ann", "Ben")
PATIENCE = 60
ROUNDS = {
    "27": ({"variant": "expert"}, 27, "1x99"),
    "coral-reef": ({"form": "cards"}, 1, "7:2"),
    "prime-attactics": ({"level": "easy", "start": "11"}, 24, "x9"),
    "ziggurat": ({"set": "6", "base": "solid"}, 0, "9-9 d4e4"),
}
"""For each game the options of its round, its seed, and a move that is refused."""
MEASURE = (Path(__file__).parents[1] / "support" / "layout.js").read_text("utf-8")


class ThreePages:
    """The phones of seats 1 and 2 and the big screen (0), each in a language of its own."""

    def __init__(self, shown: dict, spoken: dict[int, str]) -> None:
        self.shown, self.spoken = shown, spoken
        self.wrong: set[str] = set()

    def record_faults(self, step: str, *seats: int, between: bool = False) -> None:
        """Record what is English on these pages, or on all, and what is out of sight, unless it is `between` moves."""
        for seat in seats or self.shown:
            page, code = self.shown[seat], self.spoken[seat]
            faults = untranslated_texts(page, code) + ([] if between else page.evaluate(MEASURE, False))
            self.wrong |= {f"{code}, {step}, {seat}: {each}" for each in faults}

    def change_languages(self) -> None:
        """Switch each page to the next language; a player's page has the choice in its sheet."""
        codes = list(LOCALES)
        for seat, page in self.shown.items():
            self.spoken[seat] = code = codes[(codes.index(self.spoken[seat]) + 1) % len(codes)]
            if page.locator("#open-more").count():
                page.click("#open-more")
                page.click(f"#more .languages button[value='{code}']")
            else:  # A television shows the choice to those who come to it with the keyboard.
                page.focus(f".languages button[value='{code}']")
                page.keyboard.press("Enter")
            page.wait_for_selector(f"html[lang={code}] main")

    def wait(self, selector: str) -> None:
        for page in self.shown.values():
            page.wait_for_selector(selector, state="attached")


@pytest.mark.drill
@pytest.mark.parametrize("game", list(ROUNDS))
def test_a_round_is_tapped_in_every_language(box, browser, web, play_round, typed_keys, game):
    """Hands named, moves half-made, refused and played, the referee asked, and the result."""
    assert {*LOCALES} == {*catalogues.available_languages()[1:]}
    options, seed, forbidden = ROUNDS[game]
    played = play_round(game, options, 2, random.Random(seed), share=1.0)
    chosen = ",".join(f"{name}={value}" for name, value in options.items())
    hidden = bool(games.manifest_of(game).holdings)
    table = box(
        "--game", game, "--options", chosen, "--players", ",".join(NAMES), *(("--open", "1,2") if hidden else ())
    )
    table.start()
    table.type_keys(keys_to_phones_page(game))
    served = web(table)
    first = [*LOCALES, *LOCALES][list(ROUNDS).index(game) % 3 :]
    spoken = {1: first[0], 2: first[1], 0: first[2]}
    phones = {
        seat: seated_phone(browser, table, served, NAMES[seat - 1], locale=LOCALES[spoken[seat]]) for seat in (1, 2)
    }
    screen = browser.new_page(viewport={"width": 1920, "height": 1080}, locale=LOCALES[spoken[0]])
    pages = ThreePages({**phones, 0: screen}, spoken)
    screen.goto(f"http://127.0.0.1:{served.port}/p/ABCDEF")
    pages.record_faults("the code's page")
    screen.goto(f"http://127.0.0.1:{served.port}/")
    table.type_keys("~*~*")
    name_hands(pages, played)
    events = list(zip(played.events, played.states, strict=False))
    turns = {len(events) // 3, 2 * len(events) // 3}
    for index, ((seat, move), state) in enumerate(events):
        phone = phones[seat]
        phone.wait_for_selector("#draft form.keys, #draft #pieces", state="attached")
        if index in turns:
            pages.change_languages()
        if index in turns or not index:
            make_refused_move(pages, seat, forbidden)
        due = games.load_move_input(game).due_refill(state)
        if due is not None and str(move).split()[0] == due.event_word:
            name_pieces(pages, seat, str(move).split()[1:])
            continue
        if index in turns or not index:
            ask_referee(pages, seat)
        tap_move(pages, seat, keys_of_move(typed_keys, game, state, move))
        pages.record_faults(f"move {index}", between=True)  # The answer may still be on its way.
    pages.wait(".result")
    for _ in LOCALES:
        pages.record_faults("the result")
        pages.change_languages()
    assert pages.wrong == set()
    assert "Traceback" not in table.log_text
    assert table.stop() == 0


def tap_move(pages, seat: int, keys: str) -> None:
    """Put a move together on the board, check each half of it, and play it."""
    phone, entered = pages.shown[seat], ""
    while entered != keys:
        phone.wait_for_selector(f"#draft:not([aria-busy=true]):has(#keys[value='{entered}']) .tap >> nth=0")
        pages.record_faults("half made", seat)
        entered, _ = nearest_tap(phone.evaluate(TAPS_SCRIPT), keys, entered)
        press_button(phone, f".tap[hx-vals*='\"{entered}\"'] >> nth=0")
    phone.wait_for_selector(f"#draft:not([aria-busy=true]) #keys[value='{keys}']", state="attached")
    pages.record_faults("whole", seat)
    press_button(phone, "#play, #cannot")


def name_hands(pages, played) -> None:
    """Name each hand on its player's phone, in the order of the deal."""
    dealt = sorted(played.deals.items(), key=lambda held: (held[0][1], held[0][0] != "deal"))
    for (_, seat), pieces in dealt:
        name_pieces(pages, seat, [played.rules.format_deal((piece,)) for piece in pieces])


def name_pieces(pages, seat: int, pieces: list[str]) -> None:
    """Name pieces by tapping them, then hand them in."""
    phone = pages.shown[seat]
    for index, piece in enumerate(pieces):
        press_button(phone, f"{naming_form_selector(pieces[:index])} button[name=add][value='{piece}']")
    phone.wait_for_selector(naming_form_selector(pieces))
    pages.record_faults("named")
    press_button(phone, "#done:not([disabled])")
    phone.wait_for_selector(naming_form_selector(pieces), state="detached")


def make_refused_move(pages, seat: int, event: str) -> None:
    """Make an illegal move; the reason is beside the move, or above the board once there is other news."""
    phone, until = pages.shown[seat], time.monotonic() + PATIENCE
    while not phone.locator(".refusal:visible").count():
        assert time.monotonic() < until, "it was not refused"
        phone.wait_for_selector("#draft[aria-busy=true]", state="detached")
        # Another request of the page may take the place of this one: then it is sent again.
        phone.evaluate("event => htmx.ajax('POST', '/seat/play', {target: '#draft', values: {event}})", event)
        phone.wait_for_timeout(500)
    pages.record_faults("refused")


def ask_referee(pages, seat: int) -> None:
    """Ask the referee, and check the answer."""
    phone = pages.shown[seat]
    press_button(phone, "#could")
    phone.wait_for_selector("#answer h2")
    pages.record_faults("could", seat)
