"""The taps on a phone's board that make a move."""

from __future__ import annotations

TAPS_SCRIPT = """() => [...document.querySelectorAll("#draft .tap")].map(
  (each) => [JSON.parse(each.getAttribute("hx-vals")).keys, each.getAttribute("aria-label")])"""
"""A script that returns the keys and the words of each rectangle that can be tapped."""


def keys_of_move(typed_keys, game: str, state, move) -> str:
    """The keys that type a move, without the one that plays it."""
    return "".join(typed_keys(game, state, str(move)))[:-1]


def nearest_tap(taps, keys: str, entered: str):
    """The tap, as keys and words, that comes nearest to `keys`; a domino may lie the wrong way round until the end.

    Raises IndexError if no tap comes nearer.
    """
    begun = [tap for tap in taps if keys.startswith(tap[0]) and (len(tap[0]) > len(entered) or tap[0] == keys)]
    around = keys[1::-1] + keys[2:]
    turned = [tap for tap in taps if around.startswith(tap[0]) and len(tap[0]) > len(entered)]
    return max(begun or turned, key=lambda tap: len(tap[0]), default=None) or turned[0]


def taps_to_keys(taps_after, keys: str) -> list[str]:
    """The words of the taps that lead to `keys`; `taps_after` returns the taps, as keys and words, after keys."""
    entered, words_of_taps = "", []
    while entered != keys:
        try:
            entered, words = nearest_tap(taps_after(entered), keys, entered)
        except IndexError:
            raise AssertionError(f"no tap leads from {entered!r} to {keys!r}") from None
        words_of_taps.append(words)
        assert len(words_of_taps) < 40, f"no end of taps: {words_of_taps}"
    return words_of_taps
