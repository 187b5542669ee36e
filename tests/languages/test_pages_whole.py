"""Pages have no English left in another language: all that a phone, the big screen and the host see is a message."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import sheet_of_menus
import sheet_of_rounds
from asgi_browser import AsgiBrowser
from examples import first_cases_fast
from screen_sheet import ScreenSheet
from untranslated_words import english_texts_in_page

from companion import games
from companion.display.replay_pictures import PANELS
from companion.evening import state_machine
from companion.evening.screens.phones import pairing as phone_rules
from companion.evening.screens.phones import requests
from companion.evening.screens.setup.seats import NAMELESS_PLAYERS
from companion.evening.session_values import PhoneAccess
from companion.games.api.computer_players import COMPUTER_NAMES
from companion.inputs import HintRequest, PhoneRequest, parse_request
from companion.languages import text_from_json, texts_to_json
from companion.languages.catalogues import available_languages, native_language_name
from companion.rounds.record import check_record
from companion.store.store import Store
from companion.table.host_answers import UnanswerableError, answer_about_rounds
from companion.table.phone_view import client_snapshot, judge_draft
from companion.table.phone_worker import HOST_QUESTIONS
from companion.web import site
from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.table_client import TableClient

HOME = "http://192.168.1.20:8027"
PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Hildegard", "Zoe", "Ama", *COMPUTER_NAMES, *NAMELESS_PLAYERS)
NAMED = (
    *(games.manifest_of(game).name for game in games.built_in_game_ids()),
    *map(native_language_name, available_languages()),
    "Rummy",
    "table-4",
)
WRITTEN = ("Dx", "D+", "xD", "draw", "pass", "nonsense", "Nobody")
"""Doubles, as tiles and records have them; words of records; and what a request has that is refused."""
OF_THE_SHEET = (
    "Club",
    *(
        word
        for part in sheet_of_rounds.HINT_PARTS
        for word in (part.title, *part.lines, *(cell for row in part.rows for cell in row))
    ),
    "Move 12 decided it.",
    *sheet_of_menus.ROUND_LINES,
    *sheet_of_menus.STICK_ANSWERS,
    *sheet_of_menus.NETWORKS,
    *sheet_of_menus.HOTSPOT,
    *(word for claim in sheet_of_rounds.CLAIM_ROWS for word in claim),
    *(
        f"{words[0].upper()}{words[1:]}."
        for words in (sheet_of_rounds.OVERSHOOT_REFUSAL.conflict, sheet_of_rounds.OVERSHOOT_REFUSAL.rule)
    ),
    *(word for finding in sheet_of_menus.FINDINGS for word in (finding.about, finding.text)),
)
"""What the sheet of moments says itself, where the program would."""
PARTS = 12
"""The moments are shared out among so many tests."""
KEPT = (*PEOPLE, *NAMED, *WRITTEN, *OF_THE_SHEET)


class SnapshotTable(TableClient):
    """A table without a socket, with the snapshot of a session as it crosses the socket."""

    def __init__(self, session, folder: Path | None = None) -> None:
        super().__init__(Path("/nowhere"))
        self.session, self.folder = session, folder
        told = after_socket(client_snapshot(session))
        self.public, self.phones, self.seats = told["public"], told["phones"], told["seats"]
        self.names, self.host, self.asking_phone, self.question_digits = (
            told["names"],
            told["host"],
            told["asks"],
            told["shows"],
        )
        self.favourites, self.news, self.remote = told["favourites"], told["news"], told["remote"]

    async def send_request(self, phone: str, kind: str, argument: str = "", previous_phone: str = "") -> dict:
        """What the table would answer now; its state stays."""
        session, seat = self.session, phone_rules.phone_seat(self.session, phone)
        if kind in HOST_QUESTIONS and self.folder is not None:
            try:
                return after_socket({"found": answer_about_rounds(self.folder, kind, argument, PANELS)})
            except UnanswerableError as why:
                return after_socket({"refusal": why.args[0]})
        if kind == "judge":
            return after_socket({"draft": judge_draft(session, seat, argument)}) if seat else {}
        if kind == "could":
            return after_socket({"words": requests.could_have_moved_lines_for_phone(session, phone)})
        if kind == "hint":
            asks = requests.hint_request_or_refusal(session, phone)
            return {} if isinstance(asks, HintRequest) else after_socket({"words": asks})
        request = PhoneRequest(1, phone, parse_request(kind, argument, previous_phone), session.now)
        answers = state_machine.update_session(session, request).outbox.answers
        return after_socket({"refusal": answers[-1].refusal if answers else ""})


def after_socket(value):
    """A value as the other side of the socket has it."""
    return json.loads(json.dumps(texts_to_json(value)), object_hook=text_from_json)


def english_left_on(browser, path: str, **form) -> list[str]:
    """The English that is left on a page."""
    answer = browser.post(path, data=form, headers={"origin": HOME}) if form else browser.get(path)
    return english_texts_in_page(answer.text, *KEPT)


@pytest.fixture(scope="module")
def moments(typed_keys):
    """All screens of the sheet, with the keypad, since pages have no keys of either set."""
    sheet = ScreenSheet("keypad")
    sheet_of_menus.add_all_pictures(sheet)
    sheet_of_rounds.add_all_pictures(sheet, typed_keys)
    return list(sheet.pictures.values())


@pytest.mark.parametrize("part", first_cases_fast(1, range(PARTS)))
def test_every_moment_is_whole_on_every_page(moments, nobodys_language, part):
    """The big screen, the phone of each player, and the host's phone, for each screen of the sheet."""
    left: dict[str, str] = {}
    for moment in moments[part::PARTS]:
        session = moment.session
        names = session.round.header.names if session.round is not None else ("Ann",)
        phones = {name: f"secret of {name}" for name in (*names, "Zoe")}
        paired = tuple((hash_secret(secret), name) for name, secret in phones.items())
        table = SnapshotTable(
            session._replace(phones=PhoneAccess(is_on=True, player_phones=paired, host=paired[-1][0]))
        )
        with AsgiBrowser(web_application(table), HOME, ("192.168.1.7", 5000)) as browser:
            for path, secret in (("/", ""), ("/host", phones["Zoe"]), *(("/seat", each) for each in phones.values())):
                browser.cookies = {"language": nobodys_language, PHONE_COOKIE: secret}
                for each in english_left_on(browser, path):
                    left.setdefault(each, f"{moment.name}, {path} with {secret!r}")
    assert not left, "\n".join(f"{said} in {where}" for said, where in left.items())


def play_recorded(name: str, *, left: int = 0):
    """A table at which a recorded round was played, except for the last `left` events."""
    report = check_record((sheet_of_rounds.RECORDS / f"{name}.tcr").read_text(encoding="utf-8"))
    table = sheet_of_rounds.table_of_record(ScreenSheet("keypad"), report, goal=2)
    sheet_of_rounds.name_all_holdings(table, name, report)
    for _, move in report.events[: len(report.events) - left]:
        table.commit(str(move))
    return table


def store_log(table, folder: Path) -> None:
    """Save what the table wrote."""
    store = Store(folder, now=lambda: datetime(2026, 11, 21, 20, tzinfo=UTC))
    store.write_entries(table.saved_lines)
    store.close()


FORMS = (
    *(("/seat/judge", {"keys": keys}) for keys in ("", "1", "11", "254", "98", "A3", "3344B", "0", "7")),
    *(("/seat/play", {"event": event}) for event in ("1x1", "9x1", "2:54", "0+1", "pass", "draw", "nonsense", "")),
    ("/seat/pieces", {"pieces": "", "add": "A"}),
    ("/seat/pieces", {"pieces": "", "done": "1"}),
    ("/seat/back", {"x": "1"}),
    ("/seat/agree", {"yes": "1"}),
    ("/seat/mend", {"which": "1 0"}),
    ("/seat/mend", {"which": "list"}),
    ("/seat/mend", {"which": "1 0", "piece": "A"}),
    ("/seat/words", {"what": "could"}),
    ("/seat/words", {"what": "hint"}),
    ("/seat/sit", {"player": "Nobody"}),
    ("/box", {"seen": "00000000", "press": "ok"}),
    ("/box", {"press": "something"}),
)
"""What a player's phone may send, most of it refused."""


@pytest.mark.parametrize("name", first_cases_fast(4, sheet_of_rounds.ROUND_NAMES + sheet_of_rounds.SEALED_ROUND_NAMES))
def test_what_a_phone_is_answered_is_whole(name, nobodys_language):
    """Drafts, refusals, the referee's answers and corrections, in the middle of a round of each game."""
    table = play_recorded(name, left=5)
    names = table.session.round.header.names
    phones = {each: f"secret of {each}" for each in names}
    paired = tuple((hash_secret(secret), each) for each, secret in phones.items())
    told = SnapshotTable(
        table.session._replace(
            phones=PhoneAccess(is_on=True, player_phones=paired), switches=table.session.switches._replace(hints=True)
        )
    )
    left = {}
    with AsgiBrowser(web_application(told), HOME, ("192.168.1.7", 5000)) as browser:
        for who, secret in phones.items():
            browser.cookies = {"language": nobodys_language, PHONE_COOKIE: secret, "x": "y"}
            for path, form in FORMS:
                left |= dict.fromkeys(english_left_on(browser, path, **form), f"{path} {form} of {who}")
    assert not left, "\n".join(f"{said} in {where}" for said, where in left.items())


@pytest.mark.parametrize(
    "name", first_cases_fast(1, ["prime-attactics-full-11", "27-expert", "coral-reef-sealed", "ziggurat-9-cutup"])
)
def test_the_host_s_pages_are_whole(name, nobodys_language, tmp_path):
    """History, a replay, names, the question before two players are merged, with a stored round; and each refusal."""
    table = play_recorded(name)
    store_log(table, tmp_path)
    told = SnapshotTable(
        table.session._replace(
            phones=PhoneAccess(is_on=True, player_phones=((hash_secret("a"), "Ann"),), host=hash_secret("a"))
        ),
        tmp_path,
    )
    left = {}
    with AsgiBrowser(web_application(told), HOME, ("192.168.1.7", 5000)) as browser:
        browser.cookies = {"language": nobodys_language, PHONE_COOKIE: "a"}
        for path in (
            "/host", "/host/history", "/host/history?since=x", "/host/history?page=9999", "/host/history?game=none",
            "/host/round/1", "/host/round/1?move=3", "/host/round/1/picture?move=2&step=1", "/host/round/7",
            "/host/round/1/change", "/host/round/7/change", "/host/round/9/change",
            "/host/names", "/host/pad", "/host/report?day=x", "/host/report?day=2020-01-01",
        ):  # fmt: skip
            left |= dict.fromkeys(english_left_on(browser, path), path)
        for path, form in (
            ("/host/names", {"what": "merge", "name": "Ann", "new": "Ben"}),
            ("/host/names", {"what": "rename", "name": "Ann", "new": "Zoe"}),
            ("/host/names", {"what": "favour", "name": "box-1"}),
            ("/host/names", {"what": "favour", "name": ","}),
            ("/host/names", {"what": "other"}),
            ("/host/round/1/change", {"what": "void"}),
            ("/host/round/1/change", {"what": "restore"}),
            ("/host/round/1/change", {"what": "correct", "text": "x"}),
            ("/host/pad", {"seat": "1", "points": "x"}),
            ("/host/pad", {"seat": "1", "points": "5"}),
            ("/host/ask", {"x": "1"}),
        ):
            left |= dict.fromkeys(english_left_on(browser, path, **form), f"{path} {form}")
        report = browser.get("/host/report?day=2026-11-21").text
    assert not left, "\n".join(f"{said} in {where}" for said, where in left.items())
    assert 'lang="xx"' in report


def test_the_way_in_is_whole(nobodys_language, monkeypatch):
    """Unknown and wrong codes, too many tries, and everything for which a request is turned away."""
    told = SnapshotTable(
        sheet_of_rounds.table_of_record(
            ScreenSheet("keypad"), check_record((sheet_of_rounds.RECORDS / "27-expert.tcr").read_text(encoding="utf-8"))
        ).session._replace(phones=PhoneAccess(is_on=True))
    )
    app, left = web_application(told), {}
    with AsgiBrowser(app, HOME, ("192.168.1.7", 5000)) as browser:
        browser.cookies = {"language": nobodys_language}
        for path in ("/", "/p", "/p/ABC", *["/p/ABCDEF"] * 6, "/seat", "/host", "/nothing", "/pair"):
            left |= dict.fromkeys(english_left_on(browser, path), path)
        for path, form in (
            ("/pair", {"code": "x"}),
            ("/pair", {"code": "ABCDEF", "player": "Ann"}),
            ("/pair", {"code": "ABCDEF", "host": "1"}),
            ("/host/ask", {"x": "1"}),
            ("/seat/play", {"event": "1x1"}),
            ("/seat/mend", {"which": "1 0"}),
            ("/seat/nothing", {"x": "1"}),
            ("/", {"x": "1"}),
            ("/", {"x": "1" * 70_000}),
        ):
            left |= dict.fromkeys(english_left_on(browser, path, **form), f"{path} {form}")
        left |= dict.fromkeys(english_texts_in_page(browser.post("/seat/play", data={"a": "b"}).text), "from elsewhere")
        left |= dict.fromkeys(
            english_texts_in_page(browser.post("/", json={}, headers={"origin": HOME}).text), "no form"
        )
        told.public = None
        for path in ("/", "/p", "/p/ABCDEF", "/seat"):
            left |= dict.fromkeys(english_left_on(browser, path), f"{path}, the table away")
        now = time.monotonic()
        monkeypatch.setattr(site, "time", SimpleNamespace(monotonic=lambda: now))  # On a busy machine no hurry is one.
        for _ in range(int(2 * site.MAX_BURST_REQUESTS)):
            answer = browser.get("/static/board.css")
        assert answer.status_code == 429
        left |= dict.fromkeys(english_texts_in_page(answer.text), "too fast")
    for home, client in (("http://elsewhere.example", "192.168.1.8"), (HOME, "8.8.8.8")):
        with AsgiBrowser(app, home, (client, 5000)) as browser:
            browser.cookies = {"language": nobodys_language}
            left |= dict.fromkeys(english_texts_in_page(browser.get("/").text, f"{home}/"), f"{home} from {client}")
    assert not left, "\n".join(f"{said} in {where}" for said, where in left.items())
