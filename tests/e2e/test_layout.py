"""The layout of a player's page in real Chromium, from the smallest phone to a television: nothing is cut.

The pages are served without a table's process, each in a state of its own.
"""

from __future__ import annotations

import asyncio
import io
import random
import threading
import time
from pathlib import Path

import pytest
import uvicorn
import zxingcpp
from browser import PATIENCE_SECONDS, box_of, page_faults, press_button
from game_support import support_of_game
from PIL import Image
from ports import free_port

from companion import games
from companion.evening.screens import base_screen
from companion.evening.screens.pages import TodayPage
from companion.evening.screens.play import round_actions
from companion.evening.session_values import PhoneAccess
from companion.rounds.stored import FinishedRound, StoredHistory
from companion.table.phone_view import client_snapshot, judge_draft, past_moves
from companion.table.public_state import public_state
from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.table_client import TableClient

SECRET = "the secret of a phone"
SIZES = [(320, 568), (360, 740), (740, 360), (768, 1024), (1920, 1080), (320, 256)]
"""The last one is what a screen of 1280 × 1024 has left at 400 %."""
GAMES = ["27", "coral-reef", "prime-attactics", "ziggurat"]
FOUR = ("Maximiliane-Anna", "Wolfgang-Amadeus", "Hildegard-Sophie", "Bartholomäus-Jo")
LONG = ("Maximilian-Josef", "Wilhelmina Maria")


class PlainTable(TableClient):
    """A table without a socket, at which `name` plays."""

    def __init__(self, session, name) -> None:
        super().__init__(Path("/nowhere"))
        self.session = session._replace(phones=PhoneAccess(is_on=True, player_phones=((hash_secret(SECRET), name),)))
        told = client_snapshot(self.session)
        self.public, self.phones, self.seats = told["public"], told["phones"], told["seats"]

    async def stay_connected(self) -> None:
        self.loop = asyncio.get_running_loop()
        await asyncio.sleep(3600)  # As long as the pages are served.

    def notify_streams(self) -> None:
        """Notify the streams of a change."""

        async def told() -> None:
            async with self._changed:
                self.number += 1
                self._changed.notify_all()

        asyncio.run_coroutine_threadsafe(told(), self.loop).result(PATIENCE_SECONDS)

    async def send_request(self, phone: str, kind: str, text: str = "", previous_phone: str = "") -> dict:
        if kind == "moves":
            return past_moves(self.session, text)
        return {"draft": judge_draft(self.session, 1, text)} if kind == "judge" else {}


@pytest.fixture
def page_of(browser):
    """`page_of(session, size)`: the page of the player in seat 1, with the table that it shows."""
    servers, faults = [], []

    def opened(session, size, **settings):
        table = PlainTable(session, session.round.header.names[0])
        port = free_port()
        config = uvicorn.Config(web_application(table), port=port, log_level="error", timeout_graceful_shutdown=1)
        servers.append(uvicorn.Server(config))
        threading.Thread(target=servers[-1].run, daemon=True).start()
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, bypass_csp=True, **settings)
        page.on("pageerror", lambda fault: faults.append(fault))
        home = f"http://127.0.0.1:{port}"
        page.context.add_cookies([{"name": PHONE_COOKIE, "value": SECRET, "url": home}])
        end = time.monotonic() + PATIENCE_SECONDS
        while not servers[-1].started:
            assert time.monotonic() < end, "the pages are not served"
            page.wait_for_timeout(50)
        page.goto(f"{home}/seat")
        return page, table

    yield opened
    for server in servers:
        server.should_exit = True
    assert not faults, "a script of the pages has failed"


def states(new_table, table_of_round, play_round, game):
    """Sessions by name: sealed and open hands, long names, four players, pieces that are named."""
    yield "sealed", new_table(game).session
    yield "long names", new_table(game, names=LONG).session
    played = play_round(game, games.manifest_of(game).option_defaults, 2, random.Random(5), share=0.0)
    begun = new_table(game, names=LONG).session
    for _, move in played.events[:4]:
        begun = base_screen.open_due_screens(round_actions.play_event(begun, str(move)))
    yield "begun", begun
    holdings = games.manifest_of(game).holdings
    if holdings:
        played = play_round(game, games.manifest_of(game).option_defaults, 2, random.Random(3), share=1.0)
        yield "open", table_of_round(played).session
        yield "naming", new_table(game, opened=[(kind, seat) for kind in holdings for seat in (1, 2)]).session
    if 4 in games.manifest_of(game).players:
        yield "four", new_table(game, names=(*LONG, "Cleo", "Bartholomew")).session


@pytest.mark.drill
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_or_over_another_thing(new_table, table_of_round, play_round, page_of, game, locale):
    """With nothing entered and in the middle of a move; the whole board, the verdict and its button are visible."""
    wrong = []
    for state, session in states(new_table, table_of_round, play_round, game):
        page, _ = page_of(session, SIZES[0], locale=locale)
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.reload()
            page.wait_for_selector("#draft:not([aria-busy=true])")
            for begun in ("", "half"):
                if begun:
                    if not page.locator(".tap.fits").count():
                        continue
                    page.locator(".tap.fits").first.click()
                    page.wait_for_selector("#draft:not([aria-busy=true]) #undo")
                found = page.evaluate(MEASURE, size[1] >= 360 and size[0] != 320)
                wrong += [f"{state} {size} {begun}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.drill
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_result_with_named_hands_fits(new_table, play_round, page_of, locale):
    """On phones of every size and on the television, where the winner's long name and the score are in one line."""
    played = play_round("prime-attactics", {"level": "easy", "start": "11"}, 2, random.Random(7), share=1.0)
    over = new_table("prime-attactics", names=LONG, opened=sorted(played.deals), **played.header.options).session
    for (kind, seat), pieces in sorted(played.deals.items()):
        over = round_actions.enter_holding(over, kind, seat, played.rules.format_deal(pieces))
    for _, move in played.events:
        over = base_screen.open_due_screens(round_actions.play_event(base_screen.open_due_screens(over), str(move)))
    page, _ = page_of(over, SIZES[0], locale=locale)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector("#rematch")
        assert page.evaluate(MEASURE, False) == []
        button = box_of(page, "#rematch")
        assert button["y"] + button["height"] <= height or height < 300
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(page.url.removesuffix("/seat"), referer=page.url)
    page.wait_for_selector(".over .below table")
    assert page.evaluate(MEASURE, False) == []
    assert box_of(page, ".winner h2")["height"] < 120


@pytest.mark.drill
def test_what_is_new_is_visible_and_read_aloud(new_table, page_of):
    """On a scrolled phone a lost connection and the result are visible; lines that are read aloud end with a stop."""
    session = new_table("27").session
    page, table = page_of(session, (360, 420))
    page.wait_for_selector(".tap")
    for selector in ("#lost", ".band"):  # In one step each: a stream that begins says that the box is there.
        assert page.evaluate(LOST_BELOW, selector), f"{selector} is under another thing"
    page.evaluate("document.body.classList.remove('lost')")
    table.public |= {"notice": ["Ben", "corrected a piece"]}
    table.notify_streams()
    page.wait_for_function("scrollY === 0")
    assert page.evaluate(UPPERMOST, ".view .says p")
    table.public |= {"notice": ["Ben asks.", "Take back?"]}
    table.seats["Ann"] |= {"turn": False}
    table.notify_streams()
    page.wait_for_selector(".view .says:has-text('Take back?')")
    page.reload()  # All that the page says at once.
    page.wait_for_function("document.querySelector('#said').textContent.includes('Ben asks. Take back? Ann')")
    page.evaluate("scrollTo(0, 9999)")
    table.public |= {"notice": None, "result": {"winners": ["Ann"], "reason": "neither can move"}}
    table.notify_streams()
    page.wait_for_function("scrollY === 0")
    assert page.evaluate(UPPERMOST, ".result p")
    assert page.inner_text(".result h1") == "You win, 9 to 9"
    page.wait_for_function("document.querySelector('#said').textContent.includes('You win, 9 to 9. Neither can move')")


@pytest.mark.drill
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_the_mat_stays_where_it_is_and_nothing_scrolls(new_table, page_of, game, size):
    """Before, during and after a half-made move, and for what is told, so that nothing moves under the finger."""
    page, table = page_of(new_table(game).session, size)
    page.wait_for_selector(".tap")
    found = [page.evaluate(MAT_AND_HEIGHT)]
    page.locator(".tap.fits").first.click()
    page.wait_for_selector("#draft:not([aria-busy=true]) #undo")
    found.append(page.evaluate(MAT_AND_HEIGHT))
    while page.locator("#undo").count():
        page.click("#undo")
        page.wait_for_selector("#draft:not([aria-busy=true])")
    found.append(page.evaluate(MAT_AND_HEIGHT))
    lines = {"figure": "field 8", "against": "it is Wilhelmina Maria's stack", "rule": "your own disc must be on top"}
    for told in ({"notice": ["Ben", "corrected a piece"]}, {"refusal": lines | {"code": "", "needed": "take 2"}}):
        table.public |= told
        table.notify_streams()
        page.wait_for_selector(".view > .says:has-text('Field 8')" if "refusal" in told else ".view > .says")
        found.append(page.evaluate(MAT_AND_HEIGHT))
    assert found[1:] == found[:1] * 4
    assert found[0][-1] == size[1]


@pytest.mark.drill
def test_a_drawn_tile_is_named_without_scrolling(new_table, page_of):
    """The tray makes room, and on a small phone or one on its side the board too."""
    deals = {("deal", 1): "+1 +2 +3 -1 -2 -3 x2 x3", ("rack", 1): "/2 /3 /4 /5"}
    table = new_table("prime-attactics", opened=tuple(deals))
    for pieces in deals.values():
        table.type(support_of_game("prime-attactics").keys_of_deal(pieces) + "#")
    table.wait(3)
    table.type("A3#")
    page, _ = page_of(table.session, SIZES[0])
    for width, height in SIZES[:3]:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        press_button(page, "#add\\+4")
        page.wait_for_selector("#done:enabled")
        assert page.evaluate(MEASURE, True) == []
        assert page.evaluate(SCROLLED) == [0, 0]


@pytest.mark.drill
@pytest.mark.parametrize("game", GAMES)
def test_a_phone_that_watches_shows_all_without_scrolling(new_table, page_of, game):
    """Who is to move, the scores and the board, which takes no taps."""
    page, table = page_of(new_table(game).session, SIZES[0])
    table.seats["Ann"] |= {"seat": 0, "turn": False, "plays": False, "hands": False}
    table.send_request = None  # Nothing is judged for it.
    for width, height in SIZES[:3]:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector(".mat .board")
        assert page.evaluate(SCROLLED) == [0, 0]
        assert page.locator(".scores li").count() == len(table.public["players"])
        assert page.inner_text(".band h1") == "Ann is to move"
        assert not page.locator(".tap").count()
        assert box_of(page, ".mat")["height"] > 0.3 * height


@pytest.mark.drill
def test_all_own_tiles_fit_beside_the_board(new_table, page_of):
    """On a phone on its side nothing scrolls, with the longest words."""
    deals = {("deal", 1): "+4 +7 D+ -2 -6 x3 x5 Dx", ("rack", 1): "/2 /3 /5 /7"}
    session = new_table("prime-attactics", names=LONG, opened=tuple(deals)).session
    for (kind, seat), pieces in deals.items():
        session = round_actions.enter_holding(session, kind, seat, pieces)
    page, _ = page_of(base_screen.open_due_screens(session), (740, 360), locale="de-DE")
    for pick in ("", "+4", "+-Doppel"):
        if pick:
            press_button(page, f".tray .tap[aria-label='{pick}']")
        page.wait_for_selector("#draft:not([aria-busy=true]) .tray .tap")
        assert page.evaluate(SCROLLED) == [0, 0]
    assert "30" in page.inner_text(".entry")


@pytest.mark.drill
def test_a_phone_calls_its_player_once_a_turn(new_table, page_of):
    """By a vibration, its title and the colour around it; not again for other news, nor when it is loaded anew."""
    page, table = page_of(new_table("27").session, (360, 740))
    page.wait_for_function("document.title === '▶ Your turn, Ann'")
    assert page.eval_on_selector("[name=theme-color]", "each => each.content") == "#2a6fc4"
    page.context.add_init_script(COUNT_CALLS)
    page.reload()
    page.wait_for_selector(".tap")
    for turn, title, calls in ((False, "Ben is to move", 0), (True, "▶ Your turn, Ann", 1)):
        table.seats["Ann"] |= {"turn": turn, "begun": 2}
        table.public |= {
            "players": [each | {"turn": (each["name"] == "Ann") == turn} for each in table.public["players"]]
        }
        table.notify_streams()
        page.wait_for_function("title => document.title === title", arg=title)
        assert page.evaluate("window.calls.length") == calls
    assert page.evaluate("window.calls") == [[80, 60, 80]]
    assert page.evaluate("document.querySelector('.band').classList.contains('calls')")
    table.public |= {"notice": ["Ben", "corrected a piece"]}
    table.notify_streams()
    page.wait_for_selector(".view .says")
    assert page.evaluate("window.calls.length") == 1
    page.reload()
    page.wait_for_function("document.title === '▶ Your turn, Ann'")
    assert page.evaluate("window.calls") == []


@pytest.mark.drill
def test_the_piece_of_a_new_move_travels_once(new_table, page_of, monkeypatch):
    """From where its board says that it was; not when the page is opened, and not where motion is unwelcome."""
    session, way = new_table("27").session, ["10"]

    judge = judge_draft

    def draft_with_way(*asked):
        draft = judge(*asked)
        draft["board"]["svg"] = str(draft["board"]["svg"]).replace("<rect", f'<rect data-dx="{way[0]}"', 1)
        return draft

    monkeypatch.setitem(globals(), "judge_draft", draft_with_way)
    for motion, travels in (("no-preference", 1), ("reduce", 0)):
        way[0] = "10"
        page, table = page_of(session, (360, 740), reduced_motion=motion)
        page.wait_for_selector("[data-dx='10']", state="attached")
        page.evaluate(COUNT_FLASHES)
        way[0] = "20"
        for back in (True, False):
            table.seats["Ann"] |= {"back": back}
            table.notify_streams()
            page.wait_for_selector("#back", state="attached" if back else "detached")
        page.wait_for_selector("[data-dx='20']", state="attached")
        assert page.evaluate("window.flashes") == travels


@pytest.mark.drill
def test_an_earlier_position_is_shown_in_the_list_of_moves(new_table, page_of):
    """A tap on the last move lists all of them; a tap on one shows the board after it, and leads back and on."""
    session = new_table("27").session
    for move in ("1x1", "9x1", "1x2"):
        session = base_screen.open_due_screens(round_actions.play_event(session, move))
    page, _ = page_of(session, (360, 740))
    page.click(".lastmove")
    page.wait_for_selector("#moves li")
    assert [each.split(maxsplit=1)[0] for each in page.locator("#moves li").all_inner_texts()] == ["3", "2", "1"]
    page.click("#at1")
    page.wait_for_selector("#moves >> text=After move 1 of 3")
    first = page.inner_html("#moves .mat")
    page.click("#earlier")
    page.wait_for_selector("#moves >> text=After move 0 of 3")
    assert page.locator("#earlier").is_disabled()
    assert page.inner_html("#moves .mat") != first
    page.click("#later")
    page.wait_for_selector("#moves [aria-current] #at1")
    assert page.inner_html("#moves .mat") == first


@pytest.mark.drill
def test_a_tap_where_nothing_is_shows_what_can_be_tapped(new_table, page_of):
    """A tap on the own cards before a stack is chosen makes the prompt flash; a tap on a stack does not."""
    page, _ = page_of(new_table("coral-reef").session, (360, 740))
    page.wait_for_selector(".tap")
    tray = box_of(page, ".tray .layers")
    page.evaluate(COUNT_FLASHES)
    page.mouse.click(tray["x"] + 30, tray["y"] + tray["height"] / 2)
    page.wait_for_function("window.flashes === 1")
    page.wait_for_function("document.querySelector('.entry').getAnimations().length === 0")
    page.locator(".tap").first.click()
    page.wait_for_selector("#draft:not([aria-busy=true]) #undo", state="attached")
    assert page.evaluate("window.flashes") == 1


@pytest.mark.drill
@pytest.mark.parametrize("game", GAMES)
def test_the_big_screen_uses_its_room(new_table, page_of, game):
    """The board is as large as possible, alone before the first move, and letters are readable from afar."""
    page, table = page_of(new_table(game, names=LONG).session, (1920, 1080))
    page.goto(page.url.removesuffix("/seat"), referer=page.url)
    page.wait_for_selector(".board")
    alone = box_of(page, ".board")["width"]
    assert alone > 1800
    table.public |= {"moves": [{"name": "Ann", "told": "did this"}] * 6}
    table.public |= {"evening": [{"name": name, "won": 1, "played": 2} for name in LONG]}
    table.notify_streams()
    page.wait_for_selector(".below table")
    assert box_of(page, ".board")["width"] < alone
    assert page.evaluate(MEASURE, False) == []
    sizes = """[".players li", ".moves li", ".below td", ".below h2"].map(
      (each) => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"""
    assert min(page.evaluate(sizes)) >= 27  # A fortieth of the height.


@pytest.mark.drill
@pytest.mark.parametrize("known", [False, True])
def test_nothing_leads_away_from_the_big_screen_but_for_a_keyboard(new_table, page_of, known):
    """Nothing scrolls, and the board has its room, also without a connection; Tab leads to what a phone shows."""
    page, _ = page_of(new_table("coral-reef").session, (1920, 1080))
    if not known:
        page.context.clear_cookies()
    page.goto(page.url.removesuffix("/seat"), referer=page.url)
    for width, height in ((1920, 1080), (1280, 720), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        for lost in ("remove", "add"):
            page.evaluate(f"document.body.classList.{lost}('lost')")
            board, foot = box_of(page, ".board"), box_of(page, ".foot")
            assert board["height"] > 0.65 * height
            assert board["y"] + board["height"] <= foot["y"]
            assert foot["y"] + foot["height"] <= height
            assert page.evaluate(SCROLLED) == [0, 0]
            assert not page.evaluate(UPPERMOST, ".come :is(a, input, button)")
    page.keyboard.press("Tab")
    assert page.evaluate(UPPERMOST, ".come :is(a, input, button)")
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("document.activeElement.blur(); scrollTo(0, 9999)")
    assert page.evaluate(UPPERMOST, ".come :is(a, input, button)")
    assert page.locator(".come").inner_text().startswith("My seat" if known else "Join the table")


@pytest.mark.drill
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_four_long_names_have_room_on_the_big_screen(new_table, page_of, size):
    """In the table of the day, above the address, and beside their points on the board."""
    page, table = page_of(new_table("ziggurat", names=FOUR).session, size)
    page.goto(page.url.removesuffix("/seat"), referer=page.url)
    table.public |= {"moves": [{"name": FOUR[0], "told": "did this"}] * 6}
    table.public |= {"evening": [{"name": name, "won": 11, "played": 12} for name in FOUR]}
    table.notify_streams()
    page.wait_for_selector(".below table")
    assert page.evaluate(MEASURE, False) == []
    assert (
        page.evaluate("""() => {
      const texts = [...document.querySelectorAll(".board text")].map((each) => [each.textContent, each.getBBox()]);
      return texts.flatMap(([one, a], index) => texts.slice(index + 1)
        .filter(([, b]) => Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) - 2
          && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 0.4 * Math.min(a.height, b.height))
        .map(([other]) => `${one} meets ${other}`));
    }""")
        == []
    )
    lines = {"figure": "field 8", "against": f"It is {FOUR[3]}'s stack.", "rule": "R" * 40, "needed": "Take 2."}
    table.public |= {"refusal": lines | {"code": "not-yours"}}
    table.notify_streams()
    page.wait_for_selector(".below .refusal")
    assert not [
        each for each in page.evaluate(MEASURE, False) if "out of sight" not in each
    ]  # The table of the day is.
    assert page.evaluate(UPPERMOST, ".below .refusal p:last-child")
    rematch = {"ready": [FOUR[1]], "awaited": [FOUR[0], *FOUR[2:]], "starts": FOUR[1], "match": False}
    table.public |= {"refusal": None, "moves": [], "rematch": rematch, "result": {"winners": [FOUR[0]], "reason": ""}}
    table.public["players"][0]["turn"] = False
    table.notify_streams()
    page.wait_for_selector(".over .below table")
    assert page.evaluate(MEASURE, False) == []
    assert page.evaluate("(each => each.scrollHeight - each.clientHeight)(document.querySelector('.below'))") <= 0


@pytest.mark.drill
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_every_view_of_the_big_screen(new_table, play_round, page_of, axe, scheme):
    """Before, in and after a round, with a refusal, a menu, the standings: the code can be scanned."""
    session = new_table("27", names=LONG).session
    page, table = page_of(session, (1280, 720), color_scheme=scheme)
    table._page_urls = lambda: ["http://192.168.178.40:8027/"]
    played = play_round("27", games.manifest_of("27").option_defaults, 2, random.Random(5), share=0.0)
    over = session
    for _, move in played.events:
        over = base_screen.open_due_screens(round_actions.play_event(over, str(move)))
    menu = new_table("27", names=LONG)
    menu.press("*")
    past = (FinishedRound("27", LONG, (6, 4), (1,)), FinishedRound("ziggurat", FOUR, (3, 2, 5, 3), (3,)))
    lobby = base_screen.open_due_screens(over.clear_table()._replace(history=StoredHistory(evening_rounds=past)))
    page.goto(page.url.removesuffix("/seat"), referer=page.url)
    for state, view in (
        (session, ".play .mat"),
        (menu.session, ".play .note"),
        (over, ".over .winner"),
        (lobby, ".lobby .qr-code"),
        (lobby.open_screens(TodayPage()), ".standings .last-rounds"),
    ):
        table.public = public_state(state)
        table.notify_streams()
        page.wait_for_selector(view)
        assert page_faults(page, axe) == []
        assert page.evaluate(SCROLLED) == [0, 0]
        assert not page.locator("main :is(a, button)").count()
        if state is lobby:
            with Image.open(io.BytesIO(page.locator(".qr-code").screenshot())) as picture:
                found = zxingcpp.read_barcodes(picture.convert("L"))
            assert [each.text for each in found] == ["http://192.168.178.40:8027/"]
            assert page.locator(".lobby .address").inner_text() == "192.168.178.40:8027"


MAT_AND_HEIGHT = """() => {
  const { x, y, width, height } = document.querySelector(".mat").getBoundingClientRect();
  return [x, y, width, height, document.documentElement.scrollHeight];
}"""
COUNT_CALLS = "window.calls = []; navigator.vibrate = (how) => window.calls.push(how);"
COUNT_FLASHES = """() => {
  const animate = Element.prototype.animate;
  window.flashes = 0;
  Element.prototype.animate = function (...how) { window.flashes++; return animate.apply(this, how); };
}"""
SCROLLED = """() => {
  scrollTo(9999, 9999);
  return [scrollX, scrollY];
}"""
UPPERMOST = """(selector) => {
  const part = document.querySelector(selector), box = part.getBoundingClientRect();
  const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return found !== null && part.contains(found);
}"""
LOST_BELOW = f"""(selector) => {{
  scrollTo(0, 9999);
  document.body.classList.add("lost");
  return scrollY > 0 && ({UPPERMOST})(selector);
}}"""
MEASURE = (Path(__file__).parents[1] / "support" / "layout.js").read_text("utf-8")
