"""Chromium and `companion web` beside a box, for drills of the pages. What a drill needs is installed on demand."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ports import free_port

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_SECONDS = 60.0
"""Seconds that anything may take; on a busy machine everything is slow."""
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MAX_PAGE_BYTES = 60_000
"""The most bytes of a page with everything that it needs, as they are sent."""
PAGE_BYTES_SCRIPT = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, each) => sum + each.encodedBodySize + 500, 0)"""


@pytest.fixture(scope="module")
def playwright(tmp_path_factory):
    """Playwright's driver of Chromium. It is not in the extra `test`, so it is installed here on demand."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed")
    try:
        import playwright.sync_api
    except ImportError:
        folder = tmp_path_factory.mktemp("playwright")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "playwright"]
        subprocess.run(command, check=True, timeout=300)
        sys.path.insert(0, str(folder))
        import playwright.sync_api
    with playwright.sync_api.sync_playwright() as driver:
        yield driver


class ChromiumBrowser:
    """Chromium without a window; its pages wait at most `PATIENCE_SECONDS`."""

    def __init__(self, playwright) -> None:
        self._chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)

    def new_page(self, **settings):
        """A page of a phone or screen of its own, with its own cookies."""
        context = self._chromium.new_context(**settings)
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        return context.new_page()

    def close(self) -> None:
        self._chromium.close()


def press_button(page, selector: str) -> None:
    """Press the button that a selector finds, once it is there; the keypad's keys are folded away.

    It is found and pressed in one step: between the down and up of a mouse the page may be redrawn, and nothing would
    be pressed. A phone's page accepts no tap before it has the answer to the last, except taps that only enter
    something.
    """
    page.wait_for_selector("#draft[aria-busy=true]", state="detached")
    page.dispatch_event(selector, "click")


def box_of(page, selector: str) -> dict:
    """The box in pixels of the first element that a selector finds, measured in one step.

    `Locator.bounding_box` finds and measures in two: between them the page may be redrawn, and it gives None.
    """
    return page.evaluate("selector => document.querySelector(selector).getBoundingClientRect().toJSON()", selector)


@pytest.fixture
def browser(playwright):
    """Chromium without a window: `browser.new_page(viewport=…)`."""
    opened = ChromiumBrowser(playwright)
    yield opened
    opened.close()


class WebProcess:
    """`companion web` beside a box."""

    def __init__(self, command: Path, data: Path) -> None:
        self.port = free_port()
        self.command = [command, "web", "--data", data, "--host", "127.0.0.1", "--port", str(self.port)]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)


@pytest.fixture
def web(companion_command):
    """Makes `companion web` processes."""
    made = []

    def make(table) -> WebProcess:
        made.append(WebProcess(companion_command, table.data))
        return made[-1]

    yield make
    for each in made:
        each.kill()


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """The script of axe-core, which finds accessibility faults of a page."""
    folder = tmp_path_factory.mktemp("axe")
    package = "axe-playwright-python"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, package]
    subprocess.run(command, check=True, timeout=300)
    return (folder / "axe_playwright_python" / "axe.min.js").read_text(encoding="utf-8")


def page_faults(page, axe) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA, and whether the page is wider than the screen or too heavy."""
    page.evaluate(axe)
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", AXE_RULES)
    assert found["passes"], "axe-core has looked at nothing"
    said = [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found["violations"]]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        said.append("wider than the screen")
    if (weight := page.evaluate(PAGE_BYTES_SCRIPT)) > MAX_PAGE_BYTES:
        said.append(f"{weight} bytes")
    return said


def keys_to_phones_page(game: str, *, are_on: bool = False) -> str:
    """The keys that lead to the page of phones, the last line but two of the table menu of a round without a move.

    If phones are off, the box asks whether to switch them on.
    """
    return "~*~A~A~A~#" + "~#" * (not are_on)


def scan_code(page, table, home: str) -> None:
    """Open the page that the code on the panel leads to, once the pages know the table's names."""
    code = code_on(table)
    page.goto(home)
    page.wait_for_selector("main:not(:has(h1.away))")
    page.goto(home + code)


def seated_phone(browser, table, web, name, **settings):
    """A phone that has scanned the code and was let in at the box by a name tapped or typed; it shows its page."""
    phone = browser.new_page(**{"viewport": {"width": 360, "height": 740}} | settings)
    scan_code(phone, table, f"http://127.0.0.1:{web.port}")
    if phone.query_selector(f"button[value='{name}']"):
        phone.click(f"button[value='{name}']")
    else:  # Before a round a nameless player is not offered.
        phone.fill("#player", name)
        phone.press("#player", "Enter")
    phone.wait_for_selector(".digits")
    table.type_keys("~#")  # The box takes no yes right after it asked.
    phone.wait_for_selector(".digits", state="detached")
    return phone


def naming_form_selector(entered) -> str:
    """A selector of the form of a page on which exactly these pieces are entered."""
    return f"#draft form:has(#pieces[value='{' '.join(entered)}'])"


def code_on(table) -> str:
    """The path of the page in the code on the panel, as a phone reads it; the pages are served then."""
    import zxingcpp

    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        picture = table.panel_picture().convert("L").resize((1024, 512))
        for found in zxingcpp.read_barcodes(picture):
            if match := re.fullmatch(r"HTTP://[\d.]+:\d+(/P/[0-9A-Z]{6})", found.text):
                return match[1]
        time.sleep(0.1)
    pytest.fail("no code on the panel")
