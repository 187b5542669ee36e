"""The loudspeaker: what espeak-ng and aplay really do, to a file instead of a sound card, and without any card.

ALSA's own configuration chooses the file: its plugins ``file`` and ``null`` stand where a card would be.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time

import pytest

from companion.inputs import DeviceMissing, DeviceReturned
from hardware.speaker import Speaker, Utterance

SENTENCES = {
    "en": "Ann moved 2 from 3 to 5. Ben's turn. Enter: play.",
    "de": "Ann zog 2 von 3 auf 5. Ben ist dran. Enter: legen.",
    "es": "Ann movió 2 de 3 a 5. Turno de Ben. Intro: jugar.",
    "fr": "Ann a déplacé 2 de 3 vers 5. À Ben de jouer. Entrée : jouer.",
}
LONG = "One, two, three, four, five, six, seven, eight, nine, ten. " * 20
PATIENCE = 30.0
SILENCE_SECONDS = 0.05
"""After a key the voice is silent within this time."""


@pytest.fixture
def sound_file(tmp_path, monkeypatch):
    """The file to which ALSA plays; `speed` of a card is kept by none, so that nobody waits for an utterance."""
    for tool in ("espeak-ng", "aplay", "sox"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    file = tmp_path / "sound.wav"
    settings = tmp_path / "asound.conf"
    settings.write_text(
        f'pcm.!default {{ type file slave.pcm nowhere file "{file}" format wav }}\npcm.nowhere {{ type null }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(settings))
    return file


def measured(file) -> dict[str, float]:
    """What sox measures of a sound: its length in seconds, its largest amplitude and its loudness (RMS), 0 to 1."""
    said = subprocess.run(["sox", file, "-n", "stat"], capture_output=True, text=True, timeout=PATIENCE, check=True)
    found = (line.split(":") for line in said.stderr.splitlines() if ":" in line)
    return {" ".join(name.split()): float(value) for name, value in found if value.strip().replace(".", "").isdigit()}


@pytest.mark.parametrize("language", list(SENTENCES))
@pytest.mark.parametrize("loudness", [40, 100, 200])
def test_a_sentence_is_heard_in_each_language(sound_file, language, loudness):
    """Neither silent nor clipped, for each level that the settings offer."""
    speaker = Speaker(print)
    assert speaker.speak(Utterance(SENTENCES[language], language, loudness=loudness)) == ""
    sound = measured(sound_file)
    assert 1.5 < sound["Length (seconds)"] < 8
    assert sound["RMS amplitude"] > 0.01 * loudness / 100
    assert sound["Maximum amplitude"] < 1.0


@pytest.mark.parametrize(("speed", "least", "most"), [(110, 3.5, 9.0), (280, 1.0, 3.0)])
def test_speed_is_in_words_a_minute(sound_file, speed, least, most):
    assert Speaker(print).speak(Utterance(SENTENCES["en"], "en", speed)) == ""
    assert least < measured(sound_file)["Length (seconds)"] < most


@pytest.mark.busy
def test_a_key_silences_at_once(sound_file, wait_for):
    """The processes are gone, and what was still to be said is forgotten; then it speaks again."""
    slow = sound_file.with_name("asound.conf")
    slow.write_text("pcm.!default { type null }\nctl.!default { type null }\n")
    reports: list = []
    speaker = Speaker(reports.append, output="default")
    # A player that never ends, as a card does that plays in real time: only a kill ends it.
    hanging = sound_file.with_name("aplay")
    hanging.write_text("#!/bin/sh\nexec sleep 600\n")
    hanging.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{sound_file.parent}:/usr/bin:/bin")
        speaker.speak_words(LONG, "en", 170, 100)
        speaker.speak_words("never heard", "en", 170, 100)
        wait_for(lambda: speaker._processes)
        processes = speaker._processes
        begun = time.monotonic()
        speaker.silence()
        for process in processes:
            process.wait(PATIENCE)
        assert time.monotonic() - begun < SILENCE_SECONDS * 4  # The machine may be busy.
    wait_for(lambda: not speaker._processes)
    assert not speaker._waiting
    speaker.close()
    assert reports == []


def test_without_a_card_there_is_one_sentence_until_it_is_back(tmp_path, monkeypatch, wait_for):
    """Once, however often something was to be said; and one more when it can be heard again."""
    for tool in ("espeak-ng", "aplay"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    settings = tmp_path / "asound.conf"
    settings.write_text("")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(settings))
    reports: list = []
    heard = threading.Event()

    def put(input_) -> None:
        reports.append(input_)
        heard.set()

    speaker = Speaker(put)
    for _ in range(3):
        speaker.speak_words("Ben's turn", "en", 170, 100)
    assert heard.wait(PATIENCE)
    (missing,) = (each for each in reports if isinstance(each, DeviceMissing))
    assert missing.device == "sound"
    assert "connect a loudspeaker or an earphone" in missing.reason
    wait_for(lambda: not speaker._waiting and not speaker._processes)
    settings.write_text("pcm.!default { type null }\n")
    speaker.speak_words("Ben's turn", "en", 170, 100)
    wait_for(lambda: isinstance(reports[-1], DeviceReturned))
    assert len(reports) == 2
    speaker.close()


def test_without_the_programs_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    fault = Speaker(print).speak(Utterance("Ben's turn"))
    assert "install espeak-ng and alsa-utils" in fault


def test_words_are_no_argument_that_others_could_read(sound_file, monkeypatch):
    """Hidden pieces may be among them, and arguments of a process are public."""
    started: list = []
    begin = subprocess.Popen

    def noting(command, *rest, **named):
        started.append(command)
        return begin(command, *rest, **named)

    monkeypatch.setattr(subprocess, "Popen", noting)
    assert Speaker(print).speak(Utterance("queen of hearts")) == ""
    assert [command[0] for command in started] == ["aplay", "espeak-ng"]
    assert not any("queen" in part for command in started for part in command)
