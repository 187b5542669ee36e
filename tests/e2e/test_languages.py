"""A box that speaks English, two phones and a big screen in three other languages, in real Chromium."""

from __future__ import annotations

import random

import pytest
from browser import press_button, seated_phone
from untranslated_pages import untranslated_texts

LOCALES = {"de": "de-AT", "fr": "fr-FR", "es": "es-MX"}
TURN = {"de": "Du bist dran", "fr": "À toi"}


@pytest.mark.drill
def test_two_phones_and_a_screen_in_three_languages(box, browser, web, play_round, typed_keys):
    """Pairing, the beginning of a round, a refusal and a result: each page shows them in its own language."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(27))
    table = box()
    table.start()
    table.type_keys("~A~*~5~#")
    pages = web(table)
    home = f"http://127.0.0.1:{pages.port}"
    phones = {
        seat: seated_phone(browser, table, pages, f"Player {seat}", locale=LOCALES[code])
        for seat, code in ((1, "de"), (2, "fr"))
    }
    screen = browser.new_page(viewport={"width": 1920, "height": 1080}, locale=LOCALES["es"])
    screen.goto(home)
    shown = {"de": phones[1], "fr": phones[2], "es": screen}
    assert {code: page.get_attribute("html", "lang") for code, page in shown.items()} == {c: c for c in shown}
    table.type_keys("*~*~2~#~#~#")
    phones[1].wait_for_selector(f"h1:has-text('{TURN['de']}')")
    screen.wait_for_selector(".board")
    for code, page in shown.items():
        assert untranslated_texts(page, code) == []
    check_refusal(phones[1], shown)
    for (seat, move), state in zip(played.events, played.states, strict=False):
        keys = "".join(typed_keys("27", state, str(move)))[:-1]
        phone = phones[seat]
        phone.wait_for_selector(f"h1:has-text('{TURN['de' if seat == 1 else 'fr']}')")
        for index in range(len(keys)):
            entered = f"#draft:has(#keys[value='{keys[:index]}'])"
            press_button(phone, f"{entered} .keys button[value='{keys[: index + 1]}']")
        press_button(phone, f"#draft:has(#keys[value='{keys}']) #play")
    for code, page in shown.items():
        page.wait_for_selector(".result")
        said = page.inner_text(".result :is(h1, h2)").lower()
        assert any(word in said for word in {"de": ("gewinnst",), "fr": ("gagne",), "es": ("gana",)}[code]), said
        assert untranslated_texts(page, code) == []
    phones[1].click("#open-more")
    phones[1].click("#more .languages button[value='fr']")
    phones[1].wait_for_selector("html[lang=fr] .result")
    assert phones[1].url == f"{home}/seat"
    assert untranslated_texts(phones[1], "fr") == []
    assert table.stop() == 0


def check_refusal(phone, shown) -> None:
    """Make an illegal move: all three pages show the reason, each in its own language."""
    phone.evaluate(
        "fetch('/seat/play', {method: 'POST', headers: {'content-type': 'application/x-www-form-urlencoded'},"
        " body: 'event=1x99'})"
    )
    reasons = {}
    for code, page in shown.items():
        page.wait_for_selector(".refusal", state="attached")
        reasons[code] = page.evaluate("document.querySelector('.refusal').textContent")
        assert untranslated_texts(page, code) == []
    assert len({*reasons.values()}) == len(shown), reasons
