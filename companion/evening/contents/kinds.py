"""The kinds of content. Each screen shows one of them, and each display knows how to draw all of them.

The names of the classes and of their fields are published: clients of the table's socket get them (docs/socket.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.languages import text

if TYPE_CHECKING:
    from companion.games.api.hint import HintPart
    from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene
    from companion.inputs import Finding

Key = Literal["ok", "back", "up", "down", "left", "right", "digits", "any"]
"""What a key is for, whatever the device calls it.

OK is ``#`` on a keypad and BACK is ``*``; its A to D are the arrows.
"""

PAGE_SIZE = 9
"""The most entries of a list that digits can pick at a time, which are those of one page."""


class KeyHint(NamedTuple):
    """A key hint: a key that does something on this screen, and what, in a word or two.

    `says` is "" for a key that needs no word there. A display without room for it takes the first of the `shorter`
    forms that fits.
    """

    key: Key
    says: str = ""
    shorter: tuple[str, ...] = ()


def ok_and_back_hints(ok: str, back: str) -> tuple[KeyHint, KeyHint]:
    """The hints for OK and BACK, with messages as `text` takes them."""
    return KeyHint("ok", text(ok)), KeyHint("back", text(back))


class ChoiceLine(NamedTuple):
    """An entry of a list.

    Attributes:
        words: what it says.
        place: its position in the list, from 0. A digit picks by the position on a page; positions may be left out.
        note: a short text beside the words.
        icon: a game's id, or the name of an icon.
        why: always "", since entries that can't be used now are missing.
        pairs: up to four players, each with a score ("" for none), which a page may show instead of the words.
        names: the players in the words.
        explains: an explanation, in a line of its own.
    """

    words: str
    place: int
    note: str = ""
    icon: str = ""
    why: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    explains: str = ""


class Choice(NamedTuple):
    """A list to pick from, the cursor on one of its entries (from 0). `notes` ask the question, the longest first.

    With `has_pages` each nine entries have digits, else the first nine and, with 0, the tenth.
    """

    lines: tuple[ChoiceLine, ...]
    cursor: int
    key_hints: tuple[KeyHint, ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    has_pages: bool = True

    def page_of(self, line: ChoiceLine) -> int:
        """The page, from 0, whose entries can be picked together with a line."""
        return line.place // PAGE_SIZE if self.has_pages else 0

    def digit_of(self, line: ChoiceLine) -> str:
        """The digit that picks a line on its page, "" for none."""
        if self.has_pages:
            return str(line.place % PAGE_SIZE + 1)
        return str((line.place + 1) % 10) if line.place <= PAGE_SIZE else ""


class Amount(NamedTuple):
    """A number that is set, perhaps half typed. `limit` says that another digit would be too many, else it is ""."""

    title: str
    note: str
    number: str
    typed: bool
    limit: str
    key_hints: tuple[KeyHint, ...]


class Form(NamedTuple):
    """Numbers that the players set: a row for each name, with its numbers and their units.

    What they mean, `meaning`, can be changed too. `on` is the cursor: a number's index, counted row by row from 0; the
    index after the last number is `meaning`.
    """

    title: str
    meaning: str
    rows: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    on: int
    key_hints: tuple[KeyHint, ...]


class SeatPreview(NamedTuple):
    """A seat before a round: who sits there, a caption for the seat, and an icon of the game or of the panel."""

    name: str
    caption: str = ""
    icon: str = ""


class Seating(NamedTuple):
    """Who sits where; the first one starts. `notes` say what is played, the longest first. `title` is the heading."""

    game: str
    notes: tuple[str, ...]
    places: tuple[SeatPreview, ...]
    key_hints: tuple[KeyHint, ...]
    title: str


class Letters(NamedTuple):
    """A name that is spelled, and for what it is.

    `rows` has one row: the letters to pick from, or while a digit is tapped its letters; none where they are typed. The
    cursor is in `row` 0 and a `column`, from 0. Cells that do nothing now are "". `board` says how letters are entered.
    While `is_letter_open` another tap changes the last letter.
    """

    title: str
    whose: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    row: int
    column: int
    key_hints: tuple[KeyHint, ...]
    board: str
    is_letter_open: bool = False


class AskedPlayer(NamedTuple):
    """A player who has to agree: ``yes`` who has agreed, ``asked`` who is asked now, "" who is asked later."""

    name: str
    state: Literal["yes", "asked", ""] = ""


class Question(NamedTuple):
    """A question with a yes and a no. With `seats`, each of these players has to agree."""

    title: str
    lines: tuple[str, ...]
    key_hints: tuple[KeyHint, ...]
    seats: tuple[AskedPlayer, ...] = ()


class Notice(NamedTuple):
    """A message: an icon's name, a heading, what has happened, and what follows."""

    icon: str
    heading: str
    said: str
    follows: str
    key_hints: tuple[KeyHint, ...] = ()


class Refusal(NamedTuple):
    """Why a move is refused: its numbers, what they contradict, the rule, and what would have been accepted."""

    code: str
    figure: str
    against: str
    rule: str
    needed: str
    key_hints: tuple[KeyHint, ...] = ()


class Result(NamedTuple):
    """The result of a round. The title says who has won; then the winners' names, and why they won.

    A row is a name and its number, the winners first; `seats` has the seat of each row. `unit` says what the numbers
    count. `game` is the game's id.
    """

    game: str
    title: str
    winners: tuple[str, ...]
    reason: str
    unit: str
    rows: tuple[tuple[str, int], ...]
    key_hints: tuple[KeyHint, ...] = ()
    seats: tuple[int, ...] = ()


class MatchResult(NamedTuple):
    """A match between its rounds: each player's wins, how many win it, its winner ("" for nobody yet), and a note."""

    wins: tuple[tuple[str, int], ...]
    goal: int
    champion: str
    note: str
    key_hints: tuple[KeyHint, ...] = ()


class Score(NamedTuple):
    """A player of a score pad, all points so far, and whether nobody has a better total."""

    name: str
    total: int
    leads: bool


class Scores(NamedTuple):
    """A score pad in play, the cursor on a `seat` (from 1), with the points that are being entered for it.

    Attributes:
        title: the game, or who deals.
        notes: how the game ends, the longest wording first.
        players: each player's score, by seat.
        seat: the seat under the cursor, from 1.
        change: the points that are being entered, in letters; "" for none.
        total: what they lead to, None while only a sign is entered.
        limit: says that another digit would be too many, "" else.
        last: the last entry, "" for none.
        line: the words of the last line, such as the question for points.
        at_rest: nobody has pressed a key for a while, so only the points are shown.
        correction: which turn is being corrected, and to how many points; "" for a new entry.
    """

    title: str
    notes: tuple[str, ...]
    players: tuple[Score, ...]
    seat: int
    change: str = ""
    total: int | None = None
    limit: str = ""
    last: str = ""
    key_hints: tuple[KeyHint, ...] = ()
    line: str = ""
    at_rest: bool = False
    correction: str = ""


class Sheet(NamedTuple):
    """The score sheet: the points of each player in each turn (None without an entry), and the totals.

    The turn `row` and the seat `column`, both from 0, are the first ones to show.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int | None, ...], ...]
    totals: tuple[int, ...]
    row: int
    column: int
    key_hints: tuple[KeyHint, ...] = ()


class Resumption(NamedTuple):
    """The question whether to resume a round: the game by its id and its name, who plays, and where it was left."""

    title: str
    game: str
    name: str
    players: str
    left_at: str
    key_hints: tuple[KeyHint, ...]


class Pairing(NamedTuple):
    """The question whether to begin the pairing of the tournament `event`: the table, the round, who and what."""

    title: str
    round: str
    names: tuple[str, ...]
    game: str
    key_hints: tuple[KeyHint, ...]
    event: str = ""


class Cover(NamedTuple):
    """The title screen, with the name of the box; or the last picture, which says that the power may be cut."""

    last: bool = False
    key_hints: tuple[KeyHint, ...] = ()
    name: str = ""


class Reading(NamedTuple):
    """Paragraphs to read under a heading, which has a `note` at its right.

    `at` is how many pages were turned. The display splits the text into pages, and beyond the last one it shows that.
    With `parted` a page ends with a sentence, and OK does nothing on the last page.
    """

    title: str
    paragraphs: tuple[str, ...]
    key_hints: tuple[KeyHint, ...]
    at: int = 0
    note: str = ""
    parted: bool = False


class Parts(NamedTuple):
    """The parts of a hint, read one at a time, each under its own heading. `at` is the open one, from 0."""

    parts: tuple[HintPart, ...]
    key_hints: tuple[KeyHint, ...]
    at: int = 0


class Progress(NamedTuple):
    """Something that is being computed: how much of it is done in `percent`, what it is, and a note about the wait."""

    title: str
    percent: int
    said: str
    follows: str
    key_hints: tuple[KeyHint, ...] = ()


class Claims(NamedTuple):
    """False claims to read one at a time: who, which move, what it could have been. `at` is the open one, from 0."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    key_hints: tuple[KeyHint, ...]
    at: int = 0


class MatchFigures(NamedTuple):
    """A match in the standings.

    It has its game's id and name, each player's wins, its result, and its rounds. `summary` is all of that in words, in
    several lengths, the longest first.
    """

    game: str
    name: str
    wins: tuple[tuple[str, int], ...]
    result: str
    rounds: str
    summary: tuple[str, ...]


class Standings(NamedTuple):
    """Who has won how many rounds this evening, and then the matches.

    `games` are the columns, by their ids. A row is a name, the wins in each column, and all wins. `none` says why there
    is no row. `at` is how many pages were turned, as in `Reading`.
    """

    title: str
    games: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], str], ...]
    matches: tuple[MatchFigures, ...]
    none: str
    key_hints: tuple[KeyHint, ...]
    at: int = 0


class AllTime(NamedTuple):
    """The standings of all time: name, rounds won of those played, rating. `game` is one game's id, "" for all."""

    title: str
    game: str
    rows: tuple[tuple[str, str, str], ...]
    none: str
    key_hints: tuple[KeyHint, ...]
    at: int = 0


class Keys(NamedTuple):
    """The newest keys in the order in which they arrived; before the first one, how to begin."""

    title: str
    note: str
    pressed: tuple[str, ...]
    begin: tuple[str, ...]


class Findings(NamedTuple):
    """What the doctor has found out about the box, None while it is `looking`.

    `at` is 0 for the overview with its note, then the number of a finding; the page after the last finding shows the
    keys.
    """

    title: str
    note: str
    looking: str
    found: tuple[Finding, ...] | None
    keys: Keys
    key_hints: tuple[KeyHint, ...]
    at: int = 0


class Code(NamedTuple):
    """The address of a web page as a QR code and in letters, and a short code that the page asks for.

    Where there is no address yet, `heading` and `waiting` say what the box waits for.
    """

    heading: str
    address: str
    shown: str
    code: str
    waiting: str
    key_hints: tuple[KeyHint, ...]


class PhoneQuestion(NamedTuple):
    """A question about the phone of `name`: `said` comes before the name, and `must_show` before what it must show.

    `digits` are the digits that the phone must show. They are "" in the copy for clients, so that no other phone learns
    them. `must_show` is "" where the phone needs to show nothing.
    """

    title: str
    said: str
    name: str
    key_hints: tuple[KeyHint, ...]
    figure: str = ""
    must_show: str = ""
    digits: str = ""


class OwnPieces(NamedTuple):
    """A player's own pieces as they are printed, to choose one of them. The cursor is `on` one, from 0."""

    title: str
    name: str
    pieces: tuple[str, ...]
    on: int
    key_hints: tuple[KeyHint, ...]


class Mend(NamedTuple):
    """A `wrong` piece, and the one that is typed or picked instead.

    `row` are the pieces that can be picked, the one in `column` under the picker. Without a row, `said` is shown
    instead.
    """

    title: str
    name: str
    wrong: str
    new: str
    said: str
    row: tuple[str, ...]
    column: int
    key_hints: tuple[KeyHint, ...]


class Rest(NamedTuple):
    """Who is to move, to be read from afar: the `seat` from 1, and each player's number or time, or one for all.

    `said` is a line below, "" for none. `names` are those of all players.
    """

    name: str
    seat: int
    numbers: tuple[str, ...]
    said: str = ""
    names: tuple[str, ...] = ()
    key_hints: tuple[KeyHint, ...] = ()


class Drawn(NamedTuple):
    """What a game, by its id, draws itself: a position, pieces that are named or shown, or a page of its own."""

    game: str
    scene: Scene | NamingScene | PeekScene | PageScene


Content = (
    Question | Notice | Refusal | Cover | Result | MatchResult
    | Scores | Sheet | Resumption | Pairing
    | Reading | Parts | Progress | Claims | Standings | AllTime | OwnPieces | Mend | Drawn | Rest
    | Findings | Code | PhoneQuestion
    | Choice | Amount | Form | Seating | Letters
)  # fmt: skip
