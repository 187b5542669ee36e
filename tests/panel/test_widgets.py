"""Every widget of the panel and every common screen against its golden picture, in calm and in worst cases."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from companion import games
from companion.display import dispatch, table_pictures, title_screen
from companion.evening.contents import kinds
from companion.evening.contents.kinds import AskedPlayer, SeatPreview
from companion.panel import fonts, seat_tabs, widgets
from companion.panel.canvas import LEFT, RIGHT, Canvas
from companion.panel.fonts import CONDENSED, TEXT
from companion.panel.seat_tabs import SeatTab

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def draw_list(*words: str, on: int = 0, icons: tuple[str, ...] = (), title: str = "", notes: tuple[str, ...] = ()):
    """A function that draws a list, the cursor `on` one of its entries."""
    lines = tuple(
        kinds.ChoiceLine(each, at, notes[at] if notes else "", icons[at % len(icons)] if icons else "")
        for at, each in enumerate(words)
    )
    hints = kinds.ok_and_back_hints("choose", "back")
    return draw_screen(kinds.Choice(lines, on, hints, title, ("which pieces",) if title else ()), clears=False)


MANY = tuple(f"Entry number {number}" for number in range(1, 15))


SIX_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def draw_two_tabs(first: SeatTab, second: SeatTab, mover: int | None) -> Callable[[Canvas], None]:
    """A function that draws the tabs of two seats."""
    return lambda c: seat_tabs.draw_tabs(c, (first, second), mover)


def draw_small_tabs(counts: Sequence[int], mover: int | None) -> Callable[[Canvas], None]:
    """A function that draws the tabs of three to six seats."""
    tabs = [SeatTab(name, str(count)) for name, count in zip(SIX_NAMES, counts, strict=False)]
    return lambda c: seat_tabs.draw_small_tabs(c, tabs, mover)


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
    seats = tuple(range(1, len(rows) + 1))
    return draw_screen(kinds.Result("27", title, (rows[0][0],), reason, unit, rows, (), seats), left, right)


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


OPEN_ENTRIES = (
    kinds.ChoiceLine("secret", 0, icon="sealed", explains="I only count"),
    kinds.ChoiceLine("open", 1, icon="open", explains="You name it, I help"),
)

SCENES: dict[str, Callable[[Canvas], None]] = {
    "tabs": draw_two_tabs(SeatTab("Ann", "5"), SeatTab("Ben", "7"), 1),
    "tabs-long": draw_two_tabs(SeatTab(LONG, "12"), SeatTab(WIDE, "3"), 2),
    "tabs-numbers": draw_two_tabs(SeatTab("Zoë", "12345678"), SeatTab("José", "204800"), 1),
    "tabs-names-only": draw_two_tabs(SeatTab("Charlotte"), SeatTab(LONG), 1),
    "tabs-over": draw_two_tabs(SeatTab("Ångström", "0"), SeatTab("Øjvind", "1"), None),
    "tabs-three": draw_small_tabs((11, 8, -15), 3),
    "tabs-four": draw_small_tabs((3, 11, -5, 10), None),
    "tabs-five-first-row": draw_small_tabs((3, 11, -5, 0, 12), 1),
    "tabs-five-second-row": draw_small_tabs((3, 11, -5, 0, 12), 4),
    "tabs-six": draw_small_tabs((3, 11, -15, 100, 12, 7), 3),
    "seat-numbers": lambda c: seat_tabs.draw_seat_numbers(c, ("12", "9", "107", "3"), 1, 62, 18),
    "title-note": lambda c: widgets.draw_title(c, "Ann's hand", "8 cards"),
    "title-long": lambda c: widgets.draw_title(c, f"{LONG}'s hand", "21 cards"),
    "menu-games": draw_list(
        *(each.name for each in games.built_in_manifests()), icons=tuple(games.built_in_game_ids())
    ),
    "menu-scrolled": draw_list(*MANY, on=4, icons=("27", "ziggurat")),
    "menu-second-page": draw_list(*MANY, on=9),
    "menu-long": draw_list("Did anybody have a move just now?", LONG * 2, on=1),
    "options": draw_list("basic", "advanced", "expert", title="27", notes=("discs", "and greys", "and reds")),
    "words": draw_all(
        lambda c: widgets.draw_title(c, "Draw a card", "1/3"),
        lambda c: widgets.draw_words(c, "The top is 9: your cards must add up to 9."),
        lambda c: widgets.draw_footer(c, ("#", "go on"), ("*", "back")),
    ),
    "words-long": lambda c: widgets.draw_words(c, EIGHTY_LETTERS),
    "detail": draw_all(
        lambda c: widgets.draw_detail(c, "5 + 4 = 9", "tick"),
        lambda c: widgets.draw_detail(c, EIGHTY_LETTERS[:24], "cross", y=24),
    ),
    "footer-verdict": lambda c: widgets.draw_footer(c, ("OK", "why?"), BACK, "2 + 5 = 7", "cross"),
    "footer-question": lambda c: widgets.draw_footer(c, None, BACK, "Which stack?"),
    "footer-long": lambda c: widgets.draw_footer(c, ("OK", "take back"), BACK, "not what is asked"),
    "explained": draw_screen(kinds.Choice(OPEN_ENTRIES, 1, (), "Ann's hand", ("8 cards",)), CHOOSE, ("BACK", "back")),
    "cards": draw_all(
        lambda c: widgets.draw_title(c, "Ann's hand", "5 of 8"),
        lambda c: widgets.draw_card_backs(c, 5, 8),
        lambda c: widgets.draw_detail(c, "Ben, look away!"),
        lambda c: widgets.draw_footer(c, None, ("BACK", "undo")),
    ),
    "cards-three": lambda c: widgets.draw_card_backs(c, 3, 3),
    "cards-sixteen": lambda c: widgets.draw_card_backs(c, 11, 16),
    "cards-twenty-one": lambda c: widgets.draw_card_backs(c, 13, 21),
    "cards-fifty-two": lambda c: widgets.draw_card_backs(c, 30, 52),
    "banner": draw_all(
        draw_two_tabs(SeatTab("Ann", "7"), SeatTab("Ben", "7"), 1),
        lambda c: table_pictures.draw_banner(c, "Keypad unplugged", "buttons still work"),
    ),
    "refusal": draw_refusal("2+5 = 7", "stack 4 needs 9", "the corals must add up"),
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
            "Ann starts",
        ),
        ("OK", "start"),
        ("BACK", "change"),
    ),
    "players-long": draw_screen(
        kinds.Seating(
            "ziggurat",
            ("Prime Attactics",),
            (SeatPreview(WIDE, "starts"), SeatPreview(LONG, "second")),
            OK,
            f"{WIDE} starts",
        ),
        ("#", "start"),
        BACK,
    ),
    "players-four": draw_screen(
        kinds.Seating(
            "ziggurat",
            ("Ziggurat",),
            (SeatPreview(LONG, "starts"), SeatPreview("Ben"), SeatPreview(WIDE), SeatPreview("Zoë")),
            OK,
            f"{LONG} starts",
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
    "result-five": draw_result(
        "Ida wins", "all lots are sold", "points", (("Ida", 12), ("Ben", 7), (LONG, 21), ("Zoë", 9), ("Tom", -3))
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


@pytest.mark.parametrize("name", ["Al", "Ben", "Anna", "Clara", "Hannah", "Charlotte"])
def test_a_name_keeps_its_face_whatever_the_digit(name: str) -> None:
    """A 1 is narrower than other digits, but the name beside it is drawn in the same face."""
    pictures = set()
    for digit in "0123456789":
        c = Canvas()
        seat_tabs.draw_tabs(c, [SeatTab(name, digit)] * 2, None)
        pictures.add(c.image.crop((0, 0, 28, 15)).tobytes())
    assert len(pictures) == 1


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_tab_has_the_shape_of_its_player(seat: int) -> None:
    """Players keep their shapes when they change seats."""
    drawn, expected = Canvas(colours=(3, 1, 4, 2)), Canvas()
    seat_tabs.draw_tab(drawn, SeatTab("Cleo", "7", seat=seat), 60, RIGHT, lit=False)
    seat_tabs.draw_seat_shape(expected, 63, 3, (3, 1, 4, 2)[seat - 1])
    box = (60, 0, 63 + seat_tabs.SHAPE_COLUMNS, 15)
    assert drawn.image.crop(box).tobytes() == expected.image.crop(box).tobytes()


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_the_small_name_of_the_player_to_move_is_whole(monkeypatch, count: int) -> None:
    """Whatever the seat; the others keep at least an initial, and all numbers are whole."""
    names, drawn = SIX_NAMES[:count], list[str]()
    monkeypatch.setattr(Canvas, "text", lambda self, x, y, text, *a, **k: drawn.append(text) or TEXT.width(text))
    for mover in range(1, count + 1):
        drawn.clear()
        tabs = [SeatTab(name, str(number)) for name, number in zip(names, (26, -10, 14, -12, 8, -7), strict=False)]
        seat_tabs.draw_small_tabs(Canvas(names), tabs, mover)
        assert drawn[::2] == [tab.value for tab in tabs]
        assert drawn[1::2][mover - 1] == names[mover - 1]
        assert [shown[:1] for shown in drawn[1::2]] == [name[0] for name in names]


@pytest.mark.parametrize("number", [1, -12, 100, -123, 1234, 12345])
def test_small_tabs_stay_on_the_panel(number: int) -> None:
    """However long the numbers, and whoever is to move."""
    for count, mover in product((3, 4, 5, 6), (None, 1, 2, 3)):
        canvas = Canvas(SIX_NAMES)
        tabs = [SeatTab(name, str(number)) for name in SIX_NAMES[:count]]
        seat_tabs.draw_small_tabs(canvas, tabs, mover)
        left, _, right, bottom = canvas.image.getbbox()
        assert left >= LEFT
        assert right <= RIGHT + 1
        assert bottom <= 17


@pytest.mark.parametrize("mover", [1, 2])
@pytest.mark.parametrize("name", ["Ann", "Hildegard", "Maximilian"])
def test_the_name_of_the_player_to_move_is_whole(monkeypatch, name: str, mover: int) -> None:
    """The other player's name gives way, whose tab keeps the seat's shape and the number."""
    cut: list[str] = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: cut.append(whole))
    other = "Wilhelmina-Maria"
    names = (name, other) if mover == 1 else (other, name)
    canvas = Canvas(names)
    seat_tabs.draw_tabs(canvas, [SeatTab(each, "12") for each in names], mover)
    assert name not in cut
    assert canvas.image.getpixel((LEFT + 1 if mover == 1 else RIGHT - 1, 0)), "the mover's tab is a plate"


@pytest.mark.parametrize("back", [None, BACK])
def test_the_verb_of_the_last_line_is_never_cut(monkeypatch, back: KeyLabel | None) -> None:
    """Words and what BACK does give way, however long they are."""
    cut: list[str] = []
    monkeypatch.setattr(fonts, "on_text_cut", lambda whole, shown, room: cut.append(whole))
    for letters in range(1, 15):
        canvas = Canvas()
        widgets.draw_footer(canvas, ("OK", "m" * letters), back, EIGHTY_LETTERS, "tick")
        assert "m" * letters not in cut


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_seats_screen_always_has_a_heading(players: int) -> None:
    """Of any words for what is played some are shown."""
    for letters in range(1, 30):
        notes = ("m" * letters, "short")
        places = tuple(kinds.SeatPreview(f"P{seat}", "", "") for seat in range(players))
        canvas = Canvas()
        content = kinds.Seating("ziggurat", notes, places, kinds.ok_and_back_hints("start", "names"), "P0 starts")
        dispatch.draw_content(canvas, content, uses_buttons=True)
        assert canvas.image.crop((0, 0, 128, 14)).getbbox(), letters


@pytest.mark.parametrize("games_played", range(1, 4))
def test_a_name_that_ends_in_a_digit_keeps_off_the_number(games_played):
    """Player 1 with 4 wins beside it isn't read as Player 1 4."""
    names = ("Ann", "Player 1", "Player 2", "Ben")
    rows = tuple((name, ("2",) * games_played, "4") for name in names)
    canvas, written = Canvas(names), []
    canvas.text = lambda x, y, s, *more, **how: written.append((y, x, s)) or 0  # type: ignore[method-assign]
    content = kinds.Standings("Today", ("27", "ziggurat", "pad")[:games_played], rows, (), "", ())
    dispatch.draw_content(canvas, content, uses_buttons=True)
    rows_of_names = [(y, x + CONDENSED.width(s)) for y, x, s in written if s.partition(" ")[2] in names]
    assert len(rows_of_names) == 3
    for y, end in rows_of_names:
        assert min(x for row, x, s in written if row == y and s == "4") - CONDENSED.width("4") - end > 8


@pytest.mark.parametrize(("name", "number"), [("Player 1", "8"), ("Player 2", "12"), ("box-2", "9"), ("Ann", "8")])
def test_a_number_cannot_be_read_as_the_end_of_a_name(name, number):
    """``Player 1  8`` has a wider gap before the number than any two digits of a number."""
    canvas = Canvas((name, "Ben"))
    seat_tabs.draw_tabs(canvas, [SeatTab(name, number), SeatTab(LONG)], None)
    columns = [bool(canvas.image.crop((x, 0, x + 1, 15)).getbbox()) for x in range(100)]
    end_of_name = 1 + seat_tabs.PADDING_COLUMNS + seat_tabs.SHAPE_COLUMNS + CONDENSED.width(name)
    gap = columns[end_of_name:].index(True)
    assert gap >= seat_tabs.VALUE_GAP_COLUMNS + seat_tabs.MORE_GAP_COLUMNS * name[-1].isdigit()
