"""What a player hides reaches only that player's phone, through a whole evening of rounds.

Two tables that differ in one hidden holding are played in step: moves from phones and keypad, impossible ones too,
impossible hands, refusals, takebacks, corrections, phones that change their player, further rounds with seats swapped,
other players. After each step everything that goes over both of the table's sockets and to the club server is compared,
except the owner's part: with drafts and the referee's answers, and now and then every byte of the pages, with what
depends on their lengths: the big screen, the phones of all other players, the host's phone with history, replays and
report, an unpaired phone. A page that is loaded anew is sent whole, so it is the same as one that stayed open.

Only one case may differ, which `is_refused_at_one_table` describes: that somebody else holds a piece.
"""

from __future__ import annotations

import itertools
import json
import random
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from asgi_browser import AsgiBrowser
from examples import example_count, first_cases_fast
from game_support import support_of_game
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from companion import games
from companion.club.mqtt_messages import StateMessage, encode_message
from companion.display.replay_pictures import PANELS
from companion.evening.screens.main_menu import offer_same_round
from companion.evening.screens.messages import Confirmation, Notice, RefusalScreen
from companion.evening.screens.phones import pairing, requests
from companion.evening.screens.phones.phones_page import PhoneAdmission
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.setup.setup_form import setup_forms
from companion.evening.session_values import PhoneAccess
from companion.games.api import RefusedError
from companion.inputs import CorrectPieceRequest
from companion.rounds import on_table, standings
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table.host_answers import UnanswerableError, answer_about_rounds
from companion.table.phone_view import client_snapshot, judge_draft, past_moves
from companion.table.workers import public_snapshot
from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HIDDEN_HOLDINGS = {
    game: support_of_game(game).HIDDEN_HOLDING
    for game in games.built_in_game_ids()
    if support_of_game(game).HIDDEN_HOLDING
}
"""Game → its hidden holding."""
PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
HOST, SCREEN = "the host", "the big screen that was let in"
UNPRESSED_ENTRIES = ("What decided it?", "Missed moves", "Leave the round", "Stop the match", "Main menu")
"""Entries of menus that are not compared: once a round is over, they may reveal everything."""
IMPOSSIBLE_PIECES_REFUSAL = "These pieces clash with those of the others. Everyone, please check again."
"""The refusal of pieces that are impossible only because of what others hide."""
PUBLIC_NOTICES = (("named pieces", "that others hold"), ("played pieces", "that others hold"))
"""What everybody is told then, below the player's name."""
DRAFT_KEYS = ("", "1", "12", "0", "07", "A3", "C12", "3344B", "634")
STEPS = (
    "press",
    "press",
    "press",
    "move",
    "move",
    "move",
    "typed",
    "guess",
    "guess",
    "guess",
    "back",
    "agree",
    "sit",
    "mend",
    "mend",
)


class Pages(TableClient):
    """A table without a socket, whose requests go straight to a session."""

    def __init__(self, driven_table, folder: Path) -> None:
        super().__init__(Path("/nowhere"))
        self.driven_table = driven_table
        self.folder = folder

    async def send_request(self, phone: str, kind: str, text: str = "") -> dict:
        seat = pairing.phone_seat(self.driven_table.session, phone)
        if kind in ("history", "round", "names", "report"):
            try:
                return {"found": answer_about_rounds(self.folder, kind, text, PANELS)}
            except UnanswerableError as why:
                return {"refusal": str(why)}
        if kind == "games":
            return {"found": json.loads(json.dumps(setup_forms(self.driven_table.session)))}
        if kind == "judge":
            return {"draft": judge_draft(self.driven_table.session, seat, text) if seat else None}
        if kind == "moves":
            return past_moves(self.driven_table.session, text)
        if kind == "could":
            return {"words": list(requests.could_have_moved_lines_for_phone(self.driven_table.session, phone))}
        return {"refusal": send_request(self.driven_table, phone, kind, text)}


def save_rounds(table, folder: Path) -> None:
    """Save the rounds as the table does, with all pieces."""
    store = Store(folder, now=lambda: datetime(2026, 11, 21, 20, tzinfo=UTC))
    store.write_entries(table.saved_lines)
    store.close()


def send_request(table, phone: str, what: str, text: str = "") -> str:
    """Send a request from a phone. Returns the refusal, "" if it was granted."""
    return table.request(phone, what, text)


def phone_secret(name: str) -> str:
    return f"the secret of {name}'s phone"


def public_data(table, owner: str) -> dict[str, object]:
    """What everybody but the owner of the secret is sent, as data: all that the pages are made of."""
    data = json.loads(json.dumps(client_snapshot(table.session)))
    data["seats"].pop(owner, None)
    data["the host's forms"] = setup_forms(table.session)
    data["the public socket"] = json.dumps(public_snapshot(table.session))
    data["the moves"] = [past_moves(table.session, number) for number in ("", "0", "1", "3", "9")]
    data["the hall"] = encode_message(StateMessage("a store", True, public=data["public"]))
    for name in PLAYERS:
        if name != owner and (seat := pairing.player_seat(table.session, name)):
            drafts = [judge_draft(table.session, seat, keys) for keys in DRAFT_KEYS]
            data[f"{name}'s drafts"] = drafts
            data[f"{name}'s taps"] = [judge_draft(table.session, seat, keys) for keys in keys_of_taps(drafts[0])]
            data[f"{name}'s referee"] = requests.could_have_moved_lines_for_phone(
                table.session, hash_secret(phone_secret(name))
            )
    return data


def keys_of_taps(draft: dict) -> list[str]:
    """Some of what can be tapped on a board, as the keys of the draft then; impossible ones too."""
    taps = draft["board"]["taps"] if draft["board"] else []
    return [tap["keys"] for tap in taps[:: max(1, len(taps) // 3)]]


HOME = "http://192.168.1.20:8027"


def make_table(driven_table, folder: Path = Path("/nowhere")) -> Pages:
    """A table as the pages know it, whose rounds are stored in `folder`."""
    table = Pages(driven_table, folder)
    snapshot = json.loads(json.dumps(client_snapshot(driven_table.session)))
    table.public, table.phones, table.seats = snapshot["public"], snapshot["phones"], snapshot["seats"]
    table.names, table.host, table.remote, table.news = (snapshot[each] for each in ("names", "host", "remote", "news"))
    table.played = snapshot["played"]
    table.screen, table._code = hash_secret(phone_secret(SCREEN)), "K7Q2MB"
    return table


def make_browser(table, folder: Path = Path("/nowhere")) -> AsgiBrowser:
    """A browser with the pages of that table."""
    return AsgiBrowser(web_application(make_table(table, folder)), HOME, ("192.168.1.7", 5000))


def response_bytes(response) -> tuple[bytes, list[tuple[str, str]]]:
    """A response with its headers; among them is its compressed length."""
    return response.content, sorted(response.headers.items())


def render_pages(table, owner: str) -> dict[str, object]:
    """The pages of everybody but the owner of the secret, to the byte, and when they are rendered again."""
    player_pages = PlayerPages(make_table(table), lambda *_, **__: "")
    with make_browser(table) as browser:
        pages_found: dict[str, object] = {"screen": response_bytes(browser.get("/"))}
        browser.cookies = {PHONE_COOKIE: phone_secret(SCREEN)}
        pages_found[SCREEN] = response_bytes(browser.get("/"))
        for name in (*PLAYERS, "nobody"):
            if name == owner:
                continue
            browser.cookies = {PHONE_COOKIE: phone_secret(name)}
            pages_found[f"{name}'s moment"] = player_pages.draft_inputs_hash(hash_secret(phone_secret(name)))
            pages_found[f"{name}'s page"] = response_bytes(browser.get("/seat"))
            seat = pairing.player_seat(table.session, name)
            requests = [("judge", {"keys": DRAFT_KEYS[1]})]
            if seat:
                requests += [("words", {"what": "could"}), ("mend", {})]
                requests += [("judge", {"keys": keys}) for keys in keys_of_taps(judge_draft(table.session, seat, ""))]
            for what, form in requests:
                response = browser.post(f"/seat/{what}", data=form, headers={"origin": HOME})
                assert response.status_code == 200
                pages_found[f"{name}'s {what} {form}"] = response_bytes(response)
    return pages_found


def render_host_pages(table, owner: str) -> dict[str, object]:
    """The pages of the host's phone, to the byte, with everything that is stored."""
    numbers = sorted({line.round for line in table.saved_lines if line.round})
    paths = [
        "",
        "/history",
        "/names",
        "/pad",
        "/box",
        *(f"/play/{game.id}" for game in games.all_manifests()),
        "/report?day=2026-11-21",
        *(f"/round/{each}?move=99" for each in numbers),
    ]
    with tempfile.TemporaryDirectory() as folder:
        save_rounds(table, Path(folder))
        with make_browser(table, Path(folder)) as browser:
            browser.cookies = {PHONE_COOKIE: phone_secret(HOST)}
            responses = {f"the host's {path}": browser.get(f"/host{path}") for path in paths}
    assert all("These pages are for the host" not in page.text for page in responses.values())
    return {path: response_bytes(page) for path, page in responses.items()}


def assert_same_for_others(pair, owner: str, *, with_pages: bool = False, with_host_pages: bool = False) -> None:
    """Assert that nobody but the owner of the secret is sent anything that differs."""
    for collect in (
        (public_data, render_pages, render_host_pages)
        if with_pages and with_host_pages
        else (public_data, render_pages)
        if with_pages
        else (public_data,)
    ):
        one, two = (collect(table, owner) for table in pair)
        for role, part in one.items():
            assert part == two[role], role


def forced_course(table) -> object:
    """What the rules force the referee to say: who is to move, was skipped, must draw, could have moved."""
    round_ = table.session.round
    if round_ is None or round_.missing_holdings:
        return None
    could = round_.game.find_legal_move(round_.state) is not None
    return (
        round_.turn,
        round_.game.skipped_seats(round_.state),
        round_.move_input.must_draw(round_.state),
        could,
        round_.is_over,
    )


def deal_to_both(pair, chance) -> str:
    """Deal a round to both tables, alike but for one hidden holding. Returns its owner, "" for nobody."""
    round_ = pair[0].session.round
    rules, kind, options = round_.game, HIDDEN_HOLDINGS[round_.header.game], round_.options
    names = round_.header.names
    dealt = rules.deal_holdings(len(names), options, chance.sample)
    held = [seat for each, seat in round_.missing_holdings if each == kind]
    secret = chance.choice(held) if held else 0
    deals = [dict(dealt), dict(dealt)]
    if secret:
        for _ in range(20):
            deals[1][kind, secret] = rules.deal_holdings(len(names), options, chance.sample)[kind, secret]
            known = {key: deals[1][key] for key in round_.missing_holdings}
            try:
                rules.initial_state(len(names), options, known)
                break
            except RefusedError:
                deals[1][kind, secret] = dealt[kind, secret]
    owner = names[secret - 1] if secret else ""
    by_phone = chance.random() < 0.5
    for key in tuple(round_.missing_holdings):
        if chance.random() < 0.3 and deal_wrong_pieces(pair, owner, key, chance):
            return owner
        for table, each in zip(pair, deals, strict=True):
            text = rules.format_deal(each[key])
            if by_phone:
                assert (
                    send_request(table, hash_secret(phone_secret(names[key[1] - 1])), "deal", f"{key[0]} {text}") == ""
                )
            else:
                table.session = round_actions.enter_holding(table.session, *key, text)
                table.carry_out()
        if forced_course(pair[0]) != forced_course(pair[1]):
            return owner
        assert_same_for_others(pair, owner)
    return owner


def deal_wrong_pieces(pair, owner: str, key: tuple[str, int], chance) -> bool:
    """Submit a hand that may be impossible from a phone. Returns whether it is accepted, or the tables now differ."""
    kind, seat = key
    round_ = pair[0].session.round
    grid = [piece for row in round_.move_input.piece_rows(kind, round_.options) for piece in row]
    size = round_.game.holding_size(kind, len(round_.header.names), round_.options)
    pieces = " ".join(chance.choice(grid) for _ in range(chance.choice((size, size, size - 1))))
    name = round_.header.names[seat - 1]
    before = [table.session.round.state for table in pair]
    answers = [send_request(table, hash_secret(phone_secret(name)), "deal", f"{kind} {pieces}") for table in pair]
    if is_refused_at_one_table(pair, answers, before):
        return True
    assert answers[0] == answers[1]
    if forced_course(pair[0]) != forced_course(pair[1]):
        return True  # The hand is accepted, and now the rules say who must draw.
    assert_same_for_others(pair, owner)
    return key not in pair[0].session.round.missing_holdings


def is_refused_at_one_table(pair, answers, before) -> bool:
    """Whether a piece was refused at one table alone, because somebody else holds it there.

    This is the one case in which the tables may differ. The refusal has the same words for all pieces, everybody is
    told, so that nobody can try this unseen, and nothing has changed.
    """
    refused = [answer == IMPOSSIBLE_PIECES_REFUSAL for answer in answers]
    for table, is_refused, state in zip(pair, refused, before, strict=True):
        if not is_refused:
            continue
        notice = table.session.screen
        assert isinstance(notice, Notice)
        assert (notice.message_lines, notice.next_line) in [
            (lines, "Everyone, check your pieces") for lines in PUBLIC_NOTICES
        ]
        assert client_snapshot(table.session)["public"]["notice"] == [
            notice.heading,
            *notice.message_lines,
            notice.next_line,
        ]
        assert table.session.round.state == state
    return refused[0] != refused[1]


def try_impossible_moves(pair, owner: str, seat: int, chance) -> bool:
    """Send moves that may be impossible from the phone of the seat to move.

    Returns whether the tables are still alike.
    """
    round_ = pair[0].session.round
    is_owner = round_.header.names[seat - 1] == owner
    phone = hash_secret(phone_secret(round_.header.names[seat - 1]))
    for _ in range(4):
        if pair[0].session.round.turn != seat:
            break
        text = support_of_game(round_.header.game).probing_event(chance)
        if not is_owner:
            typed = round_.move_input.keys_for_event(text)
            drafts = [
                [judge_draft(table.session, seat, typed[:end]) for end in range(len(typed) + 1)] for table in pair
            ]
            assert drafts[0] == drafts[1], typed
        elif ("" in (codes := [refusal_code(table, seat, text) for table in pair])) and codes[0] != codes[1]:
            continue  # The owner can play this move at one table alone.
        before = [table.session.round.state for table in pair]
        answers = [send_request(table, phone, "play", text) for table in pair]
        if is_refused_at_one_table(pair, answers, before):
            return False
        assert is_owner or answers[0] == answers[1], text
        if forced_course(pair[0]) != forced_course(pair[1]):
            return False  # The move was possible, and now the rules say who must draw.
        assert_same_for_others(pair, owner)
    return True


def play_step(pair, owner: str, what: str, chance) -> bool:
    """Play one step at both tables. Returns whether they are still alike and the round can go on."""
    one = pair[0].session
    round_ = one.round
    seat = round_.turn
    if isinstance(one.screen, Confirmation | PhoneAdmission):
        key = chance.choice("##*")
        for table in pair:
            table.press(key)
        return True
    if isinstance(one.screen, Notice | RefusalScreen):
        for table in pair:
            table.press("#")
        return True
    if what == "sit":
        phone, name = chance.choice(PLAYERS), chance.choice(round_.header.names)
        if phone not in (owner, name) and name != owner:  # If the box agreed, the phone would get the owner's pages.
            assert send_request(pair[0], hash_secret(phone_secret(phone)), "sit", name) == send_request(
                pair[1], hash_secret(phone_secret(phone)), "sit", name
            )
            for table in pair:
                table.press("*")
                table.wait(pairing.LOCKED_SECONDS + 1)
        return True
    if what == "press":
        press_keys(pair, owner, chance)
        return True
    if what in ("back", "agree"):
        phone = hash_secret(phone_secret(chance.choice(round_.header.names)))
        assert send_request(pair[0], phone, what) == send_request(pair[1], phone, what)
        return True
    if what == "mend":
        return correct_piece(pair, owner, chance)
    if seat is None or not isinstance(one.screen, PlayScreen):
        return True
    phone = hash_secret(phone_secret(round_.header.names[seat - 1]))
    if what == "guess":
        return try_impossible_moves(pair, owner, seat, chance)
    moves = [{str(move) for move in table.session.round.game.legal_moves(table.session.round.state)} for table in pair]
    both = sorted(text for text in moves[0] & moves[1] if all(refusal_code(table, seat, text) == "" for table in pair))
    if not both:
        return True
    text = chance.choice(both)
    for table in pair:
        if what == "typed":
            table.session = round_actions.play_event(table.session, text)
            table.carry_out()
        else:
            assert send_request(table, phone, "play", text) == ""
    return True


def press_keys(pair, owner: str, chance) -> None:
    """Press up to three keys of the box from the host's phone or a player's, among them keys that it may not press.

    The question what decided the round is not asked: its answer may reveal everything, once the round is over.
    """
    for _ in range(3):
        if pair[0].session.round.is_over:
            break
        remotes = [client_snapshot(table.session)["remote"] for table in pair]
        assert remotes[0] == remotes[1]
        phone = hash_secret(phone_secret(chance.choice((HOST, HOST, *PLAYERS))))
        key = chance.choice((*remotes[0]["keys"], "ok", "back", "close", "pick"))
        argument = {"pick": str(chance.randint(1, 14)), "type": "Zoe"}.get(key, "")
        content = client_snapshot(pair[0].session)["public"]["content"] or {}
        lines = content.get("lines") or []
        entry = lines[int(argument) - 1] if key == "pick" and int(argument) <= len(lines) else None
        if key == "pick" and (not isinstance(entry, dict) or entry.get("words") in UNPRESSED_ENTRIES):
            continue
        text = f"{remotes[0]['seen']} {key} {argument}".rstrip()
        assert send_request(pair[0], phone, "press", text) == send_request(pair[1], phone, "press", text), text
        assert pair[0].family == pair[1].family
        assert_same_for_others(pair, owner)
    for table in pair:
        table.session = table.session.show_base_screen()


def correct_piece(pair, owner: str, chance) -> bool:
    """Request the correction of a piece. Returns whether the tables are still alike.

    Once the round has a move, others have to agree, and everybody is told which move would become invalid. So
    corrections are left out about which the rules differ between the tables, and those of the owner that lead to
    different deals.
    """
    round_ = pair[0].session.round
    seat = chance.randint(1, len(round_.header.names))
    named = on_table.find_namings(round_, seat)
    if not named:
        return True
    each = chance.choice(named)
    grid = [piece for row in round_.move_input.piece_rows(each.word, round_.options) for piece in row]
    mend = CorrectPieceRequest(each.number, chance.randrange(len(each.pieces)), chance.choice(grid))
    name = round_.header.names[seat - 1]
    if (round_.events or name == owner) and len({correction_result(table, seat, mend) for table in pair}) > 1:
        return True
    before = [table.session.round.state for table in pair]
    answers = [send_request(table, hash_secret(phone_secret(name)), "mend", " ".join(map(str, mend))) for table in pair]
    if is_refused_at_one_table(pair, answers, before):
        return False
    assert answers[0] == answers[1]
    return True


def correction_result(table, seat: int, mend: CorrectPieceRequest) -> object:
    """What the rules make of a correction: the course of the round, or why it is refused."""
    try:
        naming, text = on_table.requested_correction(table.session.round, seat, mend)
        return forced_course(SimpleNamespace(session=round_actions.correct_pieces(table.session, naming.number, text)))
    except RefusedError as refused:
        return refused.code, refused.figure if refused.code == "mend" else ""


def refusal_code(table, seat: int, text: str) -> str:
    """The code of the refusal of an event, "" if it is valid."""
    round_ = table.session.round
    try:
        round_.game.play_move(round_.state, seat, round_.game.parse_move(text))
    except RefusedError as refused:
        return refused.code
    return ""


def begin_next_round(pair, chance) -> None:
    """Begin another round at both tables: seats swapped as in a match, players swapped by hand, or other players."""
    how = chance.choice(("next", "next", "again", "hand", "others"))
    header = pair[0].session.round.header
    names = list(header.names)
    chance.shuffle(names)
    for table in pair:
        session = table.session
        if how == "next":
            table.session = round_actions.begin_round(
                session._replace(previous_round=session.round), standings.next_round_header(session.round)
            )
        elif how == "again":
            menu_session = offer_same_round(session.clear_table(), header.game)
            table.session = menu_session.screen.press(menu_session, "#")
        else:
            if how == "others":
                others = [name for name in PLAYERS if name not in header.names]
                names[0] = others[0] if others else names[0]
            table.session = round_actions.begin_round(session.clear_table(), header._replace(names=tuple(names)))
        table.carry_out()


def open_holdings(game: str, players: int, sealed: bool, chance) -> tuple:
    """The open holdings of a round: with `sealed` one seat's hidden holding, else most of them."""
    every = [(kind, seat) for seat in range(1, players + 1) for kind in games.manifest_of(game).holdings]
    hidden = [each for each in every if each[0] == HIDDEN_HOLDINGS[game]]
    alone = chance.choice(hidden)
    return tuple(each for each in every if each == alone or (chance.random() < 0.8 and not (sealed and each in hidden)))


@pytest.mark.parametrize(
    ("sealed", "game"),
    first_cases_fast(len(HIDDEN_HOLDINGS), itertools.product([True, False], HIDDEN_HOLDINGS)),
    ids=lambda value: {True: "sealed", False: "open"}.get(value, value),
)
@settings(max_examples=example_count(5), phases=Phase if example_count(5) > 1 else [Phase.explicit])
@given(seed=st.integers(0, 2**32))
@example(seed=120906)
def test_no_byte_to_anybody_else_depends_on_what_a_player_hides(settings_of_all_games, table_class, game, sealed, seed):
    """With open and sealed hands, whatever is tried."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    names, opened = PLAYERS[:players], open_holdings(game, players, sealed, chance)
    header = RoundHeader(game, tuple(options.items()), names, goal=chance.choice((0, 3)), opened=opened)
    pair, hints = (
        [
            table_class(SessionSettings(PLAYERS, header, players_may_press=seed % 2 == 0), StoredHistory())
            for _ in range(2)
        ],
        chance.random() < 0.5,
    )
    for table in pair:
        table.wait(3)
        table.session = table.session._replace(
            phones=PhoneAccess(
                is_on=True,
                player_phones=tuple((hash_secret(phone_secret(name)), name) for name in PLAYERS),
                host=hash_secret(phone_secret(HOST)),
            ),
            switches=table.session.switches._replace(hints=hints),
        )
    for _ in range(example_count(3)):
        owner = deal_to_both(pair, chance)
        if forced_course(pair[0]) == forced_course(pair[1]):
            assert_same_for_others(pair, owner, with_pages=True)
        for _ in range(8):
            if forced_course(pair[0]) != forced_course(pair[1]):
                break
            draw = chance.random()
            assert_same_for_others(pair, owner, with_pages=draw < 0.1, with_host_pages=draw < 0.05)
            if not play_step(pair, owner, chance.choice(STEPS), chance):
                break
        begin_next_round(pair, chance)


def test_a_phone_shows_its_own_players_pieces(table_class):
    """The comparison above would find a leak: the owner's own page does differ."""
    pages_seen = []
    for own_pieces in ("A2345678", "JJQQKK99"):
        header = RoundHeader("coral-reef", (), ("Ben", "Ann"), opened=(("deal", 1), ("deal", 2)))
        header = header._replace(options=tuple(games.manifest_of("coral-reef").option_defaults.items()))
        table = table_class(SessionSettings((), header), StoredHistory())
        table.wait(3)
        table.session = table.session._replace(
            phones=PhoneAccess(
                is_on=True,
                player_phones=tuple((hash_secret(phone_secret(n)), n) for n in ("Ann", "Ben")),
                host=hash_secret(phone_secret(HOST)),
            )
        )
        for seat, text in ((1, "AA223344"), (2, own_pieces)):
            table.session = round_actions.enter_holding(table.session, "deal", seat, text)
        pages_seen.append(render_pages(table, "Cleo"))
        pages_seen[-1] |= render_host_pages(table, "Cleo")
    for page in pages_seen[0]:
        assert pages_seen[0][page] == pages_seen[1][page] or page.startswith("Ann's"), page
    assert pages_seen[0]["Ben's page"] == pages_seen[1]["Ben's page"]
    assert pages_seen[0]["Ann's page"] != pages_seen[1]["Ann's page"]


def test_a_board_shows_private_pieces_only_to_their_owner(table_class):
    """The owner's board does differ, so the comparison above looks at what would reveal something."""
    boards = []
    for own_pieces in ("A2345678", "JJQQKK99"):
        options = tuple(games.manifest_of("coral-reef").option_defaults.items())
        header = RoundHeader("coral-reef", options, ("Ben", "Ann"), opened=(("deal", 2),))
        table = table_class(SessionSettings((), header), StoredHistory())
        table.wait(3)
        table.session = round_actions.enter_holding(table.session, "deal", 2, own_pieces)
        boards.append([judge_draft(table.session, seat, "")["board"] for seat in (1, 2)])
    assert boards[0][0] == boards[1][0]
    assert boards[0][1]["svg"] == boards[1][1]["svg"]
    assert boards[0][1]["tray"]["svg"] != boards[1][1]["tray"]["svg"]
