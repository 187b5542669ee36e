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
from asked import Browser
from examples import examples, fast_first
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from of_game import of_game

from companion import games
from companion.club.messages import StateMessage, encode_message
from companion.display.replay import PANELS
from companion.evening.fields import PhoneAccess
from companion.evening.screens.main_menu import offer_same_round
from companion.evening.screens.messages import Confirmation, Notice, Refusing
from companion.evening.screens.phones import pairing, requests
from companion.evening.screens.phones.phones_page import Letting
from companion.evening.screens.play import round_life
from companion.evening.screens.play.playing import Playing
from companion.games.api import RefusedError
from companion.inputs import CorrectPieceRequest
from companion.rounds import on_table, standings
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store
from companion.table.host import UnanswerableError, answer_question
from companion.table.phone_view import client_snapshot, judge_draft
from companion.table.workers import public_snapshot
from companion.web.app import web_application
from companion.web.clients import PHONE_COOKIE, hash_secret
from companion.web.player_pages import PlayerPages
from companion.web.table_client import TableClient

HIDDEN = {game: of_game(game).HIDDEN for game in games.built_in_game_ids() if of_game(game).HIDDEN}
"""Game → its hidden holding."""
PLAYERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
HOST = "the host"
NOT_PRESSED = ("What decided it?", "False claims", "Leave the round", "Main menu")
"""Entries of menus that are not compared: once a round is over, they may reveal everything."""
ELSEWHERE = "These pieces clash with those of the others. Everyone, please check again."
"""The refusal of pieces that are impossible only because of what others hide."""
ALOUD = (("named pieces", "that others hold"), ("played pieces", "that others hold"))
"""What everybody is told then, below the player's name."""
KEYS = ("", "1", "12", "0", "07", "A3", "C12", "3344B", "634")
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

    def __init__(self, desk, folder: Path) -> None:
        super().__init__(Path("/nowhere"))
        self.desk = desk
        self.folder = folder

    async def send_request(self, phone: str, kind: str, text: str = "") -> dict:
        seat = pairing.phone_seat(self.desk.session, phone)
        if kind in ("history", "round", "names", "report"):
            try:
                return {"found": answer_question(self.folder, kind, text, PANELS)}
            except UnanswerableError as why:
                return {"refusal": str(why)}
        if kind == "judge":
            return {"draft": judge_draft(self.desk.session, seat, text) if seat else None}
        if kind == "could":
            return {"words": list(requests.could_move_lines(self.desk.session, phone))}
        return {"refusal": request(self.desk, phone, kind, text)}


def stored(desk, folder: Path) -> None:
    """Save the rounds as the table does, with all pieces."""
    store = Store(folder, now=lambda: datetime(2026, 11, 21, 20, tzinfo=UTC))
    store.write_entries(desk.kept)
    store.close()


def request(desk, phone: str, what: str, text: str = "") -> str:
    """Send a request from a phone. Returns the refusal, "" if it was granted."""
    return desk.request(phone, what, text)


def secret_of(name: str) -> str:
    return f"the secret of {name}'s phone"


def sent(desk, owner: str) -> dict[str, object]:
    """What everybody but the owner of the secret is sent, as data: all that the pages are made of."""
    words = json.loads(json.dumps(client_snapshot(desk.session)))
    words["seats"].pop(owner, None)
    words["the public socket"] = json.dumps(public_snapshot(desk.session))
    words["the hall"] = encode_message(StateMessage("a store", True, public=words["public"]))
    for name in PLAYERS:
        if name != owner and (seat := pairing.player_seat(desk.session, name)):
            drafts = [judge_draft(desk.session, seat, keys) for keys in KEYS]
            words[f"{name}'s drafts"] = drafts
            words[f"{name}'s taps"] = [judge_draft(desk.session, seat, keys) for keys in tapped(drafts[0])]
            words[f"{name}'s referee"] = requests.could_move_lines(desk.session, hash_secret(secret_of(name)))
    return words


def tapped(draft: dict) -> list[str]:
    """Some of what can be tapped on a board, as the keys of the draft then; impossible ones too."""
    taps = draft["board"]["taps"] if draft["board"] else []
    return [tap["keys"] for tap in taps[:: max(1, len(taps) // 3)]]


HOME = "http://192.168.1.20:8027"


def served(desk, folder: Path = Path("/nowhere")) -> Pages:
    """A table as the pages know it, whose rounds are stored in `folder`."""
    table = Pages(desk, folder)
    words = json.loads(json.dumps(client_snapshot(desk.session)))
    table.public, table.phones, table.seats = words["public"], words["phones"], words["seats"]
    table.names, table.host, table.remote, table.news = (words[each] for each in ("names", "host", "remote", "news"))
    return table


def browsed(desk, folder: Path = Path("/nowhere")) -> Browser:
    """A browser with the pages of that table."""
    return Browser(web_application(served(desk, folder)), HOME, ("192.168.1.7", 5000))


def whole(response) -> tuple[bytes, list[tuple[str, str]]]:
    """A response with its headers; among them is its compressed length."""
    return response.content, sorted(response.headers.items())


def pages(desk, owner: str) -> dict[str, object]:
    """The pages of everybody but the owner of the secret, to the byte, and when they are rendered again."""
    moments = PlayerPages(served(desk), lambda *_, **__: "")
    with browsed(desk) as browser:
        found: dict[str, object] = {"screen": whole(browser.get("/"))}
        for name in (*PLAYERS, "nobody"):
            if name == owner:
                continue
            browser.cookies = {PHONE_COOKIE: secret_of(name)}
            found[f"{name}'s moment"] = moments.draft_version(hash_secret(secret_of(name)))
            found[f"{name}'s page"] = whole(browser.get("/seat"))
            seat = pairing.player_seat(desk.session, name)
            asked = [("judge", {"keys": KEYS[1]})]
            if seat:
                asked += [("words", {"what": "could"}), ("mend", {})]
                asked += [("judge", {"keys": keys}) for keys in tapped(judge_draft(desk.session, seat, ""))]
            for what, form in asked:
                answered = browser.post(f"/seat/{what}", data=form, headers={"origin": HOME})
                assert answered.status_code == 200
                found[f"{name}'s {what} {form}"] = whole(answered)
    return found


def hosts_pages(desk, owner: str) -> dict[str, object]:
    """The pages of the host's phone, to the byte, with everything that is stored."""
    numbers = sorted({line.round for line in desk.kept if line.round})
    paths = [
        "",
        "/history",
        "/names",
        "/pad",
        "/report?day=2026-11-21",
        *(f"/round/{each}?move=99" for each in numbers),
    ]
    with tempfile.TemporaryDirectory() as folder:
        stored(desk, Path(folder))
        with browsed(desk, Path(folder)) as browser:
            browser.cookies = {PHONE_COOKIE: secret_of(HOST)}
            found = {f"the host's {path}": browser.get(f"/host{path}") for path in paths}
    assert all("These pages are for the host" not in page.text for page in found.values())
    return {path: whole(page) for path, page in found.items()}


def same(pair, owner: str, *, rendered: bool = False, stored_too: bool = False) -> None:
    """Assert that nobody but the owner of the secret is sent anything that differs."""
    for tell in (sent, pages, hosts_pages) if rendered and stored_too else (sent, pages) if rendered else (sent,):
        one, two = (tell(desk, owner) for desk in pair)
        for role, words in one.items():
            assert words == two[role], role


def public_course(desk) -> object:
    """What the rules force the referee to say: who is to move, was skipped, must draw, could have moved."""
    round_ = desk.session.round
    if round_ is None or round_.missing_holdings:
        return None
    could = round_.game.find_legal_move(round_.state) is not None
    return round_.turn, round_.game.skipped_seats(round_.state), round_.move_input.must_draw(round_.state), could, round_.is_over


def deal_both(pair, chance) -> str:
    """Deal a round to both tables, alike but for one hidden holding. Returns its owner, "" for nobody."""
    round_ = pair[0].session.round
    rules, kind, options = round_.game, HIDDEN[round_.header.game], round_.options
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
        if chance.random() < 0.3 and misnamed(pair, owner, key, chance):
            return owner
        for desk, each in zip(pair, deals, strict=True):
            text = rules.format_deal(each[key])
            if by_phone:
                assert request(desk, hash_secret(secret_of(names[key[1] - 1])), "deal", f"{key[0]} {text}") == ""
            else:
                desk.session = round_life.enter_holding(desk.session, *key, text)
                desk.carry_out()
        if public_course(pair[0]) != public_course(pair[1]):
            return owner
        same(pair, owner)
    return owner


def misnamed(pair, owner: str, key: tuple[str, int], chance) -> bool:
    """Submit a hand that may be impossible from a phone. Returns whether it is accepted, or the tables now differ."""
    kind, seat = key
    round_ = pair[0].session.round
    grid = [piece for row in round_.move_input.grid_word(kind, round_.options) for piece in row]
    size = round_.game.holding_size(kind, len(round_.header.names), round_.options)
    pieces = " ".join(chance.choice(grid) for _ in range(chance.choice((size, size, size - 1))))
    name = round_.header.names[seat - 1]
    before = [desk.session.round.state for desk in pair]
    answers = [request(desk, hash_secret(secret_of(name)), "deal", f"{kind} {pieces}") for desk in pair]
    if elsewhere(pair, answers, before):
        return True
    assert answers[0] == answers[1]
    if public_course(pair[0]) != public_course(pair[1]):
        return True  # The hand is accepted, and now the rules say who must draw.
    same(pair, owner)
    return key not in pair[0].session.round.missing_holdings


def elsewhere(pair, answers, before) -> bool:
    """Whether a piece was refused at one table alone, because somebody else holds it there.

    This is the one case in which the tables may differ. The refusal has the same words for all pieces, everybody is
    told, so that nobody can try this unseen, and nothing has changed.
    """
    told = [answer == ELSEWHERE for answer in answers]
    for desk, here, state in zip(pair, told, before, strict=True):
        if not here:
            continue
        notice = desk.session.screen
        assert isinstance(notice, Notice)
        assert (notice.message_lines, notice.next_line) in [(lines, "Everyone, check your pieces") for lines in ALOUD]
        assert client_snapshot(desk.session)["public"]["notice"] == [notice.heading, *notice.message_lines, notice.next_line]
        assert desk.session.round.state == state
    return told[0] != told[1]


def guessed(pair, owner: str, seat: int, chance) -> bool:
    """Send moves that may be impossible from the phone of the seat to move.

    Returns whether the tables are still alike.
    """
    round_ = pair[0].session.round
    mine = round_.header.names[seat - 1] == owner
    phone = hash_secret(secret_of(round_.header.names[seat - 1]))
    for _ in range(4):
        if pair[0].session.round.turn != seat:
            break
        text = of_game(round_.header.game).probe(chance)
        if not mine:
            typed = round_.move_input.keys_for_event(text)
            drafts = [[judge_draft(desk.session, seat, typed[:end]) for end in range(len(typed) + 1)] for desk in pair]
            assert drafts[0] == drafts[1], typed
        elif ("" in (said := [ruling(desk, seat, text) for desk in pair])) and said[0] != said[1]:
            continue  # The owner can play this move at one table alone.
        before = [desk.session.round.state for desk in pair]
        answers = [request(desk, phone, "play", text) for desk in pair]
        if elsewhere(pair, answers, before):
            return False
        assert mine or answers[0] == answers[1], text
        if public_course(pair[0]) != public_course(pair[1]):
            return False  # The move was possible, and now the rules say who must draw.
        same(pair, owner)
    return True


def step(pair, owner: str, what: str, chance) -> bool:
    """Play one step at both tables. Returns whether they are still alike and the round can go on."""
    one = pair[0].session
    round_ = one.round
    seat = round_.turn
    if isinstance(one.screen, Confirmation | Letting):
        key = chance.choice("##*")
        for desk in pair:
            desk.press(key)
        return True
    if isinstance(one.screen, Notice | Refusing):
        for desk in pair:
            desk.press("#")
        return True
    if what == "sit":
        phone, name = chance.choice(PLAYERS), chance.choice(round_.header.names)
        if phone not in (owner, name) and name != owner:  # If the box agreed, the phone would get the owner's pages.
            assert request(pair[0], hash_secret(secret_of(phone)), "sit", name) == request(
                pair[1], hash_secret(secret_of(phone)), "sit", name
            )
            for desk in pair:
                desk.press("*")
                desk.wait(pairing.LOCKED_SECONDS + 1)
        return True
    if what == "press":
        presses(pair, owner, chance)
        return True
    if what in ("back", "agree"):
        phone = hash_secret(secret_of(chance.choice(round_.header.names)))
        assert request(pair[0], phone, what) == request(pair[1], phone, what)
        return True
    if what == "mend":
        return mend(pair, owner, chance)
    if seat is None or not isinstance(one.screen, Playing):
        return True
    phone = hash_secret(secret_of(round_.header.names[seat - 1]))
    if what == "guess":
        return guessed(pair, owner, seat, chance)
    moves = [{str(move) for move in desk.session.round.game.legal_moves(desk.session.round.state)} for desk in pair]
    both = sorted(text for text in moves[0] & moves[1] if all(ruling(desk, seat, text) == "" for desk in pair))
    if not both:
        return True
    text = chance.choice(both)
    for desk in pair:
        if what == "typed":
            desk.session = round_life.play_event(desk.session, text)
            desk.carry_out()
        else:
            assert request(desk, phone, "play", text) == ""
    return True


def presses(pair, owner: str, chance) -> None:
    """Press up to three keys of the box from the host's phone or a player's, among them keys that it may not press.

    The question what decided the round is not asked: its answer may reveal everything, once the round is over.
    """
    for _ in range(3):
        if pair[0].session.round.is_over:
            break
        told = [client_snapshot(desk.session)["remote"] for desk in pair]
        assert told[0] == told[1]
        phone = hash_secret(secret_of(chance.choice((HOST, HOST, *PLAYERS))))
        key = chance.choice((*told[0]["keys"], "ok", "back", "close", "pick"))
        said = {"pick": str(chance.randint(1, 14)), "type": "Zoe"}.get(key, "")
        content = client_snapshot(pair[0].session)["public"]["content"] or {}
        lines = content.get("lines") or []
        entry = lines[int(said) - 1] if key == "pick" and int(said) <= len(lines) else None
        if key == "pick" and (not isinstance(entry, dict) or entry.get("words") in NOT_PRESSED):
            continue
        text = f"{told[0]['seen']} {key} {said}".rstrip()
        assert request(pair[0], phone, "press", text) == request(pair[1], phone, "press", text), text
        assert pair[0].family == pair[1].family
        same(pair, owner)
    for desk in pair:
        desk.session = desk.session.show_base_screen()


def mend(pair, owner: str, chance) -> bool:
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
    grid = [piece for row in round_.entry.grid(each.word, round_.options) for piece in row]
    mend = CorrectPieceRequest(each.place, chance.randrange(len(each.pieces)), chance.choice(grid))
    name = round_.header.names[seat - 1]
    if (round_.events or name == owner) and len({mended(desk, seat, mend) for desk in pair}) > 1:
        return True
    before = [desk.session.round.state for desk in pair]
    answers = [request(desk, hash_secret(secret_of(name)), "mend", " ".join(map(str, mend))) for desk in pair]
    if elsewhere(pair, answers, before):
        return False
    assert answers[0] == answers[1]
    return True


def mended(desk, seat: int, mend: CorrectPieceRequest) -> object:
    """What the rules make of a correction: the course of the round, or why it is refused."""
    try:
        naming, text = on_table.requested_correction(desk.session.round, seat, mend)
        return public_course(SimpleNamespace(session=round_life.correct_pieces(desk.session, naming.number, text)))
    except RefusedError as refused:
        return refused.code, refused.figure if refused.code == "mend" else ""


def ruling(desk, seat: int, text: str) -> str:
    """The code of the refusal of an event, "" if it is valid."""
    round_ = desk.session.round
    try:
        round_.game.play_move(round_.state, seat, round_.game.parse_move(text))
    except RefusedError as refused:
        return refused.code
    return ""


def next_round(pair, chance) -> None:
    """Begin another round at both tables: seats swapped as in a match, players swapped by hand, or other players."""
    how = chance.choice(("next", "next", "again", "hand", "others"))
    header = pair[0].session.round.header
    names = list(header.names)
    chance.shuffle(names)
    for desk in pair:
        session = desk.session
        if how == "next":
            desk.session = round_life.begin_round(
                session._replace(previous_round=session.round), standings.next_round_header(session.round)
            )
        elif how == "again":
            told = offer_same_round(session.clear_table(), header.game)
            desk.session = told.screen.press(told, "#")
        else:
            if how == "others":
                others = [name for name in PLAYERS if name not in header.names]
                names[0] = others[0] if others else names[0]
            desk.session = round_life.begin_round(session.clear_table(), header._replace(names=tuple(names)))
        desk.carry_out()


def holdings_open(game: str, players: int, sealed: bool, chance) -> tuple:
    """The open holdings of a round: with `sealed` one seat's hidden holding, else most of them."""
    every = [(kind, seat) for seat in range(1, players + 1) for kind in games.manifest_of(game).holdings]
    hidden = [each for each in every if each[0] == HIDDEN[game]]
    alone = chance.choice(hidden)
    return tuple(each for each in every if each == alone or (chance.random() < 0.8 and not (sealed and each in hidden)))


@pytest.mark.parametrize(
    ("sealed", "game"),
    fast_first(len(HIDDEN), itertools.product([True, False], HIDDEN)),
    ids=lambda value: {True: "sealed", False: "open"}.get(value, value),
)
@settings(max_examples=examples(5), phases=Phase if examples(5) > 1 else [Phase.explicit])
@given(seed=st.integers(0, 2**32))
@example(seed=120906)
def test_no_byte_to_anybody_else_depends_on_what_a_player_hides(settings_of_all_games, desk_class, game, sealed, seed):
    """With open and sealed hands, whatever is tried."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    names, opened = PLAYERS[:players], holdings_open(game, players, sealed, chance)
    header = RoundHeader(game, tuple(options.items()), names, goal=chance.choice((0, 3)), opened=opened)
    pair, hints = (
        [desk_class(SessionSettings(PLAYERS, header, players_may_press=seed % 2 == 0), StoredHistory()) for _ in range(2)],
        chance.random() < 0.5,
    )
    for desk in pair:
        desk.wait(3)
        desk.session = desk.session._replace(
            phones=PhoneAccess(
                is_on=True, player_phones=tuple((hash_secret(secret_of(name)), name) for name in PLAYERS), host=hash_secret(secret_of(HOST))
            ),
            switches=desk.session.switches._replace(hints=hints),
        )
    for _ in range(examples(3)):
        owner = deal_both(pair, chance)
        if public_course(pair[0]) == public_course(pair[1]):
            same(pair, owner, rendered=True)
        for _ in range(8):
            if public_course(pair[0]) != public_course(pair[1]):
                break
            looked = chance.random()
            same(pair, owner, rendered=looked < 0.1, stored_too=looked < 0.05)
            if not step(pair, owner, chance.choice(STEPS), chance):
                break
        next_round(pair, chance)


def test_a_phone_does_get_its_own_players_pieces(desk_class):
    """The comparison above would find a leak: the owner's own page does differ."""
    seen = []
    for mine in ("A2345678", "JJQQKK99"):
        header = RoundHeader("coral-reef", (), ("Ben", "Ann"), opened=(("deal", 1), ("deal", 2)))
        header = header._replace(options=tuple(games.manifest_of("coral-reef").option_defaults.items()))
        desk = desk_class(SessionSettings((), header), StoredHistory())
        desk.wait(3)
        desk.session = desk.session._replace(
            phones=PhoneAccess(
                is_on=True, player_phones=tuple((hash_secret(secret_of(n)), n) for n in ("Ann", "Ben")), host=hash_secret(secret_of(HOST))
            )
        )
        for seat, text in ((1, "AA223344"), (2, mine)):
            desk.session = round_life.enter_holding(desk.session, "deal", seat, text)
        seen.append(pages(desk, "Cleo"))
        seen[-1] |= hosts_pages(desk, "Cleo")
    for page in seen[0]:
        assert seen[0][page] == seen[1][page] or page.startswith("Ann's"), page
    assert seen[0]["Ben's page"] == seen[1]["Ben's page"]
    assert seen[0]["Ann's page"] != seen[1]["Ann's page"]


def test_a_board_shows_its_own_player_alone_what_the_player_holds(desk_class):
    """The owner's board does differ, so the comparison above looks at what would reveal something."""
    boards = []
    for mine in ("A2345678", "JJQQKK99"):
        options = tuple(games.manifest_of("coral-reef").option_defaults.items())
        header = RoundHeader("coral-reef", options, ("Ben", "Ann"), opened=(("deal", 2),))
        desk = desk_class(SessionSettings((), header), StoredHistory())
        desk.wait(3)
        desk.session = round_life.enter_holding(desk.session, "deal", 2, mine)
        boards.append([judge_draft(desk.session, seat, "")["board"] for seat in (1, 2)])
    assert boards[0][0] == boards[1][0]
    assert boards[0][1]["svg"] != boards[1][1]["svg"]
