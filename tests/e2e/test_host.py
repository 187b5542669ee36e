"""The host's pages in real Chromium, beside the real program: from the code on the panel to a replay and a report."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from browser import code_on, page_faults, scan_code

from companion import games
from companion.__main__ import main
from companion.table.phone_worker import MAX_TEXT_LETTERS

RECORDS = Path(__file__).parent.parent / "records"
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "television": (1920, 1080), "zoomed": (320, 256)}
"""The last one is what a screen of 1280 × 1024 has left at 400 %."""

ANSWERED_SCRIPT = "seen => ![null, seen].includes(document.querySelector('input[name=seen]')?.value ?? null)"
"""The page shows the answer to a press; before that another press would be for the previous page."""


def host_phone(page, table, home) -> None:
    """The host's phone: it has scanned the code and asked, and the box was answered yes."""
    scan_code(page, table, home)
    page.click("button[name=host]")
    page.wait_for_selector("text=Look at the box")
    table.type_keys("~#")  # The box takes no yes right after it asked.
    page.wait_for_selector("h1:has-text('What do we play?')")


@pytest.mark.drill
@pytest.mark.parametrize("size", ["phone", "television"])
def test_the_hosts_pages(box, browser, web, axe, tmp_path, size):
    """History, replay, report, names and score pad do what they say, and are accessible."""
    table = box()
    records = sorted(map(str, RECORDS.glob("*.tcr")))
    main(["import", "--data", str(table.data), *records])
    table.start()
    table.type_keys("~A~*~5~#")
    pages = web(table)
    home = f"http://127.0.0.1:{pages.port}"
    width, height = SIZES[size]
    code_on(table)  # Then the pages are served.
    found = []
    for scheme in ("light", "dark"):
        page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True, accept_downloads=True
        )
        page.on("pageerror", lambda error: found.append(str(error)))

        def look(name, page=page, scheme=scheme):
            found.extend(f"{scheme} {name}: {fault}" for fault in page_faults(page, axe))
            page.screenshot(path=tmp_path / f"{size}-{scheme}-{name}.png", full_page=True)

        page.goto(f"{home}/host")
        assert "These pages are for the host" in page.content()
        look("stranger")
        host_phone(page, table, home)
        look("home")
        page.click(".game:has-text('Prime Attactics')")
        page.wait_for_selector("button:has-text('Start Prime Attactics')")
        look("setup")
        page.click("a:has-text('Games')")
        page.click('a:has-text("The box’s keys")')
        page.click("#box button:has-text('Back')")
        page.wait_for_selector("#box button:has-text('Standings')")
        look("keys")
        with page.expect_navigation():
            page.click("nav a:has-text('Table')")
        look("menu")
        table.type_keys("5")
        page.wait_for_selector("h1:has-text('What do we play?')")
        page.click("nav a:has-text('History')")
        page.wait_for_selector(".rounds li")
        look("history")
        page.click("summary:has-text('Show only some rounds')")
        page.select_option("select[name=game]", "ziggurat")
        page.select_option("select[name=player]", "Cleo")
        page.click("button:has-text('Show')")
        page.wait_for_function("document.querySelectorAll('.rounds > li').length == 2")
        page.click(".rounds a.plain >> nth=0")
        page.wait_for_selector("input[type=range]")
        page.wait_for_load_state()
        look("round")
        last = int(page.get_attribute("input[type=range]", "max"))
        page.focus("input[type=range]")
        page.keyboard.press("End")
        page.wait_for_selector(f".at:has-text('{last} of {last}')")
        page.wait_for_selector(".result")
        look("replayed")
        page.goto(f"{home}/host/history")
        page.go_back()
        at = page.wait_for_selector(".at").inner_text()
        assert at == f"{page.input_value('input[type=range]')} of {last}"
        page.goto(f"{home}/host/round/25")
        assert "not over" in page.content()
        look("message")
        page.goto(f"{home}/host/names")
        page.fill("input[name=name]:visible", f"Zoe {scheme}")
        page.click("button:text-is('Add to the favourites')")
        page.wait_for_selector(f".favourites span:has-text('Zoe {scheme}')")
        look("names")
        table.type_keys("~*~*")
        table.settled_picture()  # Names are changed between two rounds, and not while the box shows a page.
        rename = page.locator("form:has(button[value=rename])")
        rename.locator("select").select_option("Dan" if scheme == "light" else "Dana")
        rename.locator("input[name=new]").fill("Dana" if scheme == "light" else "Dan")
        rename.locator("button").click()
        page.wait_for_selector(f".rows [aria-label^='Add {'Dana' if scheme == 'light' else 'Dan'} to']")
        page.goto(f"{home}/host/round/20/change")
        look("change")
        page.click("button[name=line] >> nth=2")
        page.wait_for_selector("h2:has-text('what did')")
        look("change-move")
        page.click("button[name=move] >> nth=0")
        page.wait_for_selector("[role=alert]:has-text('Nothing is saved yet')")
        look("change-follows")
        page.click("text=Back to the moves")
        page.click("text=Leave the round as it was")
        page.wait_for_selector("h2:has-text('Make it void')")
        page.click("summary:has-text('As a file')")
        page.click("button[value=correct]")
        page.wait_for_selector("[role=alert]:has-text('Nothing was changed.')")
        written = page.input_value("textarea")
        assert len(written) > MAX_TEXT_LETTERS
        page.fill("textarea", written + "1: nonsense\n")
        page.click("button[value=correct]")
        page.wait_for_selector("[role=alert]:has-text('1: nonsense')")
        assert page.input_value("textarea") == written + "1: nonsense\n"
        look("change-refused")
        page.click("button[value=void]")
        page.wait_for_selector("h1:has-text('Make round 20 void?')")
        look("void")
        page.click("button[value=void]")
        page.click("button[value=restore]")
        page.wait_for_selector("h1:has-text('count again?')")
        look("restore")
        page.click("button[value=restore]")
        page.wait_for_selector("textarea", state="attached")
        table.type_keys("~*~5")
    page.goto(f"{home}/host/history")
    page.click("summary:has-text('Report of the evening')")
    with page.expect_download(timeout=240_000) as download:
        page.click("text=Download the report")
    assert download.value.suggested_filename == "evening-2026-11-21.html"
    assert "Ziggurat" in Path(download.value.path()).read_text()
    page.goto(f"{home}/host/pad")
    page.wait_for_selector("text=No score pad")
    table.type_keys("~*~*~5~#~#~#~#~#~#~#~#")
    page.wait_for_selector(".sheet")
    look("pad-begun")
    page.click("text=Enter points")
    page.fill("input[name=points]", "-12")
    page.click("button:has-text('Enter')")
    page.wait_for_selector(".sheet td:has-text('-12')")
    assert not page.is_visible("text=Enter points")
    look("pad")
    page.goto(home, referer=page.url)  # From its own page: else a phone that is in is led to its own.
    page.wait_for_selector(".sheet")
    look("big-screen-pad")
    assert found == []
    assert "Traceback" not in table.log_text
    assert table.stop() == 0


@pytest.mark.drill
def test_an_evening_from_the_sofa(box, browser, web, play_round, typed_keys):
    """The host's phone sets a round up on one form, begins, uses the menu, closes the result, plays again, and ends."""
    played = play_round("27", games.manifest_of("27").option_defaults, 2, random.Random(5))
    table = box()
    table.start()
    table.type_keys("~A~*~5~#")
    home = f"http://127.0.0.1:{web(table).port}"
    page = browser.new_page(viewport={"width": 360, "height": 740})
    host_phone(page, table, home)

    def choose(*words: str) -> None:
        for each in words:
            seen = page.get_attribute("input[name=seen]", "value")
            page.locator("main").get_by_role("button", name=re.compile(rf"\s*{each}")).first.click()
            page.wait_for_function(ANSWERED_SCRIPT, arg=seen)

    page.click(".game:has-text('27')")
    page.click(".segments label:has-text('Expert')")
    page.select_option("select[name=seat1]", "+")
    page.fill("input[name=new1]", "Zoë")
    for seat in (2, 1):
        page.click("button:has-text('Swap seats')")
        page.wait_for_function(f"() => document.querySelector('[name=new{seat}]').value == 'Zoë'")
    page.click(".segments label:has-text('Basic')")
    page.click(".rows label:has-text('Hints')")
    page.click("button:has-text('Start 27')")
    page.wait_for_selector("h1:has-text('27, Zoë to move')")
    assert page.get_attribute("button[value='menu hints']", "aria-checked") == "true"
    choose("How to play")
    page.wait_for_selector("#box:has-text('Goal: build the higher stack')")
    choose("Back to play", "Leave the round", "Play on")
    for (_, move), state in zip(played.events, played.states, strict=False):
        table.type_keys("".join(typed_keys("27", state, str(move))))
        table.settled_picture()
    page.wait_for_selector(".won:has-text('neither can move')")
    assert page.inner_text("main").lower().count("neither can move") == 1
    assert "Zoë" in page.inner_text(".ready")
    choose("Menu", "What decided it", "Back", "New round", "Leave the round")
    page.click("#box button:has-text('Leave')")
    page.wait_for_selector(".game:has-text('Prime Attactics'):has-text('2 players')")
    page.click(".game:has-text('27'):has-text('played once tonight')")
    page.wait_for_selector("button:has-text('Start 27')")
    assert page.input_value("[name=seat2]") == "Zoë"  # Zoë started, so the other one does now.
    assert table.stop() == 0
