"""Every widget of the panel and every common screen against its golden picture, in calm and in worst cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import games
from companion.display import dispatch, lists, table_pictures, title_screen
from companion.display.lists import Row
from companion.evening.contents import kinds
from companion.evening.contents.kinds import AskedPlayer, SeatPreview
from companion.games.game_icons import small_icon
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import Canvas
from companion.panel.fonts import TEXT
from companion.panel.seat_tabs import SeatTab

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.evening.contents.kinds import Content
    from companion.panel.widgets import KeyLabel

CHOOSE, BACK, ANY_KEY = ("OK", "choose"), ("BACK", "menu"), ("any key", "continues")
OK = (kinds.KeyHint("ok"),)
LONG, WIDE = "Wilhelmina-Maria", "Maximilian Moore"  # the 16 letters that a name may have
EIGHTY_LETTERS = "no coral may be laid on its own kind while another stack of that kind lies open"


def draw_all(*drawings: Callable[[Canvas], None]) -> Callable[[Canvas], None]:
    """A function that draws several things on one canvas."""

    def draw(c: Canvas) -> None:
        for drawing in drawings:
            drawing(c)

    return draw


def many_rows(count: int, icons: tuple[str, ...] = ()) -> list[Row]:
    """So many rows for a list."""
    return [Row(f"Entry number {n}", str(n % 10), icons[n % len(icons)] if icons else "") for n in range(1, count + 1)]


def draw_two_tabs(first: str, second: str, mover: int, **more: str) -> Callable[[Canvas], None]:
    """A function that draws the tabs of two seats."""
    value = more.pop("value", "5")
    return lambda c: seat_tabs.draw_tabs(c, (SeatTab(first, value, **more), SeatTab(second, value, **more)), mover)


def draw_screen(content: Content, left: KeyLabel = BACK, right: KeyLabel | None = None, *, clears: bool = True):
    """A function that draws a whole screen, with other keys than its own in the footer."""

    def draw(c: Canvas) -> None:
        dispatch.draw_content(c, content, uses_buttons=True)
        if clears:
            widgets.draw_footer(c, left, right)

    return draw


def draw_refusal(figure: str, against: str, rule: str, needed: str = "") -> Callable[[Canvas], None]:
    """A function that draws a refusal."""
    return draw_screen(kinds.Refusal("", figure, against, rule, needed), ("any key", "retry"), ("*", "fix it"))


def draw_result(title, reason, unit, rows, left=("OK", "next"), right=BACK):
    """A function that draws a result."""
    return draw_screen(kinds.Result("27", title, (rows[0][0],), reason, unit, rows), left, right)


def draw_standings(title, count, rows, left):
    """A function that draws the standings of an evening."""
    content = kinds.Standings(
        title, tuple(games.built_in_game_ids()[:count]), tuple((a, tuple(b), c) for a, b, c in rows), (), "", ()
    )
    return draw_screen(content, left, BACK)


def draw_resumption(game: str, line: str, moves: int, ok: str = "OK") -> Callable[[Canvas], None]:
    """A function that draws the question whether to resume a round."""
    manifest = games.manifest_of(game)
    return draw_screen(
        kinds.Resumption("Continue?", game, manifest.name, line, f"move {moves}", ()), (ok, "go on"), BACK
    )


MARKS = tuple(map(small_icon, games.built_in_game_ids()))
GAMES = [Row(game.name, str(number), small_icon(game.id)) for number, game in enumerate(games.built_in_manifests(), 1)]
TABLE = [Row(s, str(n)) for n, s in enumerate(("Take back", "Could I have moved?", "Hints: off", "Standings"), 1)]
PIECES = [
    Row("basic", "discs", "dot"),
    Row("advanced", "and greys", "ring"),
    Row("expert", "and reds", "ring"),
]
OPEN_ENTRIES = (
    kinds.ChoiceLine("secret", 0, icon="sealed", explains="I only count"),
    kinds.ChoiceLine("told to me", 1, icon="open", explains="I can help"),
)

SCENES: dict[str, Callable[[Canvas], None]] = {
    "tabs": lambda c: seat_tabs.draw_tabs(c, (SeatTab("Ann", "5", "hand"), SeatTab("Ben", "7", "hand")), 1),
    "tabs-discs": lambda c: seat_tabs.draw_tabs(
        c, (SeatTab("Ann", "13", mark="full-disc"), SeatTab("Ben", "4", mark="hollow-disc")), 2, with_rule=False
    ),
    "tabs-discs-first": lambda c: seat_tabs.draw_tabs(
        c, (SeatTab("Ann", "2", mark="full-disc"), SeatTab("Ben", "2", mark="hollow-disc")), 1, with_rule=False
    ),
    "tabs-long": lambda c: seat_tabs.draw_tabs(c, (SeatTab(LONG, "12", "hand"), SeatTab(WIDE, "3", "hand")), 2),
    "tabs-numbers": lambda c: seat_tabs.draw_tabs(c, (SeatTab("Zoë", "12345678"), SeatTab("José", "204800")), 1),
    "tabs-names-only": lambda c: seat_tabs.draw_tabs(c, (SeatTab("Charlotte"), SeatTab(LONG)), 1),
    "tabs-over": lambda c: seat_tabs.draw_tabs(c, (SeatTab("Ångström", "0"), SeatTab("Øjvind", "1")), None),
    "seats-two": lambda c: seat_tabs.draw_seat_list(c, (SeatTab("Ann", "21"), SeatTab("Ben", "18")), 1, 79),
    "seats-four": lambda c: seat_tabs.draw_seat_list(
        c, (SeatTab("Ann", "9"), SeatTab("Ben", "12"), SeatTab(LONG, "107"), SeatTab("Dan", "10")), 3, 79, pitch=13
    ),
    "title-note": lambda c: widgets.draw_title(c, "Ann's hand", "8 cards"),
    "title-figure": lambda c: widgets.draw_title(c, "Ann's hand", figure="15/21"),
    "title-long": lambda c: widgets.draw_title(c, f"{LONG}'s hand", "21 cards"),
    "menu-games": draw_all(
        lambda c: lists.draw_rows(c, GAMES, 0), lambda c: widgets.draw_footer(c, CHOOSE, ("BACK", "more"))
    ),
    "menu-table": draw_all(
        lambda c: lists.draw_rows(c, [*TABLE, Row("Leave the round", "5")], 1),
        lambda c: widgets.draw_footer(c, ("#", "choose"), ("*", "table")),
    ),
    "menu-second-page": draw_all(
        lambda c: lists.draw_rows(c, many_rows(14), 7, 5), lambda c: widgets.draw_footer(c, CHOOSE, BACK)
    ),
    "menu-scrolled": draw_all(
        lambda c: lists.draw_rows(c, many_rows(9, MARKS), 4, 2), lambda c: widgets.draw_footer(c, CHOOSE, BACK)
    ),
    "menu-long": draw_all(
        lambda c: lists.draw_rows(
            c, [Row("Did anybody have a move just now?", "1", small_icon("27")), Row(LONG * 2, "2")], 1
        ),
        lambda c: widgets.draw_footer(c, ("OK", f"{LONG} starts"), ("BACK", "leave it for now")),
    ),
    "menu-note": lambda c: lists.draw_rows(c, [Row("Could I have moved?", "4", is_grey=True), *many_rows(6)], 0),
    "options": draw_all(
        lambda c: widgets.draw_title(c, "27", "which pieces move"),
        lambda c: lists.draw_rows(c, PIECES, 0, shown=3, y=19, pitch=12),
        lambda c: widgets.draw_footer(c, ("OK", "players"), BACK),
    ),
    "explained": draw_screen(kinds.Choice(OPEN_ENTRIES, 1, (), "Ann's hand", ("8 cards",)), CHOOSE, ("BACK", "back")),
    "cards": draw_all(
        lambda c: widgets.draw_title(c, "Ann's hand", figure="5/8"),
        lambda c: widgets.draw_card_backs(c, 5, 8),
        lambda c: c.text(1, 42, "Ben, please look away") and None,
        lambda c: widgets.draw_footer(c, ("UP", "peek"), ("BACK", "erase")),
    ),
    "cards-three": lambda c: widgets.draw_card_backs(c, 3, 3),
    "cards-sixteen": lambda c: widgets.draw_card_backs(c, 11, 16),
    "cards-twenty-one": lambda c: widgets.draw_card_backs(c, 13, 21),
    "cards-fifty-two": lambda c: widgets.draw_card_backs(c, 30, 52),
    "entry": draw_all(
        draw_two_tabs("Ann", "Ben", 1, badge="hand"),
        lambda c: widgets.draw_draft_strip(c, "2:54", "5+4 = 9", "the top is 9", "tick"),
    ),
    "entry-long": lambda c: widgets.draw_draft_strip(c, "@+2/3÷456", EIGHTY_LETTERS, EIGHTY_LETTERS, "cross"),
    "entry-words": lambda c: widgets.draw_draft_strip(c, "draw 7", "", "OK plays it", "tick"),
    "entry-begun": lambda c: widgets.draw_draft_strip(c, "4-6_", "", "column?"),
    "verdict": draw_all(
        lambda c: widgets.draw_verdict(c, "3 steps: 2 discs to 6", "tick"),
        lambda c: widgets.draw_verdict(c, "8+3 is past the end", "cross", y=40),
        lambda c: widgets.draw_verdict(c, EIGHTY_LETTERS, y=24),
    ),
    "banner": draw_all(
        draw_two_tabs("Ann", "Ben", 1, badge="hand", value="7"),
        lambda c: table_pictures.draw_banner(c, "Keypad unplugged", "buttons still work"),
    ),
    "refusal": draw_refusal("2+5 = 7", "the top of 4 is 9", "the corals must add up"),
    "refusal-needed": draw_refusal(
        "8+3", "past the end at 9", "a pile moves within the line", "2 steps fewer would do"
    ),
    "refusal-two-lines": draw_refusal("154÷4", "leaves a remainder of 2", "what is divided must come out even"),
    "refusal-words": draw_refusal("the round is over", "", "no more moves can be made"),
    "refusal-long-figure": draw_refusal(
        "12345678×3 = 37037034", "more than 8 digits fit", "a score stays below 100 million"
    ),
    "refusal-long-rule": draw_refusal("7→3", "the top of 12 is a 9", EIGHTY_LETTERS),
    "refusal-longest": draw_refusal(
        EIGHTY_LETTERS, EIGHTY_LETTERS, f"{EIGHTY_LETTERS}; {EIGHTY_LETTERS}", EIGHTY_LETTERS
    ),
    "notice": draw_screen(kinds.Notice("passed", "Ben", "has no move: skipped", "Ann plays again"), ANY_KEY),
    "notice-long": draw_screen(
        kinds.Notice(
            "passed", LONG, "cannot place a tile and has none to draw", f"{WIDE} plays again, and {LONG} after that"
        ),
        ANY_KEY,
    ),
    "notice-alert": draw_screen(kinds.Notice("alert", "No panel", "it went dark", "Look at the cable"), ("OK", "done")),
    "question": draw_screen(
        kinds.Question(
            "Take back?",
            ("Ben has seen a card.",),
            OK,
            (AskedPlayer("Ann", "yes"), AskedPlayer("Ben", "asked")),
            "2 moves",
        ),
        ("OK", "Ben agrees"),
        ("BACK", "no"),
    ),
    "question-long": draw_screen(
        kinds.Question(
            "Take back?",
            (f"{LONG} has seen two cards of the pile",),
            OK,
            (AskedPlayer(LONG, "asked"), AskedPlayer(WIDE)),
            "12 moves",
        ),
        ("#", f"{LONG} agrees"),
        ("*", "no"),
    ),
    "players": draw_screen(
        kinds.Seating(
            "27",
            ("27",),
            (SeatPreview("Ann", "starts", "small-seat-1"), SeatPreview("Ben", "second", "small-seat-2")),
            OK,
        ),
        ("OK", "start"),
        ("BACK", "change"),
    ),
    "players-long": draw_screen(
        kinds.Seating("ziggurat", ("Prime Attactics",), (SeatPreview(WIDE, "starts"), SeatPreview(LONG, "second")), OK),
        ("#", "start"),
        BACK,
    ),
    "players-four": draw_screen(
        kinds.Seating(
            "ziggurat",
            ("Ziggurat",),
            (SeatPreview(LONG, "starts"), SeatPreview("Ben"), SeatPreview(WIDE), SeatPreview("Zoë")),
            OK,
        ),
        ("OK", "start"),
        ("BACK", "change"),
    ),
    "result": draw_result("Ann wins", "last coral placed", "corals left", (("Ann", 0), ("Ben", 4))),
    "result-long": draw_result(
        f"{LONG} wins", "only one place left on level 12", "score", ((LONG, 87654321), (WIDE, 12345678))
    ),
    "result-longest": draw_result(f"{LONG} wins", "two turns missed", "score", ((LONG, 10**21 - 1), (WIDE, 10**40))),
    "result-four": draw_result(
        "Ben and Dan",
        "the frame is full",
        "points",
        (("Ben", 107), ("Dan", 107), (LONG, 21), (WIDE, 9)),
        ("#", "next"),
        ("*", "menu"),
    ),
    "match": draw_screen(kinds.MatchResult((("Ann", 2), ("Ben", 1)), 3, "", "first to 3"), ("OK", "Ben starts")),
    "match-dots": draw_screen(kinds.MatchResult(((LONG, 4), ("Ben", 0)), 5, "", "first to 5"), ("OK", "Ben starts")),
    "match-long": draw_screen(
        kinds.MatchResult(((LONG, 12), (WIDE, 10)), 15, "", "first to 15"), ("OK", f"{WIDE} starts"), BACK
    ),
    "standings": draw_standings(
        "Today", 4, (("Ann", "3121", "7"), ("Ben", "22–1", "5"), ("Cleo", "–1–1", "2")), ("OK", "all time")
    ),
    "standings-hundreds": draw_standings(
        "All", 3, ((LONG, ("100", "9", "71"), "180"), ("Ben", ("88", "117", "–"), "205")), CHOOSE
    ),
    "standings-long": draw_standings(
        "Since January 2021",
        4,
        tuple((name, ("12", "99", "100", "47"), "258") for name in (LONG, WIDE, "Zoë", "Đorđe")),
        ("OK", "tonight"),
    ),
    "resume": draw_resumption("coral-reef", "Ann – Ben", 14),
    "resume-prime": draw_resumption("prime-attactics", f"{LONG} – Ben", 114, "#"),
    "resume-27": draw_resumption("27", "Ann – Ben", 4),
    "resume-ziggurat": draw_resumption("ziggurat", "four players", 4),
    "splash": title_screen.draw_title_screen,
    "goodbye": draw_screen(kinds.Cover(last=True), clears=False),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_widget_is_golden(name: str, golden: Callable[[Image.Image, str], None]) -> None:
    """Each one is drawn pixel by pixel as the picture that was looked at and accepted."""
    c = Canvas()
    SCENES[name](c)
    golden(c.image, name)


@pytest.mark.parametrize("badge", ["", "hand", "flag"])
@pytest.mark.parametrize("name", ["Al", "Ben", "Anna", "Clara", "Hannah", "Charlotte"])
def test_a_name_keeps_its_face_whatever_the_digit(name: str, badge: str) -> None:
    """A 1 is narrower than other digits, but the name beside it is drawn in the same face."""
    pictures = set()
    for digit in "0123456789":
        c = Canvas()
        seat_tabs.draw_tabs(c, [SeatTab(name, digit, badge)] * 2, None)
        pictures.add(c.image.crop((0, 0, 28, 15)).tobytes())
    assert len(pictures) == 1


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_tab_alone_has_the_shape_of_its_seat(seat: int) -> None:
    """While one of four players enters a move, only that player's tab is drawn."""
    alone, expected = Canvas(), Canvas()
    seat_tabs.draw_seat_list(alone, [SeatTab("Cleo", "7", seat=seat)], None, 60)
    seat_tabs.draw_seat_shape(expected, 63, 4, seat)
    shape_box = (63, 4, 63 + seat_tabs.SHAPE_COLUMNS, 11)
    assert alone.image.crop(shape_box).tobytes() == expected.image.crop(shape_box).tobytes()


def test_shapes_leave_names_bold() -> None:
    """A name in thin letters is not read across a table, so there the shapes are left out."""
    with_shapes, without = Canvas(), Canvas()
    for canvas, name in ((with_shapes, "Ann"), (without, "Maximilian")):
        seat_tabs.draw_seat_list(canvas, [SeatTab(name, "21"), SeatTab("Ben", "18")], None, 60)
    shape_box = (63, 4, 63 + seat_tabs.SHAPE_COLUMNS, 11)
    expected = Canvas()
    seat_tabs.draw_seat_shape(expected, 63, 4, 1)
    assert with_shapes.image.crop(shape_box).tobytes() == expected.image.crop(shape_box).tobytes()
    assert without.image.crop(shape_box).tobytes() != expected.image.crop(shape_box).tobytes()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_seats_screen_always_has_a_heading(players: int) -> None:
    """Of any words for what is played some are shown."""
    for letters in range(1, 30):
        notes = ("m" * letters, "short")
        places = tuple(kinds.SeatPreview(f"P{seat}", "", "") for seat in range(players))
        canvas = Canvas()
        content = kinds.Seating("ziggurat", notes, places, kinds.ok_and_back_hints("start", "names"))
        dispatch.draw_content(canvas, content, uses_buttons=True)
        assert canvas.image.crop((0, 0, 128, 14)).getbbox(), letters


@pytest.mark.parametrize("games_played", range(1, 6))
def test_a_name_that_ends_in_a_digit_keeps_off_the_number(games_played):
    """Player 1 with 2 wins beside it isn't read as Player 1 2: the name keeps off, or is P1."""
    names = ("Ann", "Player 1", "Player 2", "Ben")
    rows = tuple((name, ("2",) * games_played, "4") for name in names)
    match = kinds.MatchFigures("27", "27", (), "", "", ())  # This makes a second page, and so a scrollbar.
    canvas, written = Canvas(names), []
    canvas.text = lambda x, y, s, *more, **how: written.append((y, x, s)) or 0  # type: ignore[method-assign]
    content = kinds.Standings("Today", ("27",) * games_played, rows, (match,), "", ())
    dispatch.draw_content(canvas, content, uses_buttons=True)
    for y, _, name in written:
        if name in ("Player 1", "P1", "Player 2", "P2"):
            first = min(x for row, x, s in written if row == y and s == "2")
            assert first - 2 - TEXT.width(name) > 8
    assert len({name for *_, name in written} & {"Player 1", "P1", "Player 2", "P2"}) == 2
