"""The rules of Prime Attactics: the sample sheet, every code by an example, the rulings and the ends."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.games.api import RefusedError
from companion.games.prime_attactics import GAME
from companion.games.prime_attactics import rules as prime
from companion.games.prime_attactics import state as positions
from companion.games.prime_attactics.rules import RULES

FIRST, LAST = "+1 +2 +3 -1 x2 x3 x7 Dx", "+4 +5 -2 -6 -7 x5 D+ D-"
"""Two displays of the full game."""


def begin_round(options="", **holdings):
    """A round; `display1="…"`, `rack2="…"` are open, the other holdings are sealed."""
    chosen = dict(pair.split("=") for pair in options.split())
    deals = {}
    for name, text in holdings.items():
        kind = "rack" if name.startswith("rack") else "deal"
        deals[kind, int(name[-1])] = RULES.parse_deal(text, kind, chosen)
    return RULES.initial_state(2, chosen, deals)


def play_events(state, record):
    """The position after events such as ``1: x3; 2: +2``."""
    for event in filter(None, (part.strip() for part in record.split(";"))):
        seat, text = event.split(":")
        state = RULES.play_move(state, int(seat), RULES.parse_move(text.strip()))
    return state


def refusal_code(state, event):
    """The code with which an event such as ``1: x3`` is refused; its sentence is checked too."""
    with pytest.raises(RefusedError) as refusal:
        play_events(state, event)
    refused = refusal.value
    assert refused.figure
    assert len(refused.reason) <= 90
    assert len(refused.conflict) <= 24
    return refused.code


def why(state, event):
    with pytest.raises(RefusedError) as refusal:
        play_events(state, event)
    return refusal.value


def texts(state):
    return {str(move) for move in RULES.legal_moves(state)}


def with_scores(state, first, second):
    """The same position with other scores."""
    one, two = state.sides
    return state._replace(sides=(one._replace(score=first), two._replace(score=second)))


SIX_TURNS = "1: +1; 2: +1; 1: +2; 2: +2; 1: +3; 2: +3"
"""Six turns of sealed holdings, after which both scores are 17."""


# The sheet


def test_sample_score_sheet():
    """The sample on the rule sheet gives 33, 13, 462, 154 and 157."""
    state, lines = begin_round(), []
    for seat, text in ((1, "x3"), (2, "+2"), (1, "x7D"), (2, "@/3"), (1, "+3")):
        lines.append(prime.score_sheet_line(state, seat, RULES.parse_move(text)))
        state = RULES.play_move(state, seat, RULES.parse_move(text))
    assert lines == ["11 x 3 = 33", "11 + 2 = 13", "33 x 7 x D = 462", "462 ÷ 3 = 154", "154 + 3 = 157"]
    assert RULES.outcome(state).scores == (157, 13)


@pytest.mark.parametrize(
    ("scores", "text", "shown"),
    [
        ((33, 13), "x7D", ("33×7×2", 462)),
        ((33, 13), "@-2D", ("(13-2)×2", 22)),
        ((33, 154), "@/7", ("154÷7", 22)),
        ((33, 157), "@-3/7", ("(157-3)÷7", 22)),
    ],
)
def test_working(scores, text, shown):
    """The arithmetic of a play names the score, the tiles, and the result."""
    assert prime.working_of_play(with_scores(begin_round(), *scores), 1, RULES.parse_move(text)) == shown


def test_sets_have_35_and_25_tiles():
    """A set has 35 tiles; the easy game takes out those numbered 1, 6 and 7 and keeps the doubles."""
    assert len(positions.unplayed_tiles(begin_round(), 1)) == 35
    assert RULES.format_deal(positions.unplayed_tiles(begin_round("level=easy"), 2)) == (
        "+2 +3 +4 +5 D+ D+ D+ D+ -2 -3 -4 -5 D- D- x2 x3 x4 x5 Dx Dx Dx /2 /3 /4 /5"
    )


# Refusals, in the order of the checks


@pytest.mark.parametrize("text", ["", "x", "3", "xx3", "x03", "x1000", "@", "@pass", "D", "Dx", "x3Dx", "+2/3D"])
def test_syntax(text):
    """Anything that is no event of this game is refused as `syntax`."""
    with pytest.raises(RefusedError, match="syntax"):
        RULES.parse_move(text)


@pytest.mark.parametrize(
    "text", ["x2/3", "/3/2", "refill+5", "refill 5", "refill D", "refill D/", "paſſ", "x٣", "x²", "pass,", "+2/3,"]
)
def test_syntax_near_misses(text):
    """Only ASCII counts, a refill needs its blank, and a slam dunk starts with green or blue."""
    with pytest.raises(RefusedError, match="syntax"):
        RULES.parse_move(text)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("@ , X7\td", "@x7D"),
        (", x3,", "x3"),
        ("+2 ,/3", "+2/3"),
        ("PASS", "pass"),
        ("REFILL,+5d-", "refill +5 D-"),
        ("refill d+ /3 , x999", "refill D+ /3 x999"),
        ("-0", "-0"),
    ],
)
def test_reading_is_generous_within_the_grammar(text, short):
    """Blanks, commas and either case are read; the short form is written."""
    assert str(RULES.parse_move(text)) == short
    assert RULES.parse_move(short) == RULES.parse_move(text)


def test_no_such_seat():
    """A seat that does not exist is refused as `syntax`, before anything else."""
    over = play_events(with_scores(begin_round(), 3, 11), "1: -3")
    assert [refusal_code(state, "3: x3") for state in (begin_round(), over)] == ["syntax", "syntax"]


def test_over():
    """After the end every event is refused as `over`, whichever seat it is for."""
    over = play_events(with_scores(begin_round(), 3, 11), "1: -3")
    assert [refusal_code(over, event) for event in ("1: x9", "2: x3", "1: pass", "1: refill +5")] == ["over"] * 4


def test_turn():
    """The other seat waits, a due refill comes first, and no other refill is accepted."""
    state = begin_round(display1=FIRST)
    assert refusal_code(state, "2: x3") == "turn"
    assert refusal_code(state, "1: refill +5") == "turn"
    due = play_events(state, "1: x3")
    assert [refusal_code(due, event) for event in ("1: x2", "1: pass", "1: x9", "2: x3", "2: refill +5")] == [
        "turn"
    ] * 5
    assert refusal_code(play_events(due, "1: refill +5"), "2: refill +6") == "turn"


@pytest.mark.parametrize("text", ["x1", "+9", "+0", "x0", "/1", "/8", "@/0", "+8D", "x1D", "/9D", "@+2/9", "@-9/3"])
def test_level_full(text):
    """A tile that no set has is refused as `level`, whatever is held."""
    assert refusal_code(begin_round(display1=FIRST, rack1="/2 /3 /4 /5"), f"1: {text}") == "level"


@pytest.mark.parametrize("text", ["+1", "-7", "x6", "/6", "+6D", "@+2/7"])
def test_level_easy(text):
    """The easy game has no tile numbered 1, 6 or 7."""
    assert refusal_code(begin_round("level=easy"), f"1: {text}") == "level"


def test_level_comes_before_held():
    """The level of every tile is checked before any holding is."""
    assert refusal_code(begin_round(display1=FIRST), "1: @+5/9") == "level"


@pytest.mark.parametrize("text", ["+5", "+2D", "@/3", "@+2/3", "@+5/2"])
def test_held_in_open_holdings(text):
    """From an open holding only its own tiles can be played, including the double."""
    assert refusal_code(begin_round(display1=FIRST, rack1="/2 /4 /5 /6"), f"1: {text}") == "held"


def test_held_in_a_sealed_holding():
    """From a sealed holding only as many tiles can be played as it has, counting those before in the same play."""
    state = begin_round()
    one = state.sides[0]._replace(display=state.sides[0].display._replace(size=1))
    state = state._replace(sides=(one, state.sides[1]))
    assert refusal_code(state, "1: x3D") == "held"
    state = state._replace(sides=(one._replace(display=one.display._replace(size=0)), state.sides[1]))
    assert refusal_code(state, "1: x3") == "held"


def test_supply():
    """A copy that was played cannot come from a sealed holding; the other seat has its own set."""
    state = play_events(begin_round(), "1: x3; 2: x3")
    assert refusal_code(state, "1: x3") == "supply"
    state = play_events(state, "1: -1D; 2: +1; 1: -2D; 2: +2")
    assert refusal_code(state, "1: -3D") == "supply"
    assert play_events(state, "1: -3; 2: -3D").turns == 8


def test_double_black():
    """There is no black double to hold, so the black tile is looked for first."""
    assert refusal_code(begin_round(), "1: /3D") == "double-black"
    assert refusal_code(begin_round(), "1: @/3D") == "double-black"
    assert refusal_code(begin_round(rack1="/2 /4 /5 /6"), "1: /3D") == "held"
    assert refusal_code(play_events(with_scores(begin_round(), 33, 11), "1: /3; 2: +1"), "1: /3D") == "supply"


def test_slam_level():
    """The easy game has no slam dunk, on whichever score."""
    assert [refusal_code(begin_round("level=easy"), event) for event in ("1: @+2/3", "1: +2/3")] == ["slam-level"] * 2
    assert refusal_code(begin_round("level=easy", rack1="/2 /4 /5"), "1: @+2/3") == "held"


def test_slam_target():
    """A slam dunk on the own score is refused for that reason, before its time and its number."""
    assert refusal_code(begin_round(), "1: +2/3") == "slam-target"
    assert refusal_code(play_events(begin_round(), f"{SIX_TURNS}; 1: @+5/2; 2: +4"), "1: +4/3") == "slam-target"


def test_slam_once():
    """Each seat makes one slam dunk a round."""
    state = play_events(begin_round(), f"{SIX_TURNS}; 1: @+5/2; 2: @+4/7")
    assert refusal_code(state, "1: @+4/3") == "slam-once"
    assert refusal_code(play_events(state, "1: +7"), "2: @+7/2") == "slam-once"


def test_slam_early():
    """A slam dunk waits for six completed turns, missed ones included."""
    five = play_events(begin_round(), "1: +1; 2: pass; 1: +2; 2: pass; 1: +3")
    assert refusal_code(five, "2: @+1/3") == "slam-early"
    assert RULES.outcome(play_events(five, "2: pass; 1: @+7/3")).scores == (17, 6)


def test_negative():
    """No score goes below 0."""
    state = with_scores(begin_round(), 5, 6)
    assert refusal_code(state, "1: -6") == "negative"
    assert refusal_code(state, "1: @-7D") == "negative"
    refused = why(state, "1: -6")
    assert (refused.figure, refused.needed) == ("5-6 = -1", "at most 5 can be taken away")


def test_negative_slam():
    """A slam dunk leaves at least 1 to be divided."""
    state = with_scores(play_events(begin_round(), SIX_TURNS), 9, 4)
    assert refusal_code(state, "1: @-4/2") == "negative"
    assert refusal_code(state, "1: @-5/2") == "negative"
    assert refusal_code(state, "1: @-3/2") == "inexact"


def test_inexact():
    """A division must have no remainder; the refusal names the scores that would divide."""
    state = with_scores(begin_round(), 154, 3)
    refused = why(state, "1: /4")
    assert (refused.code, refused.figure, refused.conflict) == ("inexact", "154÷4", "2 left over")
    assert refused.needed == "152 or 156 would do"
    assert why(state, "1: @/4").needed == "4 would do"
    assert why(with_scores(play_events(begin_round(), SIX_TURNS), 9, 157), "1: @+4/6").figure == "161÷6"


def test_scores_are_unlimited():
    """A score has no upper bound, in play as in the working."""
    state = with_scores(begin_round(), 10**400, 11)
    assert RULES.outcome(play_events(state, "1: x7D")).scores == (14 * 10**400, 11)
    assert why(state, "1: /3").conflict == "1 left over"


def test_refill_count():
    """A refill names as many tiles of either kind as were drawn into open holdings."""
    due = play_events(begin_round(display1=FIRST, rack1="/2 /4 /5 /6"), "1: x7D")
    for text in ("refill", "refill +5", "refill +5 +6 +7", "refill +5 /3", "refill /3 /7"):
        assert refusal_code(due, f"1: {text}") == "refill"
    assert why(due, "1: refill").conflict == "you drew 2 coloured"
    assert play_events(due, "1: refill +6 +5").sides[0].display.pieces == RULES.parse_deal(
        "+1 +2 +3 +5 +6 -1 x2 x3", "", {}
    )


def test_refill_supply():
    """A refill cannot name what is played, what is held, what is named twice, or what no set has."""
    due = play_events(begin_round(display1=FIRST), "1: x7D")
    for text in ("+5 x7", "+1 +5", "+5 +5", "+5 +9", "x1 x6"):
        assert refusal_code(due, f"1: refill {text}") == "supply"
    assert play_events(due, "1: refill Dx Dx").turns == 1


@pytest.mark.parametrize(
    ("holdings", "due", "refill"),
    [
        ({"display1": FIRST, "rack1": "/2 /3 /4 /5"}, (1, 1), "refill +4 /6"),
        ({"display1": FIRST}, (1, 0), "refill +4"),
        ({"rack1": "/2 /3 /4 /5"}, (0, 1), "refill /7"),
        ({}, (0, 0), None),
    ],
)
def test_refill_names_open_holdings_only(holdings, due, refill):
    """After a slam dunk one refill names what was drawn into the open holdings; sealed ones restock by themselves."""
    state = begin_round(**holdings)._replace(turns=6)
    state = play_events(state, "1: @+1/3")
    assert state.due_refill == due
    assert RULES.seat_to_move(state) == (1 if refill else 2)
    if refill:
        assert texts(state) == {"refill"}
        state = play_events(state, f"1: {refill}")
    assert (state.sides[0].display.size, state.sides[0].rack.size, state.turns) == (8, 4, 7)


def test_must_play():
    """A pass is refused if an open holding has a valid play, and only then."""
    assert refusal_code(begin_round(display1=FIRST), "1: pass") == "must-play"
    assert refusal_code(with_scores(begin_round(rack1="/2 /3 /4 /5"), 11, 12), "1: pass") == "must-play"
    assert RULES.seat_to_move(play_events(begin_round(rack1="/2 /3 /4 /5"), "1: pass")) == 2
    assert RULES.seat_to_move(play_events(begin_round(), "1: pass")) == 2


def test_open_seat_cannot_pass():
    """A seat that hides nothing and has a valid play must play."""
    assert refusal_code(begin_round(display1=FIRST, rack1="/2 /3 /4 /5"), "1: pass") == "must-play"


def test_hidden_tiles_do_not_oblige():
    """A display with doubles alone has no valid play, whatever a hidden rack could add to it."""
    state = begin_round(display1="D+ D+ D+ D+ D- D- Dx Dx")
    assert texts(state) == {"pass"}
    assert RULES.seat_to_move(play_events(state, "1: pass")) == 2


DEALS = [
    ("level=full", "deal", "+1 +2 +3 -1 x2 x3 x7"),
    ("level=full", "deal", "+1 +2 +3 -1 x2 x3 x7 Dx D+"),
    ("level=full", "deal", "+1 +1 +3 -1 x2 x3 x7 Dx"),
    ("level=full", "deal", "D- D- D- -1 x2 x3 x7 Dx"),
    ("level=full", "deal", "+9 +2 +3 -1 x2 x3 x7 Dx"),
    ("level=full", "deal", "/2 +2 +3 -1 x2 x3 x7 Dx"),
    ("level=full", "rack", "/2 /3 /4 x5"),
    ("level=full", "rack", ""),
    ("level=easy", "deal", "+1 +2 +3 x2 x3"),
    ("level=easy", "rack", "/2 /3 /6"),
]


@pytest.mark.parametrize(("options", "kind", "text"), DEALS)
def test_deal(options, kind, text):
    """A deal has the right number of tiles, and all of them can exist together."""
    chosen = dict([options.split("=")])
    with pytest.raises(RefusedError, match="deal"):
        RULES.initial_state(2, chosen, {(kind, 2): RULES.parse_deal(text, kind, chosen)})


def test_deal_for_a_holding_that_does_not_exist():
    """Only seats 1 and 2 have a display and a rack."""
    tiles = RULES.parse_deal(FIRST, "deal", {})
    for key in (("deal", 3), ("hand", 1)):
        with pytest.raises(RefusedError, match="deal"):
            RULES.initial_state(2, {}, {key: tiles})


def test_sizes_of_a_random_deal():
    """A deal has 8 and 4 tiles, in the easy game 5 and 3, and is accepted."""
    for level, sizes in (("full", (8, 4)), ("easy", (5, 3))):
        deals = RULES.deal_holdings(2, {"level": level}, random.Random(1).sample)
        assert tuple(RULES.holding_size(kind, 2, {"level": level}) for kind in GAME.holdings) == sizes
        assert [len(deals[kind, 2]) for kind in GAME.holdings] == list(sizes)
        assert RULES.initial_state(2, {"level": level}, deals).turns == 0


def test_deal_syntax():
    """Anything in a deal that is no tile is refused as `syntax`; the rest is written back sorted."""
    for text in ("+1 +2 D", "+1 3", "J", "x03"):
        with pytest.raises(RefusedError, match="syntax"):
            RULES.parse_deal(text, "deal", {})
    assert RULES.format_deal(RULES.parse_deal(" ,DX/7x2, -3+3 d+", "deal", {})) == "+3 D+ -3 x2 Dx /7"


# Rulings and ends


def test_any_tile_on_either_score():
    """Any tile may go on either score, also where it helps the other."""
    state = with_scores(begin_round(), 12, 12)
    scores = {
        text: RULES.outcome(play_events(state, f"1: {text}")).scores for text in ("/3", "@x7D", "@+1", "-2D", "/2")
    }
    assert scores == {"/3": (4, 12), "@x7D": (12, 168), "@+1": (12, 13), "-2D": (20, 12), "/2": (6, 12)}


def test_slam_dunk_where_it_could_be_divided():
    """A slam dunk may be made where the score would do as it is."""
    state = with_scores(play_events(begin_round(), SIX_TURNS), 11, 14)
    assert RULES.outcome(play_events(state, "1: @-4/2")).scores == (11, 5)


@pytest.mark.parametrize(("text", "winners"), [("@-3", (1,)), ("@-3D", (1,)), ("-5", (2,)), ("-5D", (2,))])
def test_score_of_zero(text, winners):
    """A score of 0 ends the round at once and loses it, though a player did it to himself; nothing is drawn."""
    state = with_scores(begin_round(display1="+1 +2 +3 -3 x2 D- x7 -5", rack1="/2 /3 /4 /5"), 5, 3)
    over = play_events(state, f"1: {text}")
    assert RULES.outcome(over).winners == winners
    assert RULES.outcome(over).reason == "the other score is 0"
    assert (RULES.seat_to_move(over), RULES.legal_moves(over), RULES.find_legal_move(over)) == (None, [], None)


def test_two_missed_turns():
    """Two missed turns in a row end the round: the higher score wins, equal ones share the win."""
    over = play_events(begin_round(), "1: pass; 2: pass")
    assert RULES.outcome(over) == ((11, 11), (1, 2), "neither could play")
    assert RULES.outcome(play_events(begin_round(), "1: x3; 2: pass; 1: pass")).winners == (1,)
    assert RULES.seat_to_move(play_events(begin_round(), "1: pass; 2: x3; 1: pass")) == 2


STUCK = {"options": "level=easy", "display1": "D+ D+ D+ D- D-", "rack1": "/2 /3 /4"}


def test_over_at_the_start():
    """When neither seat can play what was dealt, both miss a turn and the round is over before it begins."""
    state = begin_round(**STUCK, display2="D+ D+ D+ D- Dx", rack2="/2 /3 /5")
    assert RULES.seat_to_move(state) is None
    assert RULES.skipped_seats(state) == (1, 2)
    assert RULES.outcome(state).winners == (1, 2)


def test_missed_by_itself():
    """An open seat without a valid play is skipped, after the deal and after each turn of the other."""
    state = begin_round(**STUCK, display2="+2 +3 +4 D- Dx", rack2="/2 /3 /5")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state), state.turns) == (2, (1,), 1)
    due = play_events(state, "2: +2")
    assert (RULES.seat_to_move(due), RULES.skipped_seats(due)) == (2, ())
    state = play_events(due, "2: refill +5")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state), state.turns) == (2, (1,), 3)
    assert (RULES.seat_to_move(play_events(due, "2: refill D+")), RULES.seat_to_move(play_events(state, "2: @+4"))) == (
        2,
        2,
    )


def test_pass_then_stuck_seat():
    """The pass of one seat and the missed turn of the other are two turns in a row."""
    over = play_events(begin_round(**STUCK), "2: +2; 2: pass")
    assert (RULES.skipped_seats(over), RULES.outcome(over).reason) == ((), "neither could play")
    over = play_events(begin_round("level=easy", display2=STUCK["display1"], rack2=STUCK["rack1"]), "1: pass")
    assert (RULES.skipped_seats(over), RULES.outcome(over).winners) == ((2,), (1, 2))


def test_half_open_seat_is_not_skipped():
    """A seat with one sealed holding must say pass itself."""
    state = begin_round("level=easy", display1=STUCK["display1"])
    assert (RULES.seat_to_move(state), texts(state)) == (1, {"pass"})


def test_all_played():
    """The round is over when both seats are out of tiles, with nothing left to draw."""
    state = begin_round()
    bare = [side._replace(unseen_coloured=(), unseen_black=(), rack=side.rack._replace(size=0)) for side in state.sides]
    one, two = (side._replace(display=side.display._replace(size=0)) for side in bare)
    last = RULES.parse_deal("+7", "deal", {})
    one = one._replace(display=one.display._replace(size=1, pieces=last))
    over = play_events(state._replace(sides=(one, two)), "1: +7")
    assert RULES.outcome(over) == ((18, 11), (1,), "all tiles played")


def test_empty_seat_is_skipped_though_sealed():
    """A seat without tiles misses its turns by itself, sealed or not."""
    state = begin_round()
    two = state.sides[1]
    two = two._replace(
        display=two.display._replace(size=0), rack=two.rack._replace(size=0), unseen_coloured=(), unseen_black=()
    )
    state = play_events(state._replace(sides=(state.sides[0], two)), "1: +7")
    assert (RULES.seat_to_move(state), RULES.skipped_seats(state)) == (1, (2,))


def test_sealed_holdings_shrink_with_the_pile():
    """A sealed holding restocks while the pile lasts: of six black tiles it has two at the start."""
    state, sizes = begin_round(), []
    for number in (2, 3, 4, 5, 6, 7):
        state = play_events(with_scores(state, 420, 11), f"1: /{number}; 2: pass")
        sizes.append(state.sides[0].rack.size)
    assert sizes == [4, 4, 3, 2, 1, 0]
    assert refusal_code(state, "1: /2") == "held"


def test_sheet_lists_played_and_to_come():
    """Played and unplayed tiles add up to the set and show nothing hidden."""
    deals = {"display1": FIRST, "rack1": "/2 /3 /4 /5"}
    state, sealed = play_events(begin_round(**deals), "1: x7D"), play_events(begin_round(), "1: x7D")
    played = Counter(positions.unplayed_tiles(begin_round(), 1)) - Counter(positions.unplayed_tiles(state, 1))
    assert RULES.format_deal(sorted(played)) == "x7 Dx"
    assert (
        positions.unplayed_tiles(state, 1)
        == positions.unplayed_tiles(sealed, 1)
        == positions.unplayed_tiles(RULES.seat_view(state, 2), 1)
    )
    assert len(positions.unplayed_tiles(state, 1)) == 33
