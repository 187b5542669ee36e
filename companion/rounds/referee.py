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
from companion.games.api.game_texts import GameTexts
from companion.languages import Text, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.api import Claim
    from companion.rounds.on_table import Round

_SEAT_PATTERN = re.compile(r"\bseat ([1-6])\b")

Knowledge = Literal["all", "some", "none"]

_NO_MOVE_NOW: dict[Knowledge, str] = {
    "all": "Now, at move {number}, {who} can't move.",
    "some": "Now, at move {number}, {who} can't move with the pieces I know.",
    "none": "Now, at move {number}, {who}'s pieces are secret, so I can't know.",
}
_NO_MOVE_THEN: dict[Knowledge, str] = {
    "all": "{who} {did} at move {number} and could not move then.",
    "some": "{who} {did} at move {number} and could not move then with the pieces I know.",
    "none": "{who} {did} at move {number}, with secret pieces: I can't know if that was right.",
}


def with_player_names(refusal: str, round_: Round | None) -> str:
    """Put printed pieces and players' names into a refusal: a name in place of ``seat 2``."""
    if round_ is None:
        return refusal
    if isinstance(refusal, Text):
        return with_seat_names(refusal, round_, round_.move_input.with_printed_names)
    return _SEAT_PATTERN.sub(
        lambda found: _player_text(round_, int(found[1])), round_.move_input.with_printed_names(refusal)
    )


def with_seat_names(sentence: str, round_: Round | None, print_pieces: Callable[[str], str] = str) -> str:
    """Put the player's name in place of each value that is a seat (`player_in_seat`), and print the others."""
    if round_ is None or not isinstance(sentence, Text):
        return sentence
    if sentence.message == SEAT_MESSAGE:
        return _player_text(round_, sentence.values["seat"])
    return sentence.with_values({
        field: with_seat_names(value, round_, print_pieces) if isinstance(value, Text)
        else print_pieces(value) if isinstance(value, str)
        else value
        for field, value in sentence.values.items()
    })  # fmt: skip


def _player_text(round_: Round, seat: int) -> str:
    return round_.player_name(seat) if seat <= len(round_.header.names) else text(SEAT_MESSAGE, seat=seat)


@lru_cache(maxsize=1)
def _proven_claims(game: str, start: Any, events: tuple[tuple[int, str], ...]) -> tuple[Claim, ...]:
    """The claims of a finished round. Cached, since a long round takes a while and each picture of its result asks."""
    rules = games.load_rules(game)
    return rules.false_claims(start, [(seat, rules.parse_move(event)) for seat, event in events])


def false_claim_rows(round_: Round) -> tuple[tuple[str, str, str], ...]:
    """The false "I can't move" of sealed holdings that a finished round proves: who, which move, what was possible."""
    if not round_.is_over:
        return ()
    rows = []
    for claim in _proven_claims(round_.header.game, round_.states[0], round_.events):
        # An example that is not sure would reveal a drawn piece, so it is not named.
        played = round_.move_input.possible_move_text(claim.example, round_.options)
        sentence = (
            text("could have {played} (proven later)", played=played)
            if claim.is_certain
            else text("could have moved: later moves prove it")
        )
        number = move_number(round_, claim.event + 1)
        rows.append((round_.player_name(claim.seat), text("move {number}:", number=number), sentence))
    return tuple(rows)


def could_have_moved_lines(round_: Round, seat: int | None = None) -> tuple[str, ...]:
    """Lines that say whether the seat to move has a valid move, and whether the last "I can't move" was right.

    With a `seat` they are about that seat alone.
    """
    turn = round_.turn
    if seat not in (None, turn):
        return text("Could I have moved?"), *last_claim_lines(round_, seat)
    sentence, next_move = text("Nobody is to move."), move_number(round_, len(round_.events)) + 1
    never_passes = _never_passes(round_)
    if turn is not None and (never_passes or round_.game.find_legal_move(round_.state) is not None):
        sentence = text("Now, at move {number}, {who} can move.", number=next_move, who=round_.player_name(turn))
    elif turn is not None:
        sentence = text(_NO_MOVE_NOW[_knowledge_of(round_, turn)], number=next_move, who=round_.player_name(turn))
    claim_lines = last_claim_lines(round_, seat)
    if seat is None and not claim_lines and not never_passes:
        claim_lines = (text("Nobody has said so far: I can't move."),)
    return text("Could I have moved?"), sentence, *claim_lines


def _never_passes(round_: Round) -> bool:
    """Whether nobody can say "I can't move" in this game, so that whoever is to move can move."""
    return is_inherited(round_.move_input.claim_text, GameTexts.claim_text)


def may_have_had_no_move(round_: Round) -> bool:
    """Whether it is worth asking if somebody could have moved."""
    return not _never_passes(round_) or bool(last_claim_lines(round_))


def can_judge_moves(round_: Round) -> bool:
    """Whether a review has something to judge: the moves of a seat all of whose pieces were named."""
    return any(_knowledge_of(round_, seat) == "all" for seat in range(1, len(round_.header.names) + 1))


def last_claim_lines(round_: Round, asking_seat: int | None = None) -> tuple[str, ...]:
    """Whether the last "I can't move" was right: of skipped seats, else of the last draw or pass.

    With a seat that asks there are none about others.
    """
    skipped = () if round_.missing_holdings else round_.game.skipped_seats(round_.state)
    if skipped:
        return tuple(_skipped_text(round_, seat) for seat in dict.fromkeys(skipped) if asking_seat in (None, seat))
    for number, (seat, event) in reversed(list(enumerate(round_.events, 1))):
        if claimed := round_.move_input.claim_text(event):  # With an open holding, a false claim is refused at once.
            if asking_seat not in (None, seat):
                break
            had = _NO_MOVE_THEN[_knowledge_of(round_, seat)]
            return (text(had, number=move_number(round_, number), who=round_.player_name(seat), did=claimed),)
    return ()


def move_number(round_: Round, event_number: int) -> int:
    """The number, from 1, of the move that is event `event_number`, from 1. Pieces drawn after a move are no moves."""
    words = round_.move_input
    events = (event for _, event in round_.events[:event_number])
    return sum(bool(words.claim_text(event)) or not words.revealed_piece_text(event) for event in events)


def _skipped_text(round_: Round, seat: int) -> str:
    """The sentence that a seat was skipped, and why."""
    if reason := round_.move_input.skip_reason(round_.state, seat):
        return text("{who} was skipped: {why}.", who=round_.player_name(seat), why=reason)
    return text("{who} was skipped: no valid move.", who=round_.player_name(seat))


def _knowledge_of(round_: Round, seat: int) -> Knowledge:
    """How many of a seat's holdings the referee knows."""
    kinds = tuple(round_.manifest.holdings)
    opened = [kind for kind in kinds if (kind, seat) in round_.header.opened]
    return "all" if len(opened) == len(kinds) else "some" if opened else "none"


def public_refusal(round_: Round, move: str) -> RefusedError | None:
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
