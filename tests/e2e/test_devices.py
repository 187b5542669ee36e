"""Everything that devices do on a bad night to the real process: plugs, bounce, noise; and wake-ups on a good one.

A model, which is the session with the same keys, says what the panel must show; the store says what was saved.
"""

from __future__ import annotations

import os
import random
import time

import pytest
from goldens import panel_after_a_second
from PIL import ImageChops

from companion import display
from companion.config import Config
from companion.evening import double_taps, state_machine
from companion.evening.model import Session
from companion.evening.screens.play.playing import PlayScreen
from companion.inputs import KeyPressed, KeyReleased
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.store.read_only_store import ReadOnlyStore
from hardware.boards import resolve_wiring
from hardware.keypad import HOLD_SECONDS, KEYS_BY_BYTE, TEXT_SECONDS

BUTTON_PINS = {key: pins[0] for key, pins in resolve_wiring(Config()).keys.items()}
ARGUMENTS = ("--game", "27", "--players", "Ann,Ben")
HEADER = RoundHeader("27", (("variant", "basic"),), ("Ann", "Ben"))
PULLS = 100
PRESSES = 200
NOISE = 100_000
GROWTH_KIB = 2048
"""By how much memory may grow: SQLite's page cache and the pictures of words fill up gradually."""
PATIENCE = 60.0


class SessionModel:
    """The session that the process should be in; `plan` are keys that will be typed.

    `rounds` are the events of the rounds in which something has happened. Before a key that might be ignored as a
    double tap, the typist looks first: see `waits`.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = 1.0
        self.session = state_machine.start_session(SessionSettings((), HEADER), StoredHistory())
        self.rounds: dict[int, tuple] = {}
        self.plan: list[str] = []
        self._ahead = self.session

    def sessions_after(self, keys) -> list[Session]:
        """The session now, and after each of the keys."""
        found = [self.session]
        for key in keys:
            found.append(self._press(found[-1], key))
        return found

    def accept_session(self, session: Session) -> None:
        """Accept a session as the one that the process has reached."""
        self.session = session
        if session.round is not None and session.round.events:
            self.rounds[session.round.id] = session.round.events

    def keys_at_once(self, most: int) -> list[str]:
        """The planned keys that can be typed at once: up to the next that waits."""
        keys: list[str] = []
        for session, key in zip(self.sessions_after(self.plan[:most]), self.plan[:most], strict=False):
            if keys and is_ignored_at_first(session, key):
                break
            keys.append(key)
        return keys

    def plan_keys(self, least: int) -> None:
        """Plan at least so many keys: whole moves, notices closed, the next round after a result."""
        while len(self.plan) < least:
            for key in self._next():
                self._ahead = self._press(self._ahead, key)
                self.plan.append(key)

    def _next(self) -> str:
        session = self._ahead
        if isinstance(session.screen, PlayScreen):
            rules, state, entry = session.round.game, session.round.state, session.round.move_input
            field, pieces = (move := str(self.chance.choice(rules.legal_moves(state)))).split("x")
            # A single piece needs no number: with one the picture would be the same.
            return f"{field}#" if entry.draft_from_keys(state, field).event == move else f"{field}{pieces}#"
        return "#"

    def asks_a_worker(self, key: str) -> bool:
        """Whether a press makes the table ask coach, store or doctor, which the model cannot answer.

        Their libraries and tables take memory of their own, too.
        """
        now = self.now
        asked = self._update(self.session, key).outbox.requests
        self.now = now
        return asked != ()

    def _press(self, session: Session, key: str) -> Session:
        pressed = state_machine.clear_outbox(self._update(session, key))
        if key in ("ok", "up", "down", "left", "right"):
            pressed = state_machine.update_session(pressed, KeyReleased(key, self.now))
        return pressed._replace(pixel_shift=0)

    def _update(self, session: Session, key: str) -> Session:
        if is_ignored_at_first(session, key):
            session = state_machine.mark_shown(session, self.now)
            self.now += double_taps.DOUBLE_TAP_GUARD_SECONDS
        self.now += 0.01
        return state_machine.update_session(session, KeyPressed(key, self.now))


def is_ignored_at_first(session: Session, key: str) -> bool:
    """Whether a key is ignored while the picture is new, as the second tap of the press that led to it."""
    return double_taps.is_double_tap(session._replace(taps=session.taps._replace(shown_at=None)), key, session.now)


def look_first(box, session: Session, key: str) -> None:
    """Wait until a key counts: once the process is at rest, the picture has been handed to the panel."""
    if is_ignored_at_first(session, key):
        box.settled_picture()
        time.sleep(double_taps.DOUBLE_TAP_GUARD_SECONDS)


def possible_frames(session: Session) -> set[bytes]:
    """The pictures of a session, wherever the shift against burn-in has moved them.

    One is for a new picture, one for the time when any key counts, and one for later.
    """
    images = [display.session_picture(session), panel_after_a_second(session)]
    if isinstance(session.screen, PlayScreen) and not session.screen.typed_keys and session.screen.pick is None:
        images.append(display.session_picture(session.replace_screen(session.screen._replace(shows_help=True))))
    return {ImageChops.offset(image, shift, 0).tobytes() for image in images for shift in (-1, 0, 1)}


def stable_picture(box) -> bytes:
    """The panel's picture once it has not changed for a while."""
    return box.settled_picture().tobytes()


def session_on_panel(box, sessions_: list) -> Session:
    """The one of the possible sessions whose picture the panel shows."""
    pictures = [possible_frames(each) for each in sessions_]
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = stable_picture(box)
        found = [index for index, each in enumerate(pictures) if shown in each]
        if found:
            events = saved_events(box)
            same = [
                index for index in found if events.get(sessions_[index].round.id, ()) == sessions_[index].round.events
            ]
            assert same, "the panel shows one thing, and the disk has another"
            assert len(same) == 1, "two sessions look alike: this proves nothing"
            return sessions_[same[0]]
    box.panel_picture().save(box.folder / "unexpected.png")
    raise AssertionError(f"the panel shows what no part of the typed keys leads to: {box.folder}/unexpected.png")


def wait_for(so) -> None:
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


def saved_events(box) -> dict[int, tuple]:
    """The events of the rounds that are saved."""
    store = ReadOnlyStore(box.data)
    try:
        return {number: store.load_round(number).events for number in store.round_numbers()}
    finally:
        store.close()


def break_contact(box, model: SessionModel, number: int) -> None:
    """Let the panel fail, type some keys, and pull the keypad's plug in the middle of them and put it in again."""
    chance = model.chance
    model.plan_keys(8)
    keys = model.keys_at_once(chance.randint(1, 8))
    look_first(box, model.session, keys[0])
    away = number % 2 == 0
    backs = box.log_text.count("keypad is back")
    losses = box.log_text.count("panel unplugged")
    (box.folder / ("unplugged" if away else "disturbed")).touch()
    box.type_keys("".join(keys))
    # What has come by then may still be held: then none of it counts.
    time.sleep(chance.uniform(0.0, 3 * HOLD_SECONDS))
    box.disconnect_keypad()
    time.sleep(chance.uniform(0.0, 0.02))
    box.connect_keypad()
    if away:
        wait_for(lambda: box.log_text.count("panel unplugged") > losses)
        (box.folder / "unplugged").unlink()
        wait_for(lambda: box.log_text.count("panel is back") > losses)
    wait_for(lambda: box.log_text.count("keypad is back") > backs)
    candidates = model.sessions_after(keys)
    found = session_on_panel(box, candidates)
    model.accept_session(found)
    taken = candidates.index(found)
    del model.plan[:taken]
    for each in candidates[1 : taken + 1]:
        model.accept_session(each)


def pick_with_bounce(box, model: SessionModel, presses: int) -> int:
    """Pick with buttons that bounce. Returns the number of edges."""
    count = 0
    # Opened once: between two openings the other end may just be closing.
    before = box.button_taps()
    with (box.folder / "pins").open("w", buffering=1) as fingers:
        for number in range(presses):
            key = model.chance.choice(
                [key for key in ("up", "down", "left", "right", "ok") if not model.asks_a_worker(key)]
            )
            look_first(box, model.session, key)
            bounces = model.chance.randint(2, 15), model.chance.randint(2, 15)
            fingers.write(f"{BUTTON_PINS[key]} tap {bounces[0]} {bounces[1]}\n")
            model.accept_session(model.sessions_after([key])[-1])
            count += 2 + 2 * sum(bounces)
            wait_for(lambda taps=before + number + 1: box.button_taps() == taps)
    return count


@pytest.mark.drill
def test_a_bad_night(box, tmp_path):
    """Plugs pulled a hundred times, bounce, noise: exactly what was shown is saved, and memory stays flat."""
    os.mkfifo(tmp_path / "pins")
    table = box(*ARGUMENTS)
    model = SessionModel(random.Random(5))
    begun = time.monotonic()
    table.start()
    pulled = 0
    while pulled < 10 or len(model.rounds) < 2:  # The first result brings the library of the ratings in.
        break_contact(table, model, pulled)
        pulled += 1
    before = table.resident_kib()
    for number in range(pulled, PULLS):
        break_contact(table, model, number)
    assert table.log_text.count("keypad is back") == PULLS
    assert table.log_text.count("panel is back") == table.log_text.count("panel unplugged") == PULLS // 2
    assert saved_events(table) == model.rounds
    print(
        f"\n{PULLS} pulls of the keypad and {PULLS} failures of the panel: {time.monotonic() - begun:.0f} s, ", end=""
    )
    print(f"{sum(map(len, model.rounds.values()))} events, memory {before} KiB before, {table.resident_kib()} after")
    check_noise(table, model)
    check_bounce(table, model)
    after = table.resident_kib()
    assert table.process.poll() is None
    assert after - before < GROWTH_KIB, f"{before} KiB before, {after} after"
    send_anything(table)
    print(f"in the end {table.resident_kib()} KiB, {time.monotonic() - begun:.0f} s in all")
    assert table.stop() == 0
    assert "Traceback" not in table.log_text


def check_noise(table, model: SessionModel) -> None:
    """Bytes that are no keys enter nothing, and the keys after them count."""
    junk = bytes(set(range(256)) - set(KEYS_BY_BYTE))
    losses = table.log_text.count(" sends ")
    table.send_bytes(bytes(model.chance.choices(junk, k=NOISE)))
    wait_for(lambda: table.log_text.count(" sends ") > losses)
    stable_picture(table)
    time.sleep(2 * TEXT_SECONDS)
    model.plan_keys(3)
    keys = model.keys_at_once(3)
    look_first(table, model.session, keys[0])
    table.type_keys("".join(keys))
    candidates = model.sessions_after(keys)
    wait_for(lambda: stable_picture(table) in possible_frames(candidates[-1]))
    for each in candidates:
        model.accept_session(each)
    del model.plan[: len(keys)]
    assert saved_events(table) == model.rounds
    print(f"{NOISE} bytes of noise: nothing; memory {table.resident_kib()} KiB")


def check_bounce(table, model: SessionModel) -> None:
    """Each bouncing press is one press, and the picture and the events are those of the presses."""
    count = pick_with_bounce(table, model, PRESSES)
    wait_for(lambda: stable_picture(table) in possible_frames(model.session))
    assert saved_events(table) == model.rounds
    print(f"{PRESSES} presses with {count} edges: each counted once; memory {table.resident_kib()} KiB")


def send_anything(table) -> None:
    """Random bytes with keys among them may do whatever keys do: the process lives, and every round replays."""
    table.send_bytes(random.Random(6).randbytes(NOISE))
    table.send_bytes(b"*")
    stable_picture(table)
    assert table.process.poll() is None
    for number in saved_events(table):
        record = table.folder / f"{number}.tcr"
        record.write_text(table.exported_record(str(number), "--reveal"))
        assert table.is_valid_record(record), number
    print(f"{NOISE} random bytes: {len(saved_events(table))} rounds, each replays; memory {table.resident_kib()} KiB")


@pytest.mark.drill
def test_an_idle_table_sleeps(box, tmp_path, monkeypatch):
    """With the unit's watchdog, panel, buttons and keypad, ten seconds cost at most five context switches."""
    os.mkfifo(tmp_path / "pins")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    table = box(*ARGUMENTS)
    table.start()
    table.press_buttons("right", "ok")
    table.type_keys("13")
    table.settled_picture()
    for _ in range(6):  # The light goes down after a minute, and a busy machine may begin late.
        time.sleep(3)
        before = table.context_switches()
        time.sleep(10)
        after = table.context_switches()
        spent = {name: sum(counts) - sum(before[name]) for name, counts in after.items()}
        print(f"\n{sum(spent.values())} context switches in ten seconds: {spent}")
        if sum(spent.values()) <= 5:
            return
    pytest.fail(f"it never sleeps: {spent}")
