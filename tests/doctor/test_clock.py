"""The wall clock, beside the newest round."""

import ctypes
from datetime import UTC, datetime

import pytest

from companion.doctor import examination

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "newest", "by_network", "state", "words"),
    [
        (NOW, "", True, "ok", "2026-11-21 19:30, set by the network."),
        (NOW, "2026-11-21T20:00:00+01:00", True, "ok", "set by the network"),
        (NOW, "2026-11-21T19:30:40+00:00", True, "ok", "set by the network"),
        (NOW, "no date", False, "note", "not set by the network; only the dates"),
        (NOW, "", None, "note", "cannot be told; only the dates"),
        (datetime(1970, 1, 1, 0, 1, tzinfo=UTC), "", None, "do", "It says 1970-01-01 00:01, which is past"),
        (NOW, "2026-12-24T20:00:00+00:00", True, "do", "but the newest round began on"),
    ],
)
def test_clock(now, newest, by_network, state, words):
    """A year that is past and a time before the newest round are to be mended; an unset clock is only to be known."""
    found = examination.check_clock(newest, now, by_network)
    assert found.state == state
    assert words in found.text


def test_the_kernel_tells():
    """The kernel's word is what `adjtimex` returns: 5 is a clock that nobody sets, less than 0 a refusal."""
    assert examination.set_by_network() in (True, False, None)


@pytest.mark.parametrize(("state", "told"), [(0, True), (5, False), (-1, None)])
def test_what_the_kernels_word_means(monkeypatch, state, told):
    """TIME_OK is set, TIME_ERROR is not, a refusal (in a sandbox) tells nothing."""

    class Library:
        def adjtimex(self, buffer):
            assert bytes(buffer) == bytes(512), "this would set the clock"
            return state

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Library())
    assert examination.set_by_network() is told
