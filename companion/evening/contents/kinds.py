"""The kinds of content. A screen says one of them, and a display knows how to show each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.languages import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.api.hint import HintPart
    from companion.games.api.screen import NamingScene, PageScene, PeekScene, Scene
    from companion.inputs import Finding

Key = Literal["ok", "back", "up", "down", "left", "right", "digits", "any"]
"""What a key is for, whatever it is called on the device: OK is ``#`` on a keypad, and its A to D are the arrows."""

PAGE = 9
"""The places of a list that digits can pick at a time: those of one of its pages."""
VISIBLE = 5
"""The most entries of a list that the panel shows at a time."""


class KeyMeaning(NamedTuple):
    """A key that means something now, and what it does in a word or two; "" for what needs no word there.

    Where there is no room for that, one of the `shorter` forms stands there, the first that has room.
    """

    key: Key
    says: str = ""
    shorter: tuple[str, ...] = ()


def ok_back(ok: str, back: str) -> tuple[KeyMeaning, KeyMeaning]:
    """What OK and BACK mean, with messages as `text` takes them."""
    return KeyMeaning("ok", text(ok)), KeyMeaning("back", text(back))


class ChoiceLine(NamedTuple):
    """An entry of a list: its words, its place from 0, a note beside them, an icon.

    A digit picks the entry of that place on a page; some places may be left out. `icon` is a game's id or the name
    of an icon. `why` is why it cannot be used now, "" if it can. `pairs` stand in place of the words: up to four
    players, each with a score, "" for none. `names` are the players in the words. `explains` tells more of it, in a
    line of its own.
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
    """A list to pick from, the cursor on one of its entries (from 0); `notes` are what is asked, the longest first."""

    lines: tuple[ChoiceLine, ...]
    cursor: int
    meanings: tuple[KeyMeaning, ...]
    title: str = ""
    notes: tuple[str, ...] = ()


class Amount(NamedTuple):
    """A number that is set, perhaps half typed; `limit` says that another digit would be too many, "" else."""

    title: str
    note: str
    number: str
    typed: bool
    limit: str
    meanings: tuple[KeyMeaning, ...]


class Form(NamedTuple):
    """Numbers that are set, with their units: a row of them for each name, and their `meaning`, which changes too.

    The cursor is `on` a number, row by row from 0, or after the last one on `meaning`.
    """

    title: str
    meaning: str
    rows: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    on: int
    meanings: tuple[KeyMeaning, ...]


class Place(NamedTuple):
    """A seat before a round: who sits there, what it is called, and its icon among those of the game."""

    name: str
    caption: str = ""
    icon: str = ""


PLAYERS = text("Players")
"""The title of `Seating`, if it has no other."""


class Seating(NamedTuple):
    """Who sits where, the first one starts; `notes` are what is played, the longest first; `title` heads it."""

    game: str
    notes: tuple[str, ...]
    places: tuple[Place, ...]
    meanings: tuple[KeyMeaning, ...]
    title: str = PLAYERS


class Letters(NamedTuple):
    """A name that is spelled, and whose it is; `rows` are the letters to pick from, none where they are typed.

    The last row is of other things that OK does: done, an accent of the last letter, the other page; "" for what means
    nothing now. The cursor is in a `row` and a `column`, from 0. `board` is how a keypad's grid of letters is reached.
    """

    title: str
    whose: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    row: int
    column: int
    meanings: tuple[KeyMeaning, ...]
    board: str


class Seat(NamedTuple):
    """A player who is asked: ``yes`` who has agreed, ``asked`` whose yes is awaited, "" who is asked later."""

    name: str
    state: Literal["yes", "asked", ""] = ""


class Question(NamedTuple):
    """Something that is asked; with `seats` each of them has to agree."""

    title: str
    lines: tuple[str, ...]
    meanings: tuple[KeyMeaning, ...]
    seats: tuple[Seat, ...] = ()
    note: str = ""


class Notice(NamedTuple):
    """A message: an icon's name, a heading, what has happened, and what follows."""

    icon: str
    heading: str
    said: str
    follows: str
    meanings: tuple[KeyMeaning, ...] = ()


class Refusal(NamedTuple):
    """Why a move is refused: its numbers, what they contradict, the rule, and what would have been accepted."""

    code: str
    figure: str
    against: str
    rule: str
    needed: str
    meanings: tuple[KeyMeaning, ...] = ()


class Result(NamedTuple):
    """How a round has ended: the title says who has won, with the winners' names and why.

    Rows are a name and its number, whose `unit` says what it counts, the winners first; `game` is its id.
    """

    game: str
    title: str
    winners: tuple[str, ...]
    reason: str
    unit: str
    rows: tuple[tuple[str, int], ...]
    meanings: tuple[KeyMeaning, ...] = ()


class MatchResult(NamedTuple):
    """A match between its rounds: rounds won by player, how many win it, who has, "" for nobody yet, and a note."""

    wins: tuple[tuple[str, int], ...]
    goal: int
    champion: str
    note: str
    meanings: tuple[KeyMeaning, ...] = ()


class Score(NamedTuple):
    """A player of a score pad, all points so far, and whether nobody has better ones."""

    name: str
    total: int
    leads: bool


class Scores(NamedTuple):
    """A score pad in play, the cursor on a `seat` (from 1), with the points that are entered for it.

    `title` is the game, or who deals; `notes` say how it ends, the longest first. `change` are the points in
    letters, "" for none, and `total` what they lead to, None while only a sign is there; `limit` says that another
    digit would be too many. `last` is the last entry, "" for none. `line` stands in place of all that, "" for
    nothing. With `at_rest` nobody has pressed a key for a while, and only the points are to be read.
    """

    title: str
    notes: tuple[str, ...]
    players: tuple[Score, ...]
    seat: int
    change: str = ""
    total: int | None = None
    limit: str = ""
    last: str = ""
    meanings: tuple[KeyMeaning, ...] = ()
    line: str = ""
    at_rest: bool = False


class Sheet(NamedTuple):
    """What each player of a score pad got in each turn, None without an entry, and has now.

    `row` and `column` come first.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int | None, ...], ...]
    totals: tuple[int, ...]
    row: int
    column: int
    meanings: tuple[KeyMeaning, ...] = ()


class Resumption(NamedTuple):
    """The question whether to go on with a game by its id: its name, who plays, and where it was left."""

    title: str
    game: str
    name: str
    players: str
    left_at: str
    meanings: tuple[KeyMeaning, ...]


class Pairing(NamedTuple):
    """The question whether a pairing of a tournament is begun: where, in which round, who, and what is played."""

    title: str
    round: str
    names: tuple[str, ...]
    game: str
    meanings: tuple[KeyMeaning, ...]


class Cover(NamedTuple):
    """A title, or the last picture, which says that the power may be cut."""

    last: bool = False
    meanings: tuple[KeyMeaning, ...] = ()


class Reading(NamedTuple):
    """Paragraphs to read under a heading, which has a `note` at its right.

    `at` is how many pages were turned; the display makes them, and beyond its last one it shows that. With `parted`
    each paragraph is a page of its own.
    """

    title: str
    paragraphs: tuple[str, ...]
    meanings: tuple[KeyMeaning, ...]
    at: int = 0
    note: str = ""
    parted: bool = False


class Parts(NamedTuple):
    """Parts to read one at a time, each under its own heading; `at` is the one that is open, from 0."""

    parts: tuple[HintPart, ...]
    meanings: tuple[KeyMeaning, ...]
    at: int = 0


class Progress(NamedTuple):
    """Something that is being thought out: so many `percent` of it, what is said of it, and what of the wait."""

    title: str
    percent: int
    said: str
    follows: str
    meanings: tuple[KeyMeaning, ...] = ()


class Claims(NamedTuple):
    """False claims to read one at a time: who, which move, what it could have been; `at` is the open one, from 0."""

    title: str
    rows: tuple[tuple[str, str, str], ...]
    meanings: tuple[KeyMeaning, ...]
    at: int = 0


class MatchFigures(NamedTuple):
    """A match: its game's id and name, round wins by player, result, and rounds; `summary` in forms, longest first."""

    game: str
    name: str
    wins: tuple[tuple[str, int], ...]
    result: str
    rounds: str
    summary: tuple[str, ...]


class Standings(NamedTuple):
    """Who has won how many rounds, and matches after them.

    `games` are the columns by their ids; a row is a name, the wins in each column, and all wins. `none` says why there
    is no row. `at` is how many pages were turned, as in `Reading`.
    """

    title: str
    games: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], str], ...]
    matches: tuple[MatchFigures, ...]
    none: str
    meanings: tuple[KeyMeaning, ...]
    at: int = 0


class AllTime(NamedTuple):
    """Rows of name, rounds won of those played, and rating with its doubt; of one game by its id, "" for all."""

    title: str
    game: str
    rows: tuple[tuple[str, str, str], ...]
    none: str
    meanings: tuple[KeyMeaning, ...]
    at: int = 0


class Keys(NamedTuple):
    """The newest keys as they arrive, in order; before the first one how to begin."""

    title: str
    note: str
    pressed: tuple[str, ...]
    begin: tuple[str, ...]


class Findings(NamedTuple):
    """What was found in the box, None while it is `looking`.

    `at` is 0 for the overview with its note, then the number of a finding, after the last one that of the keys.
    """

    title: str
    note: str
    looking: str
    found: tuple[Finding, ...] | None
    keys: Keys
    meanings: tuple[KeyMeaning, ...]
    at: int = 0


class Code(NamedTuple):
    """The address of a page as a code that a camera reads, how it is shown in letters, and a short code of the page.

    Where there is no address yet, `heading` and `waiting` say what it waits for.
    """

    heading: str
    address: str
    shown: str
    code: str
    waiting: str
    meanings: tuple[KeyMeaning, ...]


class PhoneQuestion(NamedTuple):
    """A question about the phone of `name`: what is `said` before it, and what the phone `must_show`, "" for nothing.

    `digits` are what it must show; "" where they are kept from the others.
    """

    title: str
    said: str
    name: str
    meanings: tuple[KeyMeaning, ...]
    figure: str = ""
    must_show: str = ""
    digits: str = ""


class OwnPieces(NamedTuple):
    """A player's own pieces as they are printed, to choose the one `on` which the cursor is, from 0."""

    title: str
    name: str
    pieces: tuple[str, ...]
    on: int
    meanings: tuple[KeyMeaning, ...]


class Mend(NamedTuple):
    """A `wrong` piece and what is typed or picked in its place.

    `row` are the pieces that can be picked, the one in `column` under the picker; without them something is `said`.
    """

    title: str
    name: str
    wrong: str
    new: str
    said: str
    row: tuple[str, ...]
    column: int
    meanings: tuple[KeyMeaning, ...]


class Rest(NamedTuple):
    """Who is to move, the `seat` from 1, to be read from afar: a number or a time for each player, or one for all.

    Something may be `said` below it, "" for nothing.
    """

    name: str
    seat: int
    numbers: tuple[str, ...]
    said: str = ""
    meanings: tuple[KeyMeaning, ...] = ()


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


def meaning(meanings: Iterable[KeyMeaning], key: Key) -> KeyMeaning | None:
    """What a key means, None where it means nothing."""
    return next((each for each in meanings if each.key == key), None)
