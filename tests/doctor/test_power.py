"""What the firmware of a Pi tells of voltage and heat."""

import os

import pytest

from companion.doctor import examination


@pytest.mark.parametrize(
    ("word", "state", "words"),
    [
        (0x0, "ok", "Enough since the start"),
        (0x50005, "do", "too low just now"),
        (0x50000, "do", "too low since the start"),
        (0x80008, "do", "slowed down by heat"),
        (0x20002, "do", "slowed down by heat"),
        (0xE0000, "note", "too hot since the start"),
    ],
)
def test_the_word(word, state, words):
    """What is so now comes before what was, and voltage before heat."""
    found = examination.judge_voltage(word)
    assert (found.about, found.state) == ("voltage", state)
    assert words in found.text


def test_it_is_read_from_the_file(tmp_path, monkeypatch):
    """The kernel's file has the word in hexadecimal; the service may read it."""
    (tmp_path / "get_throttled").write_text("50005\n")
    monkeypatch.setattr(examination, "FILES", (str(tmp_path / "get_thr*"),))
    assert examination.read_firmware_word() == 0x50005


@pytest.mark.parametrize(("says", "word"), [("throttled=0x50000", 0x50000), ("VCHI initialization failed", None)])
def test_it_is_read_from_the_tool(tmp_path, monkeypatch, says, word):
    """Without the file vcgencmd is asked; what it cannot tell is not told."""
    tool = tmp_path / "vcgencmd"
    tool.write_text(f"#!/bin/sh\n[ $1 = get_throttled ] && echo '{says}'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(examination, "FILES", ())
    assert examination.read_firmware_word() == word


def test_other_computers_tell_nothing(monkeypatch):
    """Where there is neither, there is no finding."""
    monkeypatch.setattr(examination, "FILES", ())
    monkeypatch.setattr(examination.shutil, "which", lambda _: None)
    assert examination.check_voltage() is None
