"""Entering a move of Coral Reef: a stack, then corals in placing order; picked with left/right and up/down.

The picker: left and right choose the stack (after the last one "I cannot", then a seed), up and down the coral that
stands last in the entry. Once a coral is entered, left and right leap: to the one that fills the sum, to the last one
again, to the ten, to the faces, to the end of the entry. OK on a tick plays, OK on an underscore adds the coral and
goes on to the next. It never looks into an open hand, only at what may be in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.entry import SILENT, Draft, Due
from companion.games.coral_reef import drafts as _coral_drafts
from companion.games.coral_reef import rules
from companion.games.coral_reef.drafts import Marks, label, left_over, piece, ranks, shown, total
from companion.games.coral_reef.sums import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEYS = dict(zip("1234567890BCD", "A23456789TJQK", strict=True)) | {"A": "A"}
"""Key → coral."""
END = "."
"""The picker's place behind the last coral: OK plays what is entered, right or wrong."""
MORE = "+"
"""Beside a coral that makes the sum right: add it, but go on."""


class Pick(NamedTuple):
    """The picker: on a ``play``, a ``seed``, the ``cannot`` of the seat, or the ``card`` that it draws.

    `corals` are added already, `cursor` is the one under the cursor, `END`, or a coral and `MORE`.
    """

    kind: str
    stack: int = 1
    corals: str = ""
    cursor: str = ""


# -- typed ------------------------------------------------------------------------------------------------------


def typed(state: rules.State, keys: str) -> Draft | None:
    """``254`` is ``2:54``, ``9`` a seed, ``0`` "I cannot", ``07`` a seven drawn into an open hand."""
    corals = "".join(KEYS.get(key, "?") for key in keys[1:])
    if not set(corals) <= set(ranks(state.form)):
        return None
    if keys[0] == "0":
        return _typed_cannot(state, corals)
    if keys == "9":
        return _coral_drafts.seed(state)
    # There are eight nines, so never more than eight stacks.
    if keys[0] not in "12345678" or len(corals) > state.sizes[(state.seat or 1) - 1] + 1:
        return None
    if not corals:
        return _coral_drafts.stack_alone(state, int(keys[0]))
    return _coral_drafts.play(state, int(keys[0]), corals)


def _typed_cannot(state: rules.State, corals: str) -> Draft | None:
    if not _is_open(state):
        return None if corals else _coral_drafts.cannot(state)
    if len(corals) > 1:
        return None
    if corals:
        return _coral_drafts.drawn(state, corals)
    if rules.find(state) is not None:
        return _coral_drafts.must_play("draw", "pass")
    return _coral_drafts.draw_which(state)


def _is_open(state: rules.State) -> bool:
    """Whether the hand to move is open, which everybody knows."""
    return state.seat is not None and state.hands[state.seat - 1] is not None


# -- picked -----------------------------------------------------------------------------------------------------


def pick(state: rules.State) -> Pick:
    """At the highest top, since most sums lead there; at the draw of who has no move; at the pass after a draw."""
    if forced(state) and _draws_open(state):
        return _drawing(rules.view(state, None))
    if state.drew and not _is_open(state):
        return Pick("cannot")
    return _on_stack(rules.view(state, None), state.tops.index(max(state.tops)) + 1)


def moved(state: rules.State, pick: Pick, arrow: str) -> Pick:
    """Left and right go from stack to stack or leap over corals, up and down from coral to coral; all wrap round."""
    public = rules.view(state, None)
    step = 1 if arrow in ("up", "right") else -1
    if pick.kind == "card":
        return pick._replace(cursor=_along(public, pick.cursor, step, jump=arrow in ("up", "down")))
    if arrow in ("up", "down"):
        if pick.kind != "play":
            return pick
        ring = _ring(public, pick)
        return pick._replace(cursor=ring[(ring.index(pick.cursor) + step) % len(ring)])
    if pick.corals:
        return _leapt(public, pick, step)
    places = [Pick("play", stack) for stack in range(1, len(public.tops) + 1)]
    places += [Pick("cannot")] + [Pick("seed")] * ("9" in left_over(public, ""))
    here = places.index(Pick(pick.kind, pick.stack if pick.kind == "play" else 1))
    there = places[(here + step) % len(places)]
    if here == 0 and there.kind == "cannot":
        there = places[-2]  # A draw cannot be undone quietly: it never stands beside the first stack.
    return _on_stack(public, there.stack) if there.kind == "play" else there


def _leapt(public: rules.State, pick: Pick, step: int) -> Pick:
    """The picker on the next of: what fills the sum, the last coral again, the jack, the ten, the end of the entry."""
    ring = _ring(public, pick)
    likely = {_starting(public, pick).cursor, pick.corals[-1], "J", "T", END}
    stops = [coral for coral in ring if coral in likely or coral == pick.cursor]
    return pick._replace(cursor=stops[(stops.index(pick.cursor) + step) % len(stops)])


def entered(state: rules.State, pick: Pick) -> Pick | None:
    """OK adds the coral while the entry wants more; a tick or a cross it leaves to the referee."""
    public = rules.view(state, None)
    if pick.kind == "cannot" and _draws_open(state):
        return _drawing(public)
    if pick.kind != "play" or pick.cursor == END or picked(state, pick).verdict != "more":
        return None
    return _starting(public, pick._replace(corals=pick.corals + pick.cursor[0]))


def erased(state: rules.State, pick: Pick) -> Pick | None:
    """BACK takes the last coral off again and stands on it."""
    if pick.kind == "card":
        return Pick("cannot")
    return pick._replace(corals=pick.corals[:-1], cursor=pick.corals[-1]) if pick.corals else None


def picked(state: rules.State, pick: Pick) -> Draft:
    """The pick as the public can judge it."""
    public = rules.view(state, None)
    if pick.kind == "seed":
        return _coral_drafts.seed(public)
    if pick.kind == "card":
        return _picked_card(public, pick.cursor)
    if pick.kind == "cannot":
        if not _is_open(state):
            return _coral_drafts.cannot(public)
        return _coral_drafts.draw_which(public) if _draws_open(state) else _coral_drafts.must_play("draw", "pass")
    if pick.cursor == END:
        ended = _ended(_coral_drafts.play(public, pick.stack, pick.corals))
        return ended._replace(marks=Marks(pick.stack, picked=True))
    draft = _coral_drafts.play(public, pick.stack, pick.corals + pick.cursor[0])
    draft = draft._replace(marks=Marks(pick.stack, cursor=True, picked=True))
    if pick.cursor.endswith(MORE):
        # No plate on the coral: it stays, and the underscore is what OK goes on to.
        return draft._replace(
            text=f"{draft.text}_", event=None, verdict="more", says="add more", marks=Marks(pick.stack, picked=True)
        )
    return draft


def _ended(draft: Draft) -> Draft:
    """An entry that is to be played as it stands."""
    if draft.verdict != "more":
        return draft
    return draft._replace(text=draft.text.removesuffix("_"), verdict="no")


def _picked_card(public: rules.State, coral: str) -> Draft:
    marks = Marks(row=drawable(public), column=list(left_over(public, "")).index(coral))
    return Draft("draw •", f"draw {coral}", "ok", "", "look away please", marks)


def drawable(public: rules.State) -> tuple[str, ...]:
    """The labels of the corals that may be drawn, as far as everybody can tell."""
    return tuple(label(coral, public.form) for coral in left_over(public, ""))


def _draws_open(state: rules.State) -> bool:
    """Whether "I cannot" of an open hand may lead to a draw, as far as everybody can tell."""
    return _is_open(state) and state.pile > 0 and not state.drew


def _drawing(public: rules.State) -> Pick:
    return Pick("card", cursor=next(iter(left_over(public, ""))))


def _on_stack(public: rules.State, stack: int) -> Pick:
    return _starting(public, Pick("play", stack))


def _starting(public: rules.State, pick: Pick) -> Pick:
    """The pick with its cursor where the next coral most likely is: on the one that fills the sum, else just below."""
    ring = _ring(public, pick._replace(cursor=""))
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    if missing > 0:
        wanted = [coral for coral in ring if coral in "A23456789" and total(coral) <= missing]
    elif missing < 0:
        wanted = [coral for coral in ring if coral in "JQK" and -total(coral) <= -missing]
    else:
        wanted = [coral for coral in ring if coral == "T"]
    return pick._replace(cursor=wanted[-1] if wanted else ring[0])


def _ring(public: rules.State, pick: Pick) -> list[str]:
    """What up and down walk: the corals that may be left, from ace to king, then the end of the entry.

    A coral that makes the sum right stands there twice, the second time to go on after it.
    """
    if len(pick.corals) >= public.sizes[(public.seat or 1) - 1]:
        return [END]
    missing = public.tops[pick.stack - 1] - total(pick.corals)
    ring = []
    for coral in left_over(public, pick.corals):
        ring.append(coral)
        if coral not in "TJQK" and total(coral) == missing:
            ring.append(coral + MORE)
    return [*ring, END] if pick.corals else ring


def _along(public: rules.State, coral: str, step: int, jump: bool) -> str:
    """The next coral of a row, or the one half a row away."""
    row = list(left_over(public, ""))
    return row[(row.index(coral) + step * (max(1, len(row) // 2) if jump else 1)) % len(row)]


# -- dealt ------------------------------------------------------------------------------------------------------


def due(state: rules.State) -> Due | None:
    """A drawn coral is part of its event, so none is ever due."""
    return None


def pieces(keys: str, kind: str, options: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """Each key is a whole coral; None for a key that is no coral of this form."""
    coral = KEYS.get(keys, "")
    return ((coral,), "") if coral and coral in ranks(options.get("form", "cards")) else None


def grid(kind: str, options: Mapping[str, str]) -> Sequence[Sequence[str]]:
    """The corals in two rows."""
    row = ranks(options.get("form", "cards"))
    half = (len(row) + 1) // 2
    return row[:half], row[half:]


def spare(view: rules.State, kind: str, seat: int) -> Mapping[str, int]:
    """The corals that may be in a hand: eight of each, less what lies on the table."""
    return {coral: count(view.loose, coral) for coral in ranks(view.form)}


def masked(kind: str, piece: str) -> bool:
    """Hands are hidden, whole."""
    return True


# -- words ------------------------------------------------------------------------------------------------------


def reveals(event: str) -> str:
    """A draw, whoever made it."""
    return "a coral" if event.startswith("draw") else ""


def claimed(event: str) -> str:
    """A seat that cannot move draws, and passes where it still cannot."""
    return "drew" if event.startswith("draw") else "passed" if event == "pass" else ""


def cannot(state: rules.State, buttons: bool = False) -> str:
    """A sealed hand draws, then passes; an open one is told by `forced` when it must draw."""
    if state.seat is None or _is_open(state):
        return ""
    does = "draw" if state.pile and not state.drew else "pass"
    if buttons:
        return f"no move? pick {does}"
    return f"no move? 0 # {'draws' if does == 'draw' else 'passes'}"


def arrows(view: rules.State) -> str:
    """Stacks across, corals up and down."""
    return "◂▸ stack   ▴▾ coral"


def forced(state: rules.State) -> bool:
    """Whether an open hand has no valid move and must draw; the panel says so."""
    return _is_open(state) and rules.find(state) is None


def stray(state: rules.State, keys: str, key: str) -> str:
    """A letter is no stack, some letters are no tiles, and an entry may be complete."""
    if not keys:
        return f"{key} is no stack"
    if keys[0] == "0" and len(keys) == 1 and _is_open(state):
        return "tiles are 0 to 9"
    if keys[0] in "12345678" and KEYS[key] not in ranks(state.form):
        return f"{key} is no tile"
    return "now press #"


def stray_piece(keys: str, kind: str, options: Mapping[str, str]) -> str:
    """Only among tiles is there a key without a coral."""
    return "tiles are 0 to 9"


def turn_over(before: rules.State, after: rules.State) -> str:
    """Why a turn ended by itself, to follow its player's name: an open hand drew a coral that did not help."""
    if before.seat is None or not _is_open(before) or after.seat == before.seat:
        return ""
    return "drew, still no move: turn over" if after.pile < before.pile else ""


def blocked(state: rules.State) -> str:
    """Why the round ended without a winning coral, "" where it did not."""
    if state.seat is not None or not all(state.sizes):
        return ""
    return "nobody can move or draw any more"


def could(example: str, options: Mapping[str, str]) -> str:
    """What a false claim left undone, to follow "could have": ``played 2:54``."""
    move = rules.read(example)
    if move.kind == "seed":
        return "seeded a nine"
    return f"played {move.stack}:{shown(move.corals, options.get('form', 'cards'))}"


def hint(state: rules.State) -> str:
    """A stack that something in an open hand fits; which corals is left to their owner."""
    move = rules.find(state) if _is_open(state) else None
    if move is None:
        return f"Nothing fits: draw a {piece(state.form)}." if forced(state) else ""
    if move.kind == "seed":
        return "You can move."  # To say that no stack fits would name the nine.
    return f"Something in the hand fits stack {move.stack}."


def own(view: rules.State, seat: int) -> str:
    """The hand from ace to king, blanks between."""
    corals = view.holdings[seat - 1].pieces or ()
    return " ".join(shown(coral, view.form) for coral in corals)


def counted(state: rules.State, scores: tuple[int, ...]) -> tuple[int, ...]:
    """The corals left in the hands."""
    return state.sizes


def gain(event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """The corals of a play; a seed is one."""
    return len(event.partition(":")[2]) or int(event == "seed")


# What this game has not got.
lines, piles, printed, sheet, table = SILENT.lines, SILENT.piles, SILENT.printed, SILENT.sheet, SILENT.table
written = SILENT.written
