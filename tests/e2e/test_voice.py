"""The voice of the real program: espeak-ng and aplay speak beside the table, and without a card the table goes on."""

from __future__ import annotations

import shutil
import subprocess
import time

import pytest

pytestmark = pytest.mark.drill

PATIENCE = 60.0
CONFIG = '[sound]\nvoice = "everything"\n'
HAND = "57788991"
SILENT_CARD = "pcm.!default { type null }\n"


@pytest.fixture(autouse=True)
def tools():
    for tool in ("espeak-ng", "aplay"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.fixture
def alsa(tmp_path, monkeypatch):
    """ALSA's configuration, a file; a box has no card until something is written into it."""
    file = tmp_path / "asound.conf"
    file.write_text("")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(file))
    return file


def wait_for(is_so, what) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, what()
        time.sleep(0.02)


def test_a_hand_that_is_typed_is_heard_as_nothing_but_hidden(box, alsa, tmp_path):
    """There is sound, the record has the hand, and the log has neither a piece nor a word of what was said."""
    sound = tmp_path / "sound.wav"
    alsa.write_text(
        f'pcm.!default {{ type file slave.pcm nowhere file "{sound}" format wav }}\npcm.nowhere {{ type null }}\n'
    )
    table = box("--game", "coral-reef", "--players", "Ann,Ben", "--open", "1", config=CONFIG)
    table.start()
    table.type_keys("~".join(f"{HAND}#"))
    table.settled_picture()
    wait_for(lambda: sound.exists() and sound.stat().st_size > 10_000, lambda: table.log_text)
    assert "deal" in table.exported_record("--reveal")
    assert table.stop() == 0
    assert "hidden" not in table.log_text
    assert "sound" not in table.log_text
    assert not any(each in table.log_text for each in (HAND, " ".join(HAND)))


def test_without_a_card_the_table_goes_on_and_says_so_once(box, alsa, companion_command):
    """One sentence in the log; the doctor has it too; with a card it is heard without a restart."""
    table = box("--game", "27", "--players", "Ann,Ben", config=CONFIG)
    table.start()
    wait_for(lambda: "no sound: connect a loudspeaker" in table.log_text, lambda: table.log_text)
    table.type_keys("~#~1~2~#")
    table.settled_picture()
    assert "1: 1x2" in table.exported_record()
    assert table.log_text.count("no sound") == 1
    alsa.write_text(SILENT_CARD)
    table.type_keys("~1")
    wait_for(lambda: "sound is back" in table.log_text, lambda: table.log_text)
    assert table.stop() == 0


def test_the_doctor_says_a_sentence_or_what_is_missing(box, alsa, companion_command):
    table = box(config=CONFIG)
    command = [companion_command, "doctor", "--seconds", "0", "--config", table.folder / "config.toml"]
    command += ["--data", table.data]

    def findings() -> str:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, env=table.environment, check=False
        )
        return next(line for line in done.stdout.splitlines() if " sound " in line)

    assert findings().startswith("TO DO  sound     Connect a loudspeaker or an earphone (")
    alsa.write_text(SILENT_CARD)
    assert findings() == "ok     sound     The voice can be heard."
