"""Checks of a game's pictures: no word is cut, nothing is drawn in the dark edge columns, help and hints fit."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion import games
from companion.contract.of_entries import KEYS
from companion.contract.play import NAMES
from companion.game.entry import ARROWS, without_hidden
from companion.game.hint import LINES
from companion.game.screen import ROWS, PageScene, Scene
from companion.games.plain import PLAIN
from companion.panel import fonts, menus
from companion.panel.canvas import HEIGHT, LEFT, RIGHT, WIDTH, Canvas

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.contract.play import Played
    from companion.game.entry import Draft, Entry


def pictures_are_whole(played: Played, chance: Random) -> None:
    """No word is cut when some positions are drawn: at rest, with half-entered moves, and with lines about keys."""
    screen = games.load_screen(played.manifest.id) or PLAIN
    for number in sorted({0, *(chance.randrange(len(played.states)) for _ in range(3)), len(played.states) - 1}):
        for draft, say, buttons in _moments(played, played.states[number], chance):
            canvas = Canvas(NAMES)
            with _nothing_is_cut():
                screen.draw(canvas, _scene(played, number, draft, say, buttons=buttons))
            _check_edges(canvas)


def pages_are_whole(played: Played, chance: Random) -> None:
    """No word is cut when each of the manifest's pages is drawn at the end of the round."""
    screen = games.load_screen(played.manifest.id) or PLAIN
    events = [(seat, str(move)) for seat, move in played.events]
    view = played.rules.view(played.states[-1], None)
    for kind, title in played.manifest.pages.items():
        lines = tuple(played.entry.lines(kind, played.states, events, ROWS))
        canvas = Canvas(NAMES)
        with _nothing_is_cut():
            screen.page(canvas, PageScene(kind, title, lines, 0, view, played.header.players, True))
        _check_edges(canvas)


def help_fits(played: Played, chance: Random) -> None:
    """Each paragraph of ``help.txt`` fits on a page of the panel."""
    for page in games.help_pages(played.manifest.id):
        _check_page("a paragraph of help.txt", page)


def hints_fit(played: Played, chance: Random) -> None:
    """Each hint of some positions fits on a page of the panel."""
    for state in played.some(8):
        _check_page("a hint", played.entry.hint(state))


def _check_page(what: str, words: str) -> None:
    lines = fonts.wrap(words, fonts.TEXT, menus.page_bar(Canvas(), 0, 2))
    assert len(lines) <= LINES, f"{what} has {len(lines)} lines of the panel: {words}"


def _moments(played: Played, state: Any, chance: Random) -> Iterator[tuple[Draft | None, str, bool]]:
    """Yield what a scene may show: a half-entered move or None, a line or "", and whether the six buttons are used."""
    entry = played.entry
    yield None, "", False
    yield None, "", True
    if played.rules.turn(state) is None or entry.due(state) is not None:
        return
    yield None, entry.arrows(played.rules.view(state, None)), True
    for buttons in (False, True):
        yield None, entry.cannot(state, buttons), buttons
    yield from ((each, "", True) for each in _picks(entry, state, chance))
    keys = ""
    for _ in range(8):
        key = chance.choice(KEYS)
        typed = entry.typed(state, keys + key)
        if typed is None:
            yield entry.typed(state, keys) if keys else None, entry.stray(state, keys, key), False
        else:
            keys += key
            yield typed, "", False


def _picks(entry: Entry, state: Any, chance: Random) -> Iterator[Draft]:
    pick = entry.pick(state)
    for _ in range(6):
        yield entry.picked(state, pick)
        following = entry.entered(state, pick) if chance.random() < 0.3 else None
        pick = following or entry.moved(state, pick, chance.choice(ARROWS))


def _scene(played: Played, number: int, draft: Draft | None, say: str, *, buttons: bool) -> Scene:
    """The scene after `number` events, by public knowledge."""
    rules, entry, state = played.rules, played.entry, played.states[number]
    views = [rules.view(each, None) for each in played.states[max(0, number - 2) : number + 1]]
    last = [
        (seat, rules.read(without_hidden(entry, str(move))))
        for seat, move in played.events[max(0, number - 2) : number]
    ]
    if draft is not None and draft.event is not None:
        draft = draft._replace(event=without_hidden(entry, draft.event))
    return Scene(
        view=views[-1],
        before=views[-2] if number else None,
        last=last[-1] if last else None,
        options=played.header.options,
        names=played.header.players,
        turn=rules.turn(state),
        draft=draft,
        say=say,
        buttons=buttons,
        counted=entry.counted(state, rules.outcome(state).scores),
        table=entry.table(views[-1]),
        recent=tuple((view, *event) for view, event in zip(views[:-1], last, strict=True)),
        forced=rules.turn(state) is not None and entry.forced(state),
    )


@contextmanager
def _nothing_is_cut() -> Iterator[None]:
    """Raise AssertionError if a text was cut inside the `with` block; players' names may be cut."""
    cut: list[tuple[str, str]] = []
    before, fonts.on_loss = fonts.on_loss, lambda whole, shown: cut.append((whole, shown))
    try:
        yield
    finally:
        fonts.on_loss = before
    lost = [f"{whole!r} is cut: {shown!r}" for whole, shown in cut if whole not in NAMES]
    assert not lost, lost[0]


def _check_edges(canvas: Canvas) -> None:
    for column in (0, WIDTH - 1):
        lit = canvas.image.crop((column, 0, column + 1, HEIGHT)).getbbox()
        assert lit is None, f"column {column} is lit; pictures have columns {LEFT} to {RIGHT}"
