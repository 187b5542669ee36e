"""Checks of a game's move input: drafts of typed and picked moves, and pieces that are named."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.random_rounds import RandomRound, first_word, random_picks, refusal_of_text
from companion.games.api import RefusedError
from companion.games.api.board import BoardScene
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import ARROWS, Draft

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.games.api.board import Board
    from companion.games.api.move_input import MoveInput


KEYS = "0123456789ABCD"
MAX_KEYS = 8
"""The largest number of keys that are tried for a typed move."""
ALL_PICKS_SHARE = 0.3
"""In a game with hands, the share of positions in which every pick is tried, since that takes long."""
MAX_DRAFTS = 600
"""The largest number of drafts, typed or picked, that are tried for a position."""
MAX_POSITIONS = 40
"""The largest number of positions of which the legal events are looked at."""
MAX_KINDS = 3
"""The largest number of positions in which all moves are entered."""
MAX_DRAWINGS = 60
"""The largest number of a phone's drawings in which all places are tapped."""


def keys_are_distinct(played: RandomRound, chance: Random) -> None:
    """No two legal events of a position have the same keys."""
    for state, _ in played.sample_turns(MAX_POSITIONS):
        owners: dict[str, str] = {}
        for event in map(str, played.rules.legal_moves(state)):
            if keys := played.move_input.keys_for_event(event):
                owner = owners.setdefault(keys, event)
                assert owner == event, (
                    f"{owner} and {event} both have the keys {keys} in one position: keys_for_event must give one of "
                    "them other keys"
                )


def drafts_are_judged(played: RandomRound, chance: Random) -> None:
    """Typed keys give a draft or None, picks give a draft, and the rules accept the event of each draft judged ``ok``.

    Picks are judged by public knowledge, so in a game with holdings the rules may still refuse a pick that is ``ok``.
    """
    for state, seat in played.sample_turns(6):
        assert any(played.move_input.draft_from_keys(state, key) is not None for key in KEYS), "no key begins a move"
        keys = ""
        for _ in range(6):
            longer = keys + chance.choice(KEYS)
            typed = played.move_input.draft_from_keys(state, longer)
            keys = longer if typed is not None else keys
            if typed is not None:
                _check_draft(played, state, seat, typed)
        for pick in random_picks(played.move_input, state, chance, 12):
            draft = played.move_input.draft_from_pick(state, pick)
            _check_draft(played, state, None if played.manifest.holdings else seat, draft)
            _check_tick(draft, has_next_step=played.move_input.pick_after_ok(state, pick) is not None)


def _check_draft(played: RandomRound, state: Any, seat: int | None, draft: Draft) -> None:
    """Check a draft. `seat` is the seat to move if the full position was used, None for the public's view."""
    assert isinstance(draft, Draft), f"the move input gives {draft!r}, which is no Draft"
    assert draft.verdict in ("more", "ok", "no"), f"a draft has the verdict {draft.verdict!r}: use more, ok or no"
    assert draft.text, f"a draft of {draft.event} has no text"
    if draft.verdict == "more":
        assert draft.event is None, f"{draft.text!r} is incomplete, but has the event {draft.event}"
    if draft.next_step:
        assert draft.verdict != "no", f"{draft.text!r} is refused, but OK would {draft.next_step!r}"
    if draft.verdict == "ok":
        assert draft.event, f"{draft.text!r} is shown as possible, but has no event"
    if draft.attempted_event:
        _check_attempted_event(played, state, draft)
    if draft.event is not None:
        played.rules.parse_move(draft.event)
        if seat is not None and draft.verdict == "ok":
            refused = refusal_of_text(played.rules, state, seat, draft.event)
            assert refused is None, (
                f"{draft.text!r} is shown as possible, but play_move refuses {draft.event}: {refused}"
            )


def _check_tick(draft: Draft, *, has_next_step: bool) -> None:
    """Check that a tick is shown only if OK plays, and that the draft says what OK leads to otherwise."""
    if has_next_step and draft.verdict != "no":
        assert draft.verdict == "more", f"{draft.text!r} has a tick, but OK goes on to the next step"
        assert draft.next_step, f"OK goes on from {draft.text!r}, but its next_step does not say to what"


def _check_attempted_event(played: RandomRound, state: Any, draft: Draft) -> None:
    """Check that OK plays nothing incomplete: the attempted event is refused, or is a claim "I can't move"."""
    assert draft.event is None, f"{draft.text!r} has the event {draft.event} and tries another"
    is_claim = bool(played.move_input.claim_text(draft.attempted_event))
    refused = refusal_of_text(played.rules, state, played.rules.seat_to_move(state) or 1, draft.attempted_event)
    assert is_claim or refused is not None, f"OK would play {draft.attempted_event} of the incomplete {draft.text!r}"


def pieces_can_be_named(played: RandomRound, chance: Random) -> None:
    """The picker offers each piece that can be dealt, and `parse_deal` reads what players hand in, typed or picked.

    Players hand in the written form of each piece, with a blank between two.
    """
    rules, move_input, header = played.rules, played.move_input, played.header
    for (kind, _), pieces in rules.deal_holdings(header.seats, header.options, chance.sample).items():
        named = [rules.format_deal((piece,)) for piece in pieces]
        offered = {piece for row in move_input.piece_rows(kind, header.options) for piece in row}
        for piece in named:
            assert piece in offered, f"{piece} can be dealt, but piece_rows of the {kind} has no {piece!r}"
        for order in (named, named[::-1]):
            _check_pieces_handed_in(played, kind, order, pieces)
        unknown = set(named) - _typed_pieces(played, kind)
        assert not unknown, f"no keys type these pieces of the {kind}: {' '.join(sorted(unknown))}"


def hidden_pieces_are_masked(played: RandomRound, chance: Random) -> None:
    """Pieces of a holding are dots while they are named, unless it is face up; their owner gets them in words."""
    rules, move_input = played.rules, played.move_input
    for (kind, seat), pieces in played.deals.items():
        words = played.manifest.holding_words(kind)
        if words is None or words.is_face_up:
            continue
        for piece in pieces:
            written = rules.format_deal((piece,))
            assert move_input.is_piece_hidden(kind, written), (
                f"everybody could read {written} while the {words.noun} is being named: see is_piece_hidden"
            )
        assert move_input.own_pieces_text(rules.seat_view(played.states[0], seat), seat), (
            f"own_pieces_text has no words for an open {words.noun}"
        )


def _check_pieces_handed_in(played: RandomRound, kind: str, named: list[str], pieces: tuple[Any, ...]) -> None:
    """Check that the rules read pieces as the session hands them in."""
    text = " ".join(named)
    try:
        read = played.rules.parse_deal(text, kind, played.header.options)
    except RefusedError as refused:
        raise AssertionError(
            f"the players hand in a {kind} as {text!r}, but parse_deal refuses it: {refused}"
        ) from None
    assert read == pieces, f"the players hand in a {kind} as {text!r}, but parse_deal makes {read} of it"


def _typed_pieces(played: RandomRound, kind: str) -> set[str]:
    """The pieces that keys type, by a breadth-first search that ends with each piece."""
    found, todo = set[str](), deque([""])
    for _ in range(MAX_DRAFTS):
        if not todo:
            break
        keys = todo.popleft()
        for key in KEYS:
            if (read := played.move_input.parse_typed_pieces(keys + key, kind, played.header.options)) is not None:
                found.update(read[0])
                todo += [read[1]] if read[1] and len(read[1]) > len(keys) else []
    return found


def moves_can_be_entered(played: RandomRound, chance: Random) -> None:
    """Keypad, six buttons and the places to tap on a phone enter the same: each legal play of an open holding.

    The keys of `keys_for_event` for a legal event type that event.
    """
    rules, move_input = played.rules, played.move_input
    for state, seat in _turns_of_other_kinds(played, chance):
        typed, all_typed = typed_drafts(move_input, state)
        assert typed, "no keys type a move"
        _check_first_keys(move_input, state, typed)
        known = played.is_open(seat) and (not played.manifest.holdings or chance.random() < ALL_PICKS_SHARE)
        picked, all_picked = _picked_events(move_input, state, once=not known)
        assert picked, "no presses of the six buttons pick a move"
        ways = {"picked by buttons": picked if all_picked else None, "typed": {*typed} if all_typed else None}
        if known and (board := games.load_board(played.manifest.id)) is not None:
            ways["tapped on a phone"] = _tapped_events(played, board, state, seat)
        texts_by_way = {
            way: {str(rules.parse_move(text)) for text in events} for way, events in ways.items() if events is not None
        }
        for move in rules.legal_moves(state):
            is_play = not (is_draw(str(move)) or move_input.claim_text(str(move)))
            for way, texts in texts_by_way.items() if known and is_play else ():
                others = next((other for other, entered in texts_by_way.items() if str(move) in entered), "")
                assert str(move) in texts, (
                    f"{move} cannot be {way}, but it is legal{others and f' and can be {others}'}"
                )
            if keys := move_input.keys_for_event(str(move)):
                draft = move_input.draft_from_keys(state, keys)
                event = "" if draft is None else draft.event or draft.attempted_event
                # An open hand's draw is listed without its piece, which is typed after these keys.
                assert event or (draft and is_draw(str(move))), f"{keys} types no move, but is told for {move}"
                assert not event or rules.parse_move(event) == move, f"{keys} types {event}, but is told for {move}"


def _check_first_keys(move_input: MoveInput, state: Any, typed: dict[str, tuple[str, Draft]]) -> None:
    """Check that no key of a move that is possible is crossed while further keys follow."""
    for event, (keys, whole) in typed.items():
        for first in (keys[:count] for count in range(1, len(keys)) if whole.verdict == "ok"):
            draft = move_input.draft_from_keys(state, first)
            assert draft is None or draft.verdict != "no", (
                f"draft_from_keys crosses the keys {first} as impossible, but {keys} play {event}: while further keys "
                "may follow, the verdict is more, and the draft has no event"
            )


def _turns_of_other_kinds(played: RandomRound, chance: Random) -> Iterator[tuple[Any, int]]:
    """Two or three turns, if there are as many; first those with other events, as `again` and `stop` after `roll`."""
    kinds, others = dict[frozenset[str], int](), list[int]()
    for number in chance.sample(range(len(played.states)), min(MAX_POSITIONS, len(played.states))):
        state = played.states[number]
        if played.rules.seat_to_move(state) is not None and played.move_input.due_refill(state) is None:
            words = frozenset(first_word(str(move)) for move in played.rules.legal_moves(state))
            if kinds.setdefault(words, number) != number:
                others.append(number)
    for number in [*kinds.values(), *others[: max(0, 2 - len(kinds))]][:MAX_KINDS]:
        state = played.position_to_check(number)
        yield state, played.rules.seat_to_move(state) or 1
    played.checked_position.clear()


def typed_drafts(move_input: MoveInput, state: Any) -> tuple[dict[str, tuple[str, Draft]], bool]:
    """The events that keys type, each with its first keys and draft, by a depth-first search in the order of `KEYS`.

    The second value says whether all keys were tried. Refused drafts are left out, unless nothing else can be typed.
    """
    todo, found, refused = list(reversed(KEYS)), dict[str, tuple[str, Draft]](), dict[str, tuple[str, Draft]]()
    for _ in range(MAX_DRAFTS):
        if not todo:
            break
        keys = todo.pop()
        draft = move_input.draft_from_keys(state, keys)
        if draft is not None and draft.event is not None:
            (refused if draft.verdict == "no" else found).setdefault(draft.event, (keys, draft))
        if draft is not None and len(keys) < MAX_KEYS:
            todo += [keys + key for key in reversed(KEYS)]
    return found or refused, not todo


def _tapped_events(played: RandomRound, board: Board, state: Any, seat: int) -> set[str] | None:
    """The events that taps on a phone enter; None if there is nothing to tap, or too much to try it all."""
    view, names, events = played.rules.seat_view(state, seat), played.header.players, set[str]()
    keys_tried, todo = {""}, deque([""])
    for _ in range(MAX_DRAWINGS):
        if not todo:
            return events
        keys = todo.popleft()
        draft = played.move_input.draft_from_keys(view, keys) if keys else None
        if draft is not None and (event := draft.event or draft.attempted_event):
            events.add(event)
        drawing = board.draw_scene(BoardScene(view, names, (), seat, keys, is_to_move=True))
        if not keys and not drawing.all_taps:
            return None
        for tap in drawing.all_taps:
            if tap.keys not in keys_tried:
                keys_tried.add(tap.keys)
                todo.append(tap.keys)
    return None


def _picked_events(move_input: MoveInput, state: Any, *, once: bool) -> tuple[set[str], bool]:
    """The events that the buttons can enter, and whether all picks were tried.

    With `once` the search ends with the first event.
    """
    first = move_input.initial_pick(state)
    picks_tried, todo, events = {first}, deque([first]), set[str]()
    while todo and len(picks_tried) < MAX_DRAFTS:
        pick = todo.popleft()
        following = move_input.pick_after_ok(state, pick)
        if following is None and (event := move_input.draft_from_pick(state, pick).event) is not None:
            events.add(event)
            if once:
                break
        steps = [move_input.pick_after_arrow(state, pick, arrow) for arrow in ARROWS]
        for step in steps if following is None else [following, *steps]:
            if step not in picks_tried:
                picks_tried.add(step)
                todo.append(step)
    return events, not todo
