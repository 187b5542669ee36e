"""Checks that hands stay secret: two hands that nobody else can tell apart give everybody the same words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.input_checks import KEYS, typed_drafts
from companion.gamekit.contract.picture_faults import draw_and_check_picture
from companion.gamekit.contract.random_rounds import (
    PLAYER_NAMES,
    TRIED_TEXTS,
    RandomRound,
    random_picks,
    refusal_of_text,
)
from companion.gamekit.contract.screen_checks import scene_after
from companion.games.api import RefusedError
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import without_hidden_pieces
from companion.games.plain_screen import PLAIN_SCREEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from companion.games.api.move_input import Draft

BUTTON_PRESSES = 12
"""The number of button presses that are tried in a position."""
MAX_DEALS = 8
"""How many times another hand is dealt, or another piece drawn, until one fits the events."""
MAX_REPLAYED_EVENTS = 40
"""Only so many events of a round are replayed with another hand."""
MAX_DRAWS = 4
"""So many draws of a round are repeated with another piece."""


def draws_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """After the draw of a hidden piece everybody sees and reads the same as after the draw of another one."""
    rules, move_input = played.rules, played.move_input
    draws = [
        number for number, (_, move) in enumerate(played.events) if is_draw(str(move)) and len(str(move).split()) > 1
    ]
    screen = games.load_screen(played.manifest.id) or PLAIN_SCREEN
    for number in chance.sample(draws, min(MAX_DRAWS, len(draws))):
        seat, move = played.events[number]
        state, after = played.position_to_check(number), played.states[number + 1]
        other = _another_draw(played, number, chance)
        if other is None:
            continue
        other_move, other_after = other
        name, piece = played.header.players[seat - 1], str(move).partition(" ")[2]
        if rules.seat_view(after, None) != rules.seat_view(other_after, None):
            # Everybody sees what is drawn: then it must be no hidden piece.
            is_told = without_hidden_pieces(move_input, str(move)) == str(move)
            assert is_told, f"{name}'s {piece} can be seen in the public's view after {move}: see seat_view"
            continue
        for event in (move, other_move):
            assert without_hidden_pieces(move_input, str(event)) != str(event), (
                f"{name}'s {str(event).partition(' ')[2]} can be read in the words of {event}, though seat_view hides "
                f"it: see is_piece_hidden for {str(event).split()[0]!r}"
            )
        assert move_input.revealed_piece_text(str(move)), (
            f"revealed_piece_text has no words for {move}, though only its player has seen the piece: the "
            "question before a takeback shows them"
        )
        if move_input.must_draw(after) != move_input.must_draw(other_after):
            continue
        pictures = []
        for event, reached in ((move, after), (other_move, other_after)):
            events, states = [*played.events[:number], (seat, event)], [*played.states[: number + 1], reached]
            reached_round = played._replace(events=events, states=states)
            scene = scene_after(reached_round, number + 1, None, "", buttons=False)
            pictures.append(draw_and_check_picture(screen.draw, scene, PLAYER_NAMES, with_margins=False))
        assert pictures[0] == pictures[1], (
            f"{name}'s {piece} can be seen in the public picture after {move}: it differs from that after {other_move}"
        )
        said = [
            f"{move_input.turn_end_reason(state, each)} {move_input.blocked_reason(each)}"
            for each in (after, other_after)
        ]
        assert said[0] == said[1], (
            f"{name}'s {piece} can be told from turn_end_reason or blocked_reason after {move}: {' / '.join(said)}"
        )
    played.checked_position.clear()


def picks_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """The picker is visible to everybody: it shows the same by the full position and by the public's view."""
    move_input = played.move_input
    for state, _ in played.sample_turns(6):
        view = played.rules.seat_view(state, None)
        if bool(move_input.claim_instructions(state)) != bool(move_input.claim_instructions(view)):
            continue  # An open hand makes it public whether its owner can move, and "I can't move" is one of the picks.
        for pick in random_picks(move_input, state, chance, BUTTON_PRESSES):
            shown, public = move_input.draft_from_pick(state, pick), move_input.draft_from_pick(view, pick)
            event = shown.event or shown.attempted_event
            # An open hand makes it public whether its owner can move.
            is_claim = event and (is_draw(event) or move_input.claim_text(event))
            assert is_claim or shown == public, (
                f"draft_from_pick tells a hidden piece: {shown}, by the public's view {public}"
            )
    for seat, state, other in _turns_with_two_hands(played, chance):
        initial_picks = [move_input.initial_pick(each) for each in (state, other)]
        alike = move_input.must_draw(state) == move_input.must_draw(other)  # The panel says who must draw.
        assert not alike or initial_picks[0] == initial_picks[1], (
            f"initial_pick tells what seat {seat} holds: it begins with {initial_picks}"
        )


def owners_see_their_own_hands(played: RandomRound, chance: Random) -> None:
    """`own_pieces_text` is about the owner's hand: it differs for other pieces."""
    for seat in range(1, played.header.seats + 1):
        if (pair := _two_hands(played, seat, 0, chance)) is not None:
            hand_texts = [played.move_input.own_pieces_text(played.rules.seat_view(each, seat), seat) for each in pair]
            assert hand_texts[0] != hand_texts[1], (
                f"own_pieces_text shows seat {seat} the same for two hands: {hand_texts[0]}"
            )


def refusals_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """A refusal is on the panel for everybody: it is the same whichever pieces are in the open hand.

    Moves of either hand are tried, and of a third one, with pieces that are in neither.
    """
    for seat, state, other in _turns_with_two_hands(played, chance):
        third = _two_hands(played, seat, played.checked_position[0], chance)
        own = [*TRIED_TEXTS, *(str(move) for each in (state, other) for move in played.rules.legal_moves(each))]
        others = [str(move) for each in (third or ())[1:] for move in played.rules.legal_moves(each)]
        for text in dict.fromkeys((*own, *chance.sample(others, min(20, len(others))))):
            refusals = [refusal_of_text(played.rules, each, seat, text) for each in (state, other)]
            reasons = [each.reason for each in refusals if each is not None]
            alike = len({each.code for each in refusals if each is not None}) == 1
            readable = _read_piece(played, seat, (state, other), reasons, text) if len(reasons) > 1 else ""
            # For moves of a third hand it may name either of the pieces that are missing.
            assert not alike or not (readable or (text in own and len(set(reasons)) > 1)), (
                f"refusing {text} tells what seat {seat} holds: {' / '.join(sorted(reasons))}{readable}"
            )


def drafts_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """What is typed is on the panel for everybody: it shows neither a hand nor a piece that is being drawn."""
    for seat, state, other in _turns_with_two_hands(played, chance):
        move_input = played.move_input
        typed = [keys for each in (state, other) for keys, _ in typed_drafts(move_input, each)[0].values()]
        for keys in dict.fromkeys((*KEYS, *chance.sample(typed, min(20, len(typed))))):
            drafts = [move_input.draft_from_keys(each, keys) for each in (state, other)]
            said = [
                _shown(draft) if draft else str(move_input.stray_key_text(each, keys[:-1], keys[-1]))
                for draft, each in zip(drafts, (state, other), strict=True)
            ]
            kinds = {draft and (draft.verdict, draft.event, draft.attempted_event) for draft in drafts}
            readable = _read_piece(played, seat, (state, other), said, drafts[0].text if drafts[0] else keys)
            # What is refused may say that the typed piece is not in the hand, and with another hand something else.
            may_differ = (
                len(kinds) > 1
                or (drafts[0] is not None and drafts[0].verdict == "no" and not readable)
                or move_input.must_draw(state) != move_input.must_draw(other)
            )
            assert may_differ or said[0] == said[1], (
                f"the draft of the keys {keys} tells what seat {seat} holds: {said[0]}, with another hand {said[1]}"
                f"{readable}"
            )
        _check_typed_draws(played, seat, state)
    played.checked_position.clear()


def _check_typed_draws(played: RandomRound, seat: int, state: Any) -> None:
    """Check that the drafts of two draws of hidden pieces look alike, at each number of keys."""
    drafts: dict[tuple[int, str], tuple[str, str]] = {}
    name = played.header.players[seat - 1]
    typed = [
        (event, keys)
        for event, (keys, _) in typed_drafts(played.move_input, state)[0].items()
        if is_draw(event) and without_hidden_pieces(played.move_input, event) != event
    ]
    shortest = min((len(keys) for _, keys in typed), default=0)
    for event, keys in typed:
        for end in (*range(1, shortest), len(keys)):
            draft = played.move_input.draft_from_keys(state, keys[:end])
            if draft is not None and draft.verdict != "no":
                before, shown = drafts.setdefault((end, draft.verdict), (event, _shown(draft)))
                assert shown == _shown(draft), (
                    f"{name}'s {event.partition(' ')[2]} can be read in the draft of the keys {keys[:end]}: "
                    f"{_shown(draft)}, but {shown} for {before}. Show a dot for a hidden piece"
                )


def _shown(draft: Draft) -> str:
    """What everybody sees of a draft."""
    fields = (draft.text, draft.working, draft.message, draft.next_step, "" if draft.marks is None else draft.marks)
    return " ".join(repr(str(field)) for field in fields if field != "")


def _read_piece(played: RandomRound, seat: int, states: tuple[Any, Any], texts: list[str], entered: str) -> str:
    """In words, a piece of the first hand alone that can be read in the first text alone, and was not entered."""
    view_of, held_pieces = played.rules.seat_view, played.move_input.held_pieces
    held, other = (set(held_pieces(view_of(each, seat), seat) or ()) for each in states)
    for piece in sorted(held - other):
        for written in (piece, str(played.move_input.printed_piece(piece, played.header.options))):
            is_hidden = piece not in entered and written not in texts[1]
            if is_hidden and re.search(rf"(?<!\w){re.escape(written)}(?!\w)", texts[0]):
                return f" ({played.header.players[seat - 1]}'s {written} can be read there)"
    return ""


def _another_draw(played: RandomRound, number: int, chance: Random) -> tuple[Any, Any] | None:
    """The same draw with another piece, and the position after it; None if none is found that leads as far.

    Of a draw that everybody sees in part only the hidden pieces are others.
    """
    rules, state, (seat, move) = played.rules, played.states[number], played.events[number]
    word = str(move).split()[0]
    listed = next((each for each in rules.legal_moves(state) if str(each) == word), None)
    public = without_hidden_pieces(played.move_input, str(move))
    for _ in range(MAX_DEALS if listed is not None else 0):
        other = rules.complete_draw(state, listed, chance.sample)
        differs_in_public = without_hidden_pieces(played.move_input, str(other)) != public
        if differs_in_public and public != str(move):
            continue
        if other != move and refusal_of_text(rules, state, seat, str(other)) is None:
            after = rules.play_move(state, seat, other)
            same_turn = rules.seat_to_move(after) == rules.seat_to_move(played.states[number + 1])
            same_skips = rules.skipped_seats(after) == rules.skipped_seats(played.states[number + 1])
            if same_turn and same_skips and after != played.states[number + 1]:
                return other, after
    return None


def _turns_with_two_hands(played: RandomRound, chance: Random) -> Iterator[tuple[int, Any, Any]]:
    """Each seat at its first turn and at a later one, with its open hand and with another possible one."""
    for seat in range(1, played.header.seats + 1):
        turns = [number for number, (who, _) in enumerate(played.events[:MAX_REPLAYED_EVENTS]) if who == seat]
        for number in sorted({*turns[:1], *(chance.sample(turns, 1) if turns else ())}):
            if (pair := _two_hands(played, seat, number, chance)) is not None:
                played.checked_position[:] = [number]
                yield seat, *pair
    played.checked_position.clear()


def _two_hands(played: RandomRound, seat: int, count: int, chance: Random) -> tuple[Any, Any] | None:
    """The position after `count` events with a seat's real open hand, and with another possible one.

    The other one is dealt anew, or has another piece in place of one that the seat still holds. None if this seat's
    hand is sealed, or if `MAX_DEALS` deals give no other hand that fits the events.
    """
    kinds = [str(kind) for kind, words in played.manifest.holdings.items() if not words.is_face_up]
    if not kinds or not {(kind, seat) for kind in kinds} <= played.deals.keys():
        return None
    rules, mine = played.rules, {(kind, seat) for kind in kinds}
    # With the other hands sealed every deal is possible, but what they have drawn may not be played again.
    sealed = {key: pieces for key, pieces in played.deals.items() if key in mine or key[0] not in kinds}
    for deals in (sealed, played.deals):
        before = _position_with_hands(played, deals, count)
        held = before and played.move_input.held_pieces(rules.seat_view(before, seat), seat)
        for attempt in range(MAX_DEALS if before else 0):
            dealt = rules.deal_holdings(played.header.seats, played.header.options, chance.sample)
            others = {key: dealt[key] for key in mine}
            if attempt % 2 and held:
                others = {key: _with_one_replaced(played, key, held, pieces, chance) for key, pieces in others.items()}
            after = _position_with_hands(played, {**deals, **others}, count)
            if after is not None and before != after:
                return before, after
    return None


def _with_one_replaced(
    played: RandomRound, key: tuple[str, int], held: Sequence[str], pieces: Sequence[Any], chance: Random
) -> tuple[Any, ...]:
    """The dealt pieces of a holding, with one of `pieces` in place of one that is still held."""
    dealt = list(played.deals[key])
    kept = [index for index, piece in enumerate(dealt) if played.rules.format_deal((piece,)) in held]
    if kept and pieces:
        dealt[chance.choice(kept)] = chance.choice(pieces)
    written = " ".join(played.rules.format_deal((piece,)) for piece in dealt)
    return played.rules.parse_deal(written, key[0], played.header.options)


def _position_with_hands(played: RandomRound, deals: dict[tuple[str, int], Any], count: int) -> Any:
    """The position after `count` events with these hands; None if they do not fit, or if somebody else is to move."""
    try:
        state = played.rules.initial_state(played.header.seats, played.header.options, deals)
        for who, move in played.events[:count]:
            state = played.rules.play_move(state, who, move)
    except RefusedError:
        return None
    return state if played.rules.seat_to_move(state) == played.rules.seat_to_move(played.states[count]) else None
