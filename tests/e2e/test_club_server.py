"""A press at a real box, seen on the club's page in real Chromium: box, uplink, Mosquitto and club server."""

from __future__ import annotations

import subprocess

import pytest
from club_night import Broker, process_environment, wait_until
from ports import free_port


@pytest.mark.drill
def test_what_is_pressed_at_a_table_is_on_the_television(box, browser, companion_command, tmp_path):
    """The board comes, changes, and goes away with its uplink; nothing on the page fails, wide or narrow."""
    broker = Broker(tmp_path / "broker")
    broker.start()
    (tmp_path / "hall" / "club").mkdir(parents=True)
    (tmp_path / "hall" / "club" / "hall.link").write_text(str(broker.link("hall")))
    (tmp_path / "table-1.link").write_text(str(broker.link("table-1")))
    port = free_port()
    hall = [companion_command, "hall", "--data", tmp_path / "hall", "serve", "--page", str(port)]
    table = box(folder=tmp_path / "box")
    uplink = [companion_command, "uplink", "--data", table.data, "--link", tmp_path / "table-1.link"]
    running = []
    try:
        table.start()
        wait_until((table.data / "rounds.db").exists)
        with open(tmp_path / "log", "ab") as log:
            running = [
                subprocess.Popen(each, stdout=log, stderr=log, env=process_environment()) for each in (hall, uplink)
            ]
        wait_until(lambda: "pages are on port" in (tmp_path / "log").read_text())
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".waits li:has-text('table-1')")
        table.type_keys("~2~#~#~#")
        page.wait_for_selector("main:not(:has(.waits))")
        page.wait_for_selector("section.club-table .seats li.to-move")
        page.wait_for_selector("section.club-table img.drawing")
        page.wait_for_function("document.querySelector('img.drawing')?.naturalWidth > 0")
        first = page.inner_text(".seats li.to-move .name")
        table.type_keys("~13#")
        page.wait_for_selector(f".seats li.to-move .name:not(:text-is('{first}'))")
        for width in (360, 768, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        running[1].terminate()
        page.wait_for_selector("section.club-table:has-text('not connected')")
        assert faults == []
    finally:
        for each in running:
            each.kill()
            each.wait(60)
        broker.kill()
