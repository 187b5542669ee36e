"""The pages as a browser gets them, with and without a table: what they say, and whom they refuse."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest
import zxingcpp
from starlette.testclient import TestClient

from companion import display, web
from companion.evening.model import Session
from companion.evening.screens.messages import Goodbye
from companion.evening.screens.phones.phones_page import Phones
from companion.evening.session_values import PhoneAccess
from companion.rounds.stored import StoredHistory
from companion.web import streams
from companion.web.app import MAX_BODY_BYTES, web_application
from companion.web.clients import ConnectionSlots, page_urls
from companion.web.table_client import TableClient

STATIC = Path(web.__file__).parent / "static"
HOME = "http://192.168.1.20:8027"


def make_browser(public=None, address="192.168.1.7", base=HOME):
    """A browser at an address of the network, before a table in a given state."""
    table = TableClient(Path("/nowhere/table.sock"))
    table.public = public
    return TestClient(web_application(table), base_url=base, client=(address, 50_000))


def snapshot(**more):
    """The public snapshot of a session in which nothing has begun."""
    from companion.table.public_state import public_state

    return public_state(Session((Goodbye(),), StoredHistory())) | more


def test_without_a_table_the_page_shows_a_message():
    assert "The table cannot be reached" in make_browser().get("/").text


def test_content_is_shown_as_text_where_there_is_no_board():
    """The page has the content as text, and no picture of the panel."""
    page = make_browser(snapshot()).get("/").text
    assert "Everything is saved: you can pull the plug." in page
    assert "data:image" not in page


def test_names_never_become_markup():
    evil = "<script>x"
    page = make_browser(snapshot(players=[{"name": evil, "turn": True, "score": 1, "unit": ""}])).get("/").text
    assert evil not in page
    assert "&lt;script&gt;x" in page


@pytest.mark.parametrize("host", ["evil.example", "8.8.8.8", "192.168.1.20.evil.example", ""])
def test_only_the_boxes_own_names_are_answered(host):
    """No web site can reach the table under a name of its own (DNS rebinding)."""
    refused = make_browser().get("/", headers={"host": host})
    assert refused.status_code == 421
    assert f"{HOME}/" in refused.text


@pytest.mark.parametrize("own", ["box", "box.local", "Box"])
def test_the_own_name_is_answered_with_and_without_local(own):
    browser = TestClient(
        web_application(TableClient(Path("/nowhere")), (own,)), base_url=HOME, client=("10.0.0.7", 5000)
    )
    for host in ("box", "BOX.local", "box:8027", "box.local:8027", "localhost"):
        assert browser.get("/", headers={"host": host}).status_code == 200
    assert browser.get("/", headers={"host": "box.example"}).status_code == 421


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860::1", "::ffff:8.8.8.8"])
def test_only_private_addresses_are_answered(address):
    assert make_browser(address=address).get("/").status_code == 403


@pytest.mark.parametrize("address", ["10.0.0.3", "fe80::1", "127.0.0.1", "::ffff:192.168.1.9"])
def test_phones_of_the_network_are_served(address):
    assert make_browser(address=address).get("/").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_a_form_from_another_site_is_refused(origin):
    assert make_browser().post("/", headers={"origin": origin}).status_code == 403


def test_a_large_body_is_refused():
    sent = make_browser().post("/", content=b"x" * (MAX_BODY_BYTES + 1), headers={"origin": HOME})
    assert sent.status_code == 413


def test_every_response_has_a_strict_content_policy():
    """Browsers run only our own scripts, and show our pages in no frame."""
    for path in ("/", "/static/page.css", "/nothing"):
        policy = make_browser().get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_the_page_is_small():
    """Page, style and libraries take at most 60 kB over the wire."""
    browser = make_browser(snapshot())
    page = browser.get("/")
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    assert len(files) == 5
    total = 0
    for path in ("/", *files):
        with browser.stream("GET", path) as answer:
            total += sum(len(chunk) for chunk in answer.iter_raw())
    assert total <= 60_000


def test_a_browser_asks_once_for_a_static_file():
    """Every address on a page has the version of the files, and may be kept; without it a browser asks what is new."""
    browser = make_browser(snapshot())
    files = set(re.findall(r'="(/static/[^"#]+)', browser.get("/p").text))
    assert {"symbols.svg", "page.css", "lost.js"} <= {name.removeprefix("/static/").partition("?")[0] for name in files}
    for name in files:
        assert "immutable" in browser.get(name).headers["cache-control"], name
    version = min(files).partition("?")[2]
    assert "cache-control" not in browser.get(f"/static/nothing?{version}").headers
    for other in ("/static/page.css", "/static/page.css?0"):
        answer = browser.get(other)
        assert "cache-control" not in answer.headers
        assert browser.get(other, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_the_libraries_have_their_published_checksums():
    """The checksums are in the file beside the libraries."""
    listed = dict(re.findall(r"^([0-9a-f]{64})  (\S+)$", (STATIC / "LIBRARIES.txt").read_text(), re.M)[::-1])
    assert len(listed) == 2
    for checksum, name in listed.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == checksum


def test_addresses_come_from_the_file_of_the_service(tmp_path):
    """A service without network access reads the box's addresses from a file; only usable ones become URLs."""
    file = tmp_path / "addresses"
    file.write_text("192.168.1.20\n127.0.0.1\n8.8.8.8\nfe80::1\nrubbish\n")
    assert page_urls(8027, file) == ["http://192.168.1.20:8027/"]


def test_a_scanner_reads_the_address_on_the_panel():
    """The code fits on the panel, beside the address in letters."""
    session = Session(
        (Phones(),), StoredHistory(), phones=PhoneAccess(is_on=True, addresses=("http://192.168.178.120:8027/",))
    )
    picture = display.session_picture(session)
    assert picture.size == (128, 64)
    large = picture.convert("L").resize((1024, 512))
    assert [found.text for found in zxingcpp.read_barcodes(large)] == ["HTTP://192.168.178.120:8027/"]


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain", "application/json", ""])
def test_only_forms_are_read(kind):
    """Any other body is refused before it is read."""
    headers = {"origin": HOME, "content-type": kind}
    assert make_browser(snapshot()).post("/seat/judge", headers=headers, content=b"--x").status_code == 415


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "anything"])
def test_a_cross_site_request_is_refused(site):
    """Sec-Fetch-Site counts even if the origin looks like ours."""
    right = {"origin": HOME, "sec-fetch-site": "same-origin"}
    assert make_browser(snapshot()).post("/seat/judge", headers=right).status_code == 200
    assert make_browser(snapshot()).post("/seat/judge", headers=right | {"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/p/K7Q2MB", "/seat", "/host"])
def test_without_javascript_the_page_says_so(path):
    page = make_browser(snapshot()).get(path).text
    assert page.count("<noscript>") == 1
    assert "needs JavaScript" in page


def test_a_stream_has_a_beat(monkeypatch):
    """A page that gets nothing for 35 seconds shows that it is disconnected, so an idle stream sends a beat."""
    assert 2 * streams.HEARTBEAT_SECONDS < 34
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.01)

    class Idle:
        async def changes(self):
            yield
            await asyncio.sleep(60)

    async def first_two() -> list[str]:
        stream = streams.page_events(Idle(), ConnectionSlots(1), lambda: {"table": "x"}, "client", "")
        events = [await anext(stream) for _ in range(2)]
        await stream.aclose()
        return events

    assert asyncio.run(first_two()) == ["event: table\ndata: x\n\n", "event: beat\ndata:\n\n"]
