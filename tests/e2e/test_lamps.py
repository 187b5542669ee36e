"""Lamps and buzzer at the real table: what its pins do while a round is played."""

from __future__ import annotations

import time

import pytest

from companion.games.twenty_seven.rules import RULES

LAMPS = {1: 17, 2: 27}
BUZZER = 18
LONG_SOUND_SECONDS = 0.3
"""Seconds from which on a sound is the long one of a refusal."""


SILENCE_SECONDS = 0.6
"""Seconds after which no further sound of the same signal follows."""
PATIENCE = 60.0


class OutputFile:
    """The file with the changes of lamps and buzzer; each read continues after the last one."""

    def __init__(self, box, is_busy) -> None:
        self.box = box
        self._is_busy = is_busy
        self.moments = box.folder / "moments"
        self.path = box.folder / "outputs"
        self.state: dict[int, int] = {}
        self._read = 0

    def sound_lengths(self) -> list[float]:
        """The length of each sound, up to the time when the program is at rest and all is quiet."""
        end = time.monotonic() + PATIENCE
        self.box.settled_picture()
        while self._on() or time.monotonic() - self._last() < SILENCE_SECONDS or self._is_busy(self.box.process.pid):
            assert time.monotonic() < end, "the buzzer never stops"
            time.sleep(0.02)
        begun, lengths = 0.0, []
        for pin, on, at in self._new():
            if pin == BUZZER and on:
                begun = at
            elif pin == BUZZER:
                lengths.append(at - begun)
        return lengths

    def lit_seats(self) -> list[int]:
        """The seats whose lamps are on."""
        list(self._new())
        return [seat for seat, pin in LAMPS.items() if self.state.get(pin)]

    def _on(self) -> bool:
        sounded = [line for line in self._lines(self.path) if line.startswith(f"{BUZZER} ")]
        return bool(sounded) and sounded[-1].endswith(" 1")

    def _last(self) -> float:
        return float((self._lines(self.moments) or ["0"])[-1])

    def _lines(self, path) -> list[str]:
        text = path.read_text() if path.exists() else ""
        return text[: text.rfind("\n") + 1].splitlines()

    def _new(self):
        changes = list(zip(self._lines(self.path), self._lines(self.moments), strict=False))
        for line, at in changes[self._read :]:
            pin, value = map(int, line.split())
            self.state[pin] = value
            yield pin, value, float(at)
        self._read = len(changes)


@pytest.fixture
def table(box, is_busy):
    """Starts a box with the breadboard's lamps and buzzer: `table("27", config=…)`; the box and its outputs."""

    def start(game: str, config: str = ""):
        made = box("--game", game, "--players", "Ann,Ben", config=config)
        outputs = OutputFile(made, is_busy)
        made.start()
        made.settled_picture()
        outputs.sound_lengths()
        return made, outputs

    return start


@pytest.mark.drill
def test_the_lamp_follows_the_turn_and_the_buzzer_sounds(table):
    """A move lights the other player's lamp with two short sounds; a refusal is one long sound and changes no lamp."""
    made, outputs = table("27")
    assert outputs.lit_seats() == [1]
    made.type_keys("13#")
    lengths = outputs.sound_lengths()
    assert len(lengths) == 2
    assert min(lengths) < LONG_SOUND_SECONDS  # On a busy machine one may be longer than it should be.
    assert outputs.lit_seats() == [2]
    made.type_keys("11#")
    (length,) = outputs.sound_lengths()
    assert length > LONG_SOUND_SECONDS
    assert outputs.lit_seats() == [2]
    made.type_keys("*")
    assert outputs.sound_lengths() == []
    assert made.stop() == 0
    assert outputs.lit_seats() == []


@pytest.mark.drill
def test_a_turn_that_goes_on(table):
    """One short sound says that something was accepted while the same seat stays to move."""
    made, outputs = table("coral-reef")
    accepted = []
    for seat, following in ((1, 2), (2, 1), (1, 2)):
        made.type_keys("0#")
        accepted += outputs.sound_lengths()
        assert outputs.lit_seats() == [seat]
        made.type_keys("0#")
        assert len(outputs.sound_lengths()) == 2
        assert outputs.lit_seats() == [following]
    assert len(accepted) == 3
    assert min(accepted) < LONG_SOUND_SECONDS


@pytest.mark.drill
def test_quiet(table):
    """With quiet = true the buzzer never sounds; the lamps go on as before."""
    made, outputs = table("27", "[lamps]\nquiet = true")
    made.type_keys("13#11#")
    assert outputs.sound_lengths() == []
    assert outputs.lit_seats() == [2]
    assert f"{BUZZER} 1" not in outputs.path.read_text()


@pytest.mark.drill
def test_the_round_is_over(table):
    """Three sounds end a round, and then it is nobody's turn."""
    made, outputs = table("27")
    state = RULES.initial_state(2, {"variant": "basic"}, {})
    while (seat := RULES.seat_to_move(state)) is not None:
        move = RULES.legal_moves(state)[-1]
        state = RULES.play_move(state, seat, move)
        made.type_keys(
            str(move).replace("x", "") + "#" + ("#" if RULES.skipped_seats(state) and RULES.seat_to_move(state) else "")
        )
    lengths = outputs.sound_lengths()
    assert len(lengths) >= 3
    assert lengths[-1] > LONG_SOUND_SECONDS > min(lengths[-3:-1])
    assert outputs.lit_seats() == []
