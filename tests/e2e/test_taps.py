"""Taps on a phone's page while news come from the table, in real Chromium: neither gets lost."""

from __future__ import annotations

import signal
import time

import pytest
from browser import PATIENCE_SECONDS, code_on, keys_to_phones_page, naming_form_selector, press_button, seated_phone


def round_with_pages(box, web, game="27", *arguments):
    """A running round of Ann and Ben whose box shows its page for phones, and the process of the pages."""
    table = box("--game", game, "--players", "Ann,Ben", *arguments)
    table.start()
    table.type_keys(keys_to_phones_page(game))
    return table, web(table)


def round_with_phone(box, browser, web, game, *arguments):
    """A running round of Ann and Ben, and Ann's phone."""
    table, pages = round_with_pages(box, web, game, *arguments)
    phone = seated_phone(browser, table, pages, "Ann")
    table.type_keys("~*~*")
    return table, phone


@pytest.mark.drill
def test_news_cost_no_tap(box, browser, web):
    """Two pieces of news from the table come just before a tap: the tap counts, and so do they."""
    table, phone = round_with_phone(box, browser, web, "27")
    phone.wait_for_selector("#draft button[name=keys][value='1']", state="attached")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    wait_for_quiet(phone, asked)  # Else a request of the beginning, still under way, would take the place of the first.
    asked.clear()
    phone.evaluate(NEWS_AND_TAP_SCRIPT)
    phone.wait_for_selector("#keys[value='1']", state="attached")
    wait_for_quiet(phone, asked)
    assert {*asked} - {"symbols.svg"} == {"judge"}, "but for the icons of what is drawn anew"
    assert asked.count("judge") >= 3, "the first is left for the tap, and the news of meanwhile follow it"
    assert phone.eval_on_selector("#keys", "keys => keys.value") == "1"
    assert table.stop() == 0


@pytest.mark.drill
def test_quick_taps_and_news_cost_each_other_nothing(box, browser, web):
    """Quick taps all count; a button under a finger, an open sheet and its open list stay; the question is shown."""
    table, phone = round_with_phone(box, browser, web, "coral-reef", "--options", "form=cards", "--open", "1,2")
    phone.wait_for_selector("#draft button[name=add]")
    phone.evaluate(QUICK_TAPS_SCRIPT)
    phone.wait_for_selector(naming_form_selector(["A", "K", "3"]))
    phone.click("#open-more")
    phone.evaluate(OPENED_AND_NEWS_SCRIPT)
    phone.wait_for_selector("#more:popover-open details:not([data-old])")
    assert phone.eval_on_selector("#draft details", "list => list.open")
    phone.keyboard.press("Escape")
    phone.hover(f"{naming_form_selector(['A', 'K', '3'])} button[name=add][value='4']")
    phone.mouse.down()
    phone.evaluate("htmx.trigger('#draft', 'sse:draft')")
    phone.mouse.up()
    phone.wait_for_selector(naming_form_selector(["A", "K", "3", "4"]))
    phone.evaluate("document.querySelector('#draft button[value=Ben]').click()")
    phone.wait_for_selector("#draft >> text=Look at the box")
    table.type_keys("~*")
    phone.wait_for_selector("#draft >> text=Look at the box", state="detached")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_second_tap_on_the_last_of_a_piece_leaves_the_taps_after_it(box, browser, web):
    """Each tile of Prime Attactics exists once: tapped twice at once it is entered once, and later taps count."""
    table, phone = round_with_phone(box, browser, web, "prime-attactics", "--open", "1,2")
    phone.wait_for_selector("#draft button[name=add]")
    phone.evaluate("""() => {
      const tap = (piece) => document.querySelector(`#draft button[name=add][value='${piece}']`).click();
      for (const each of ["+1", "+1", "+2", "-3"]) tap(each);
    }""")
    phone.wait_for_selector(naming_form_selector(["+1", "+2", "-3"]))
    assert table.stop() == 0


@pytest.mark.drill
def test_a_quick_tap_that_fits_nothing_is_asked_about(box, browser, web):
    """A tap that no longer fits, made before the page shows that, does not play the move without a question."""
    table, phone = round_with_phone(box, browser, web, "coral-reef")
    phone.wait_for_selector("#draft button[name=keys][value='2']", state="attached")
    phone.evaluate("""() => {
      for (const each of "23") document.querySelector(`#draft .keys button[value='${each}']`).click();
    }""")
    phone.wait_for_selector("#misfits:not([value=''])", state="attached")
    for keys in ("25", "254"):
        press_button(phone, f"#draft .keys button[value='{keys}']")
        phone.wait_for_selector(f"#keys[value='{keys}']", state="attached")
    phone.wait_for_selector("#draft >> text=Left out: stack 3")
    assert not phone.locator(".last").count()
    press_button(phone, "#play")
    phone.wait_for_selector(".last >> text=Ann")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_failed_request_is_reported_and_repeated(box, browser, web):
    """A request fails while the stream of news lives: the page says so, asks again, and then no longer says so."""
    table, phone = round_with_phone(box, browser, web, "27")
    phone.wait_for_selector("#draft button[name=keys][value='1']", state="attached")
    phone.evaluate(NOTE_LOST_SCRIPT)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    wait_for_quiet(phone, asked)  # Else the news of the beginning would be what fails.
    phone.route("**/seat/judge", lambda route: route.abort(), times=1)
    press_button(phone, "#draft button[name=keys][value='1']")
    phone.wait_for_function("() => window.wasLost && !document.body.classList.contains('lost')")
    press_button(phone, "#draft button[name=keys][value='1']")
    phone.wait_for_selector("#keys[value='1']", state="attached")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_refusal_is_shown_where_the_move_was_made(box, browser, web):
    """Tapped: beside the board, until the next move is begun. Typed at the box: above the board."""
    table, phone = round_with_phone(box, browser, web, "27")
    for keys in ("1", "11"):
        press_button(phone, f"#draft .keys button[value='{keys}']")
        phone.wait_for_selector(f"#keys[value='{keys}']", state="attached")
    phone.eval_on_selector("#draft [name=event]", "event => { event.value = '3x1'; }")  # A button forbids nothing.
    press_button(phone, "#play")
    phone.wait_for_selector("#draft .refusal")
    phone.wait_for_selector(".view .refusal", state="hidden")
    press_button(phone, "#draft button[name=keys][value='1']")
    phone.wait_for_selector("#undo")
    phone.wait_for_selector("#draft .refusal", state="detached")
    assert phone.locator(".view .refusal").count() == 1, "it is there for the others still"
    assert not phone.locator(".refusal:visible").count()
    press_button(phone, "#undo")
    phone.wait_for_selector("#undo", state="detached")
    table.type_keys("~*~3#")
    phone.wait_for_selector(".view .refusal >> text=the field is empty")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_box_that_falls_silent_is_reported(box, browser, web):
    """No connection ends, but nothing comes: phone and big screen say so, until the box is back."""
    table, pages = round_with_pages(box, web)
    phone = seated_phone(browser, table, pages, "Ann")
    screen = browser.new_page(viewport={"width": 1920, "height": 1080})
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    screen.wait_for_selector("body:not(.lost)")
    pages.process.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    for page in (phone, screen):
        page.wait_for_selector("body.lost")
        print(f"lost after {time.monotonic() - begun:.1f} s")
    pages.process.send_signal(signal.SIGCONT)
    for page in (phone, screen):
        page.wait_for_selector("body:not(.lost)")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_stream_that_never_opens_is_reported(box, browser, web):
    """A page whose box falls silent before its news began says so too."""
    table, pages = round_with_pages(box, web)
    code_on(table)  # Then the pages are served.
    screen = browser.new_page(viewport={"width": 1920, "height": 1080})
    screen.clock.install()
    screen.route("**/events", lambda route: None)
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    screen.wait_for_selector("body:not(.lost)")
    screen.clock.fast_forward(36_000)
    screen.wait_for_selector("body.lost")
    assert table.stop() == 0


@pytest.mark.drill
def test_a_big_screen_comes_back_after_a_night_without_a_box(box, browser, web):
    """However long the box was off, the page then has one stream, and shows what is played now; so after a sleep."""
    table, pages = round_with_pages(box, web)
    code_on(table)
    screen = browser.new_page(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
    screen.add_init_script(COUNT_STREAMS_SCRIPT)
    screen.clock.install()
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    screen.wait_for_selector("body:not(.lost) .foot .note")
    pages.kill()
    screen.wait_for_selector("body.lost")
    for _ in range(20):
        screen.clock.fast_forward(36_000)
    pages.start()
    table.type_keys("~*~*")
    screen.clock.fast_forward(36_000)
    screen.wait_for_selector("body:not(.lost) .foot:not(:has(.note))")
    assert screen.evaluate("streams.filter((each) => each.readyState !== EventSource.CLOSED).length") == 1
    opened = screen.evaluate("streams.length")
    screen.clock.set_fixed_time(screen.evaluate("Date.now() + 20000"))
    screen.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert screen.evaluate("streams.length") == opened + 1, "a screen that slept does not wait for silence"
    screen.wait_for_function("streams.at(-1).readyState === EventSource.OPEN")
    assert table.stop() == 0


COUNT_STREAMS_SCRIPT = """window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...how) { super(...how); streams.push(this); }
};"""
NOTE_LOST_SCRIPT = """() => new MutationObserver(() => { window.wasLost ||= document.body.classList.contains("lost") })
  .observe(document.body, { attributes: true })"""
QUICK_TAPS_SCRIPT = """() => {
  for (const each of "AK3") document.querySelector(`#draft button[name=add][value='${each}']`).click();
}"""
OPENED_AND_NEWS_SCRIPT = """() => {
  const list = document.querySelector("#draft details");
  list.open = true;
  list.dataset.old = "";
  htmx.trigger("#draft", "sse:draft");
}"""


NEWS_AND_TAP_SCRIPT = """() => {
  const tap = document.querySelector("#draft button[name=keys][value='1']");
  for (let each = 0; each < 2; each++) htmx.trigger("#draft", "sse:draft");
  tap.click();
}"""


def wait_for_quiet(phone, asked: list) -> None:
    """Wait until the table is at rest, no request is running, and none has been made for a second.

    The driver only learns of requests while it waits.
    """
    size, end = -1, time.monotonic() + PATIENCE_SECONDS
    while size != (size := len(asked)):
        assert time.monotonic() < end, f"it goes on asking: {asked}"
        phone.wait_for_selector("#draft[aria-busy=true], .htmx-request", state="detached")
        phone.wait_for_timeout(1000)
