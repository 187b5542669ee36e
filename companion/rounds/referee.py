"""What the referee says about a round: refusals with the players' names, and whether somebody could have moved.

The referee does not see sealed holdings. A false "I can't move" of such a seat is proven only by what the seat plays
later, so it is reported when the round is over.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from companion import games
from companion.games.api import SEAT_MESSAGE, RefusedError, is_inherited
from companion.games.api.words import GameTexts
from companion.languages import Text, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.api import Claim
    from companion.rounds.on_table import Round

_SEAT = re.compile(r"\bseat ([1-4])\b")

Known = Literal["all", "some", "none"]

_HAS: dict[Known, str] = {
    "all": "{who} has no valid move now.",
    "some": "{who} has no valid move with the pieces I know.",
    "none": "{who}'s pieces are secret: I can't know.",
}
_HAD: dict[Known, str] = {
    "all": "{who} {did} at move {number}, and had no valid move then.",
    "some": "{who} {did} at move {number}, and had no valid move then with the pieces I know.",
    "none": "{who} {did} at move {number}, with secret pieces: I can't know if that was right.",
}


def with_names(words: str, round_: Round | None) -> str:
    """Put printed pieces and players' names into a refusal: a name in place of ``seat 2``."""
    if round_ is None:
        return words
    if isinstance(words, Text):
        return with_seats(words, round_, round_.entry.with_printed_names)
    return _SEAT.sub(lambda found: _named(round_, int(found[1])), round_.entry.with_printed_names(words))


def with_seats(words: str, round_: Round | None, printed: Callable[[str], str] = str) -> str:
    """Put the player's name in place of each value that is a seat (`games.api.who_is_in`), and print the others."""
    if round_ is None or not isinstance(words, Text):
        return words
    if words.message == SEAT_MESSAGE:
        return _named(round_, words.values["seat"])
    return words.with_values({
        field: with_seats(value, round_, printed) if isinstance(value, Text)
        else printed(value) if isinstance(value, str)
        else value
        for field, value in words.values.items()
    })  # fmt: skip


def _named(round_: Round, seat: int) -> str:
    return round_.name(seat) if seat <= len(round_.header.names) else text(SEAT_MESSAGE, seat=seat)


@lru_cache(maxsize=1)
def _proven(game: str, start: Any, events: tuple[tuple[int, str], ...]) -> tuple[Claim, ...]:
    """The claims of a finished round. Cached, since a long round takes a while and each picture of its result asks."""
    rules = games.load_rules(game)
    return rules.false_claims(start, [(seat, rules.parse_move(event)) for seat, event in events])


def claims(round_: Round) -> tuple[tuple[str, str, str], ...]:
    """The false "I can't move" of sealed holdings that a finished round proves: who, which move, what was possible."""
    if not round_.over:
        return ()
    rows = []
    for claim in _proven(round_.header.game, round_.states[0], round_.events):
        # An example that is not sure would reveal a drawn piece, so it is not named.
        played = round_.entry.possible_move_text(claim.example, round_.options)
        said = (
            text("could have {played} (proven later)", played=played)
            if claim.is_certain
            else text("could have moved: later moves prove it")
        )
        rows.append((round_.name(claim.seat), text("move {number}:", number=claim.event + 1), said))
    return tuple(rows)


def could(round_: Round) -> tuple[str, ...]:
    """Lines that say whether the seat to move has a valid move, and whether the last "I can't move" was right."""
    turn = round_.turn
    now = text("Nobody is to move.")
    # In a game in which nobody can say "I can't move", whoever is to move can move.
    never_passes = is_inherited(round_.entry.claim_text, GameTexts.claim_text)
    if turn is not None and (never_passes or round_.game.find_legal_move(round_.state) is not None):
        now = text("{who} has a valid move now.", who=round_.name(turn))
    elif turn is not None:
        now = text(_HAS[_known_to(round_, turn)], who=round_.name(turn))
    return text("Could I have moved?"), now, *_last_claim(round_)


def _last_claim(round_: Round) -> tuple[str, ...]:
    """Whether the last "I can't move" was right: of skipped seats, else of the last draw or pass."""
    skipped = () if round_.waiting else round_.game.skipped_seats(round_.state)
    if skipped:
        return tuple(_skipped(round_, seat) for seat in dict.fromkeys(skipped))
    for number, (seat, event) in reversed(list(enumerate(round_.events, 1))):
        if claimed := round_.entry.claim_text(event):  # With an open holding, a false claim is refused at once.
            had = _HAD[_known_to(round_, seat)]
            return (text(had, number=number, who=round_.name(seat), did=claimed),)
    return ()


def _skipped(round_: Round, seat: int) -> str:
    """The sentence that a seat was skipped, and why."""
    if why := round_.entry.skip_reason(round_.state, seat):
        return text("{who} was skipped: {why}.", who=round_.name(seat), why=why)
    return text("{who} was skipped: no valid move.", who=round_.name(seat))


def _known_to(round_: Round, seat: int) -> Known:
    """How many of a seat's holdings the referee knows."""
    kinds = tuple(round_.manifest.holdings)
    opened = [kind for kind in kinds if (kind, seat) in round_.header.opened]
    return "all" if len(opened) == len(kinds) else "some" if opened else "none"


def refused_for_all(round_: Round, move: str) -> RefusedError | None:
    """Why a move is refused by what everybody may know; None if public knowledge does not forbid it.

    Text that is no move at all concerns only the phone that has sent it, so it is not reported either.
    """
    game, seat = round_.game, round_.turn
    try:
        if seat is not None:
            game.play_move(game.seat_view(round_.state, None), seat, game.parse_move(move))
    except RefusedError as refused:
        return refused if refused.code != "syntax" else None
    except Exception:  # A game of another package may fail at a position that none of its seats sees.
        if not games.is_added_game(round_.header.game):
            raise
    return None
