"""What holds for the entry of every game: drafts of typed and picked moves, and words that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.contract.play import Played
from companion.game.entry import ARROWS, Draft

if TYPE_CHECKING:
    from random import Random

    from companion.game.entry import Entry

KEYS = "0123456789ABCD"


def drafts_are_judged(played: Played, chance: Random) -> None:
    """Whatever is typed or picked is a draft or nothing, and what a draft calls well is an event that is played."""
    for state in played.some(6):
        seat = played.rules.turn(state)
        if seat is None or played.entry.due(state) is not None:
            continue
        assert any(played.entry.typed(state, key) is not None for key in KEYS), "no key begins a move"
        keys = ""
        for _ in range(6):
            longer = keys + chance.choice(KEYS)
            typed = played.entry.typed(state, longer)
            keys = longer if typed is not None else keys
            if typed is not None:
                _check_draft(played, state, seat, typed)
        pick = played.entry.pick(state)
        for _ in range(12):
            _check_draft(played, state, None, played.entry.picked(state, pick))
            pick = _stepped(played.entry, state, pick, chance)


def _stepped(entry: Entry, state: Any, pick: Any, chance: Random) -> Any:
    """The pick after some press of the six buttons."""
    step = chance.choice((*ARROWS, "ok", "back"))
    after = entry.entered(state, pick) if step == "ok" else entry.erased(state, pick) if step == "back" else None
    return (after or entry.pick(state)) if step in ("ok", "back") else entry.moved(state, pick, step)


def _check_draft(played: Played, state: Any, seat: int | None, draft: Draft) -> None:
    """`seat` where the draft is judged by the full position."""
    assert isinstance(draft, Draft)
    assert draft.verdict in ("more", "ok", "no")
    assert draft.text
    if draft.event is not None:
        played.rules.read(draft.event)
        if seat is not None and draft.verdict == "ok":
            played.rules.play(state, seat, played.rules.read(draft.event))


def words_are_short(played: Played, chance: Random) -> None:
    """What a game tells has the form and the length that screens and reports have room for."""
    entry, rules = played.entry, played.rules
    events = [(seat, str(move)) for seat, move in played.events]
    for state in played.some(8):
        view = rules.view(state, None)
        assert all(len(entry.cannot(state, buttons)) <= 26 for buttons in (False, True))
        assert bool(entry.cannot(state, True)) == bool(entry.cannot(state, False))
        assert len(entry.hint(state)) <= 80
        assert all(len(line) <= 40 for line in entry.table(view))
        counted = entry.counted(state, rules.outcome(state).scores)
        assert len(counted) == played.header.seats
        assert all(isinstance(count, int) for count in counted)
    if played.manifest.chart is not None:
        assert all(entry.piles(state) for state in played.states)
    for page in played.manifest.pages:
        assert all(isinstance(line, str) for line in entry.lines(page, played.states, events, 4))
    assert all(len(block) == played.header.seats for block in entry.sheet(played.states, events))
