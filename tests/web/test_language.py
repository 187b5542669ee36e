"""Each page and its stream are in the language that was chosen on the page, else in that of the browser."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion.evening.model import Session
from companion.evening.screens.messages import Goodbye
from companion.languages import in_language
from companion.languages.catalogues import available_languages, native_language_name
from companion.rounds.stored import StoredHistory
from companion.table.public_state import public_state
from companion.web.app import BigScreen, web_application
from companion.web.host_pages import HostPages
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
SAVED_TEXT = {
    "en": "Everything is saved",
    "de": "Alles ist gespeichert",
    "fr": "Tout est enregistré",
    "es": "Todo está guardado",
}
PAGES = ("/", "/p", "/seat", "/host", "/nothing")


def browser(accept_language: str = "", language_cookie: str = "") -> TestClient:
    """A browser with an Accept-Language header and a cookie with a chosen language."""
    table = TableClient(Path("/nowhere/table.sock"))
    table.public = public_state(Session((Goodbye(),), StoredHistory()))
    client = TestClient(web_application(table), base_url=HOME, client=("192.168.1.7", 50_000), follow_redirects=False)
    client.cookies = {"language": language_cookie} if language_cookie else {}
    client.headers |= {"origin": HOME, "accept-language": accept_language}
    return client


@pytest.mark.parametrize(
    ("wish", "kept", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "", "de"),
        ("en;q=0.5, fr-CA; q=0.9", "", "fr"),
        ("nl, es;q=0.7, en;q=0.3", "", "es"),
        ("den, tlh", "", "en"),
        ("", "", "en"),
        ("de", "fr", "fr"),
        ("de", "en", "en"),
        ("de", "xx", "de"),
    ],
)
def test_a_page_is_in_the_chosen_or_the_browsers_language(wish, kept, language):
    """The choice counts before the browser's languages; English is used where nothing is translated."""
    page = browser(wish, kept).get("/").text
    assert SAVED_TEXT[language] in page
    assert f'<html lang="{language}" class="tv">' in page


@pytest.mark.parametrize("path", PAGES)
def test_each_page_offers_each_language_in_its_own_name(path):
    """The buttons need no script; the current language is marked."""
    page = browser("fr").get(path).text
    buttons = re.findall(r'<button name="language" value="(\w+)" lang="\1"( aria-current="true")?>([^<]+)<', page)
    assert [(code, name) for code, _, name in buttons] == [
        (code, native_language_name(code)) for code in available_languages()
    ]
    assert [code for code, marked, _ in buttons if marked] == ["fr"]


def test_a_choice_sets_a_cookie_and_leads_back():
    """The response leads back to the page with its filters."""
    phone = browser("de")
    phone.headers["referer"] = f"{HOME}/host/history?game=27"
    answer = phone.post("/language", data={"language": "es"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/host/history?game=27")
    assert re.match(r"language=es; HttpOnly; Max-Age=\d{8}; Path=/; SameSite=lax", answer.headers["set-cookie"])
    phone.cookies = {"language": "es"}
    assert SAVED_TEXT["es"] in phone.get("/").text


@pytest.mark.parametrize("referer", ["", "http://evil.example//evil.example/x", f"{HOME}//evil.example", "nonsense"])
def test_a_choice_leads_to_no_other_site(referer):
    phone = browser()
    phone.headers["referer"] = referer
    assert phone.post("/language", data={"language": "de"}).headers["location"] == "/"


def test_an_unknown_language_sets_no_cookie():
    for code in ("xx", "", "en; path=/", "../de"):
        assert "set-cookie" not in browser().post("/language", data={"language": code}).headers


def test_no_cache_gives_a_page_in_another_language():
    """Pages are not cached, and say what they depend on; scripts and styles have no words and may be cached."""
    for path in PAGES:
        headers = browser("de").get(path).headers
        assert {"accept-language", "cookie"} <= {*re.split(", ?", headers["vary"].lower())}
    assert browser().get("/").headers["cache-control"] == "no-store"
    assert "cookie" not in browser().get("/static/page.css").headers.get("vary", "")


def test_a_refused_request_is_answered_in_its_language():
    assert (
        browser("de")
        .get("/", headers={"host": "evil.example"})
        .text.startswith("Öffne diese Seite unter der Adresse der Box: http://")
    )


def test_each_language_is_rendered_once():
    """Rendering one language does not drop the other from the cache."""
    table = TableClient(Path("/nowhere/table.sock"))
    table.public = public_state(Session((Goodbye(),), StoredHistory()))
    players = PlayerPages(table, lambda *_, **__: "")
    screen = BigScreen(table, players, HostPages(table, lambda *_, **__: "", players.box_keys))
    parts = {}
    for language in ("de", "fr", "de", "fr", "en"):
        with in_language(language):
            part = screen.public_part("")
        assert SAVED_TEXT[language] in part
        assert parts.setdefault(language, part) is part


def test_streams_are_in_the_language_of_their_page():
    table = TableClient(Path("/nowhere/table.sock"))
    table.public = public_state(Session((Goodbye(),), StoredHistory()))
    app = web_application(table)

    async def first_part(wish: str) -> str:
        messages = asyncio.Queue()

        async def receive():
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        headers = [(b"host", b"192.168.1.20"), (b"accept-language", wish.encode())]
        scope = {"type": "http", "method": "GET", "path": "/events", "raw_path": b"/events", "query_string": b"",
                 "headers": headers, "client": ("192.168.1.7", 5000), "root_path": "", "scheme": "http",
                 "server": ("192.168.1.20", 8027), "http_version": "1.1", "asgi": {"version": "3.0"}}  # fmt: skip
        asking = asyncio.create_task(app(scope, receive, messages.put))
        while "table" not in (part := (await messages.get()).get("body", b"").decode()):
            pass
        asking.cancel()
        return part

    async def both() -> list[str]:
        return list(await asyncio.gather(first_part("de"), first_part("es")))

    german, spanish = asyncio.run(both())
    assert SAVED_TEXT["de"] in german
    assert SAVED_TEXT["es"] in spanish
