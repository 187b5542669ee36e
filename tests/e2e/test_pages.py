"""The pages in real Chromium, on a phone, a tablet and a television, light and dark: everybody can use them."""

from __future__ import annotations

import pytest
from browser import keys_to_phones_page, page_faults, press_button, scan_code

from companion import games

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "television": (1920, 1080), "zoomed": (320, 256)}
"""The last one is what a screen of 1280 × 1024 has left at 400 %."""


CASES = (
    *(("27", size) for size in SIZES),
    ("coral-reef", "phone"),
    ("prime-attactics", "phone"),
    ("ziggurat", "phone"),
    ("ziggurat", "zoomed"),
)
"""One game on every screen, since the pages are the same; every board on the phone, the widest where room is least."""


@pytest.mark.drill
@pytest.mark.parametrize(("game", "size"), CASES)
def test_every_page_is_accessible(box, browser, web, axe, game, size):
    """The big screen, a player's page, the welcome and a refusal, in both colour schemes."""
    table = box("--game", game, "--players", "Annemarie,Ben")
    table.start()
    table.type_keys(keys_to_phones_page(game))
    pages = web(table)
    home = f"http://127.0.0.1:{pages.port}"
    width, height = SIZES[size]
    for scheme in ("light", "dark"):
        screen = {"width": width, "height": height}
        seen = browser.new_page(viewport=screen, color_scheme=scheme, bypass_csp=True)
        scan_code(seen, table, home)
        assert page_faults(seen, axe) == []
        seen.click("button[value='Annemarie']")
        seen.wait_for_selector("text=Look at the box")
        assert page_faults(seen, axe) == []
        table.type_keys("~#")  # The box takes no yes right after it asked.
        seen.wait_for_selector("h1:has-text('Annemarie')")
        table.type_keys("~*~*")
        seen.wait_for_selector("#draft button.piece", state="attached")
        assert page_faults(seen, axe) == []
        seen.click("#open-more")
        assert page_faults(seen, axe) == []
        if games.manifest_of(game).holdings:
            press_button(seen, "#mend")
            seen.wait_for_selector("text=The box does not know any piece that you still hold")
            assert page_faults(seen, axe) == []
        else:
            assert not seen.locator("#mend").count()
        seen.goto(home, referer=seen.url)  # From its own page: else a phone that is in is led to its seat.
        seen.wait_for_selector(".players")
        assert page_faults(seen, axe) == []
        seen.context.clear_cookies()
        seen.goto(home + "/p/AAAAAA")
        seen.wait_for_selector(".refusal")
        assert page_faults(seen, axe) == []
        table.type_keys(keys_to_phones_page(game, are_on=True))
    assert table.stop() == 0
