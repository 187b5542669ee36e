"""Game records: the grammar, every fault with its line and code, formatting, and whatever else a file may contain."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import example_count
from game_support import all_options, support_of_game
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.games.api import Outcome, RefusedError
from companion.games.api.result import Result
from companion.rounds import record
from companion.rounds.record import MAX_REASON_LETTERS, make_fault

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.tcr"))
TOP = "companion-record: 1\ngame: 27\n"
CORAL = "companion-record: 1\ngame: coral-reef\n"
PRIME = "companion-record: 1\ngame: prime-attactics\n"
ZIGGURAT = "companion-record: 1\ngame: ziggurat\n"
PLAYED_OUT = (Path(__file__).parents[1] / "records" / "27-expert.tcr").read_text(encoding="utf-8").rstrip("\n")
UNFINISHED = PLAYED_OUT.rpartition("\n")[0]
LINES = PLAYED_OUT.count("\n") + 1


def fault_facts(text: str) -> tuple[int, str, str | None, int | None] | None:
    """Line, code, game and number of valid events of a record's fault; None for the events if there is no position."""
    report = record.check_record(text)
    if report.fault is None:
        return None
    event_count = None if report.state is None else len(report.events)
    return report.fault.line, report.fault.code, report.header and report.header.game, event_count


# Every fault, by name

FAULTS = {
    "an empty file": ("", (1, "header", None, None)),
    "nothing but comments": ("# a\n\n# b\n", (3, "header", None, None)),
    "another version": ("companion-record: 2\ngame: 27\n", (1, "header", None, None)),
    "a leading zero in the version": ("companion-record: 01\n", (1, "header", None, None)),
    "another first line": ("# c\ngame: 27\n", (2, "header", None, None)),
    "garbage first": ("hello\n", (1, "header", None, None)),
    "no second line": ("companion-record: 1\n\n", (2, "header", None, None)),
    "the first line twice": ("companion-record: 1\ncompanion-record: 1\n", (2, "header", None, None)),
    "another second line": ("companion-record: 1\nplayers: A, B\n", (2, "header", None, None)),
    "an unknown game": ("companion-record: 1\ngame: chess\n", (2, "header", None, None)),
    "a game in capitals": ("companion-record: 1\ngame: Ziggurat\n", (2, "header", None, None)),
    "an event second": ("companion-record: 1\n1: 1x1\n", (2, "header", None, None)),
    "the game twice": (TOP + "game: 27\n", (3, "header", "27", None)),
    "the version again": (TOP + "companion-record: 1\n", (3, "header", "27", None)),
    "players twice": (TOP + "players: A, B\nplayers: A, B\n", (4, "header", "27", None)),
    "options twice": (TOP + "options:\noptions:\n", (4, "header", "27", None)),
    "one name": (TOP + "players: Ann\n", (3, "header", "27", None)),
    "three names for two": (TOP + "players: A, B, C\n", (3, "header", "27", None)),
    "three names for two or four": (ZIGGURAT + "players: A, B, C\n", (3, "header", "ziggurat", None)),
    "an empty name": (TOP + "players: Ann,\n", (3, "header", "27", None)),
    "no names": (TOP + "players:\n", (3, "header", "27", None)),
    "a control character in a name": (TOP + "players: A\x1b[1m, B\n", (3, "header", "27", None)),
    "a tab inside a name": (TOP + "players: A\tA, B\n", (3, "header", "27", None)),
    "a C1 control in a name": (TOP + "players: A\x85, B\n", (3, "header", "27", None)),
    "an unknown option": (TOP + "options: level=easy\n", (3, "option", "27", None)),
    "an unknown value": (TOP + "options: variant=easy\n", (3, "option", "27", None)),
    "an option twice": (TOP + "options: variant=basic variant=basic\n", (3, "option", "27", None)),
    "an option without a value": (TOP + "options: variant\n", (3, "option", "27", None)),
    "an option with two values": (TOP + "options: variant=basic=basic\n", (3, "option", "27", None)),
    "an option in capitals": (TOP + "options: Variant=basic\n", (3, "option", "27", None)),
    "options set apart by a no-break space": (
        PRIME + "options: level=easy\xa0start=13\n",
        (3, "option", "prime-attactics", None),
    ),
    "a deal in 27": (TOP + "deal 1: A\n", (3, "deal", "27", None)),
    "a rack in Coral Reef": (CORAL + "rack 1: A2345678\n", (3, "deal", "coral-reef", None)),
    "a deal to no seat": (CORAL + "deal 3: A2345678\n", (3, "deal", "coral-reef", None)),
    "a deal to seat 0": (CORAL + "deal 0: A2345678\n", (3, "deal", "coral-reef", None)),
    "a deal twice": (CORAL + "deal 1: A2345678\ndeal 1: !\n", (4, "deal", "coral-reef", None)),
    "too short a deal": (CORAL + "deal 1: A234567\n", (3, "deal", "coral-reef", None)),
    "an empty deal": (CORAL + "deal 1:\n", (3, "deal", "coral-reef", None)),
    "five nines": (CORAL + "deal 1: 99999234\n", (3, "deal", "coral-reef", None)),
    "five nines in two hands": (CORAL + "deal 1: A2999345\ndeal 2: A2399456\n", (4, "deal", "coral-reef", None)),
    "one domino twice": (ZIGGURAT + "deal 1: " + "0-0 " * 14, (3, "deal", "ziggurat", None)),
    "a deal after an event": (TOP + "1: 1x1\ndeal 1: A\n", (4, "deal", "27", 1)),
    "a deal for no seat after an event": (CORAL + "1: seed\ndeal 9: !\n", (4, "deal", "coral-reef", 1)),
    "no coral": (CORAL + "deal 1: A234567X\n", (3, "syntax", "coral-reef", None)),
    "a jack among tiles": (CORAL + "options: form=tiles\ndeal 1: A234567J\n", (4, "syntax", "coral-reef", None)),
    "no tile": (PRIME + "rack 1: /2 /3 /4 5\n", (3, "syntax", "prime-attactics", None)),
    "no domino": (ZIGGURAT + "deal 1: 0-0 1_1\n", (3, "syntax", "ziggurat", None)),
    "a header line after a deal": (CORAL + "deal 1: A2345678\nplayers: A, B\n", (4, "syntax", "coral-reef", None)),
    "a header line after an event": (TOP + "1: 1x1\nnote: late\n", (4, "syntax", "27", 1)),
    "a second game line after an event": (TOP + "1: 1x1\ngame: 27\n", (4, "syntax", "27", 1)),
    "garbage among the header lines": (TOP + "hello\n", (3, "syntax", "27", None)),
    "a key that begins with a digit": (TOP + "1st: x\n", (3, "syntax", "27", None)),
    "a key with a blank": (TOP + "red book: x\n", (3, "syntax", "27", None)),
    "a line of nothing but a colon": (TOP + ":\n", (3, "syntax", "27", None)),
    "garbage among the events": (TOP + "1: 1x1\n1x1\n", (4, "syntax", "27", 1)),
    "a no-break space around a line": (TOP + "\xa01: 1x1\n", (3, "syntax", "27", None)),
    "a carriage return inside a line": (TOP + "1: 1x1 \r \n", (3, "syntax", "27", 0)),
    "a carriage return without a line feed after it": (TOP + "1: 1x1\r", (3, "syntax", "27", 0)),
    "a carriage return in the last name": (TOP + "players: A, B\r", (3, "header", "27", None)),
    "a carriage return alone at the end": (TOP + "1: 1x1\n\r", (4, "syntax", "27", 1)),
    "two carriage returns at a line end": (TOP + "1: 1x1\r\r\n", (3, "syntax", "27", 0)),
    "a seat with a leading zero": (TOP + "01: 1x1\n", (3, "syntax", "27", None)),
    "a seat of four digits": (TOP + "1000: 1x1\n", (3, "syntax", "27", None)),
    "a seat in other digits": (TOP + "١: 1x1\n", (3, "syntax", "27", None)),
    "a seat that does not exist": (TOP + "3: 1x1\n", (3, "syntax", "27", 0)),
    "no event": (TOP + "1:\n", (3, "syntax", "27", 0)),
    "an event of another game": (TOP + "1: x3\n", (3, "syntax", "27", 0)),
    "the wrong seat": (TOP + "2: 9x1\n", (3, "turn", "27", 0)),
    "a forbidden move": (TOP + "1: 1x1\n2: 9x10\n", (4, "count", "27", 1)),
    "a malformed result": (TOP + "result: 1 2\n", (3, "result", "27", 0)),
    "an empty result": (TOP + "result:\n", (3, "result", "27", 0)),
    "an early result": (TOP + "1: 1x1\nresult: 8 9 winners 2\n", (4, "result", "27", 1)),
    "a result before a deal": (CORAL + "result: 0 1 winners 2\ndeal 1: A\n", (3, "result", "coral-reef", 0)),
    "a result in capitals": (TOP + "Result: 8 9 winners 2\n1: 1x1\nRESULT: 1\n", (5, "syntax", "27", 1)),
    "wrong scores": (UNFINISHED + "\nresult: 11 9 winners 1\n", (LINES, "result", "27", 14)),
    "scores that are missing": (UNFINISHED + "\nresult: 11 winners 1\n", (LINES, "result", "27", 14)),
    "scores with leading zeros": (UNFINISHED + "\nresult: 11 08 winners 1\n", (LINES, "result", "27", 14)),
    "scores beyond all numbers": (UNFINISHED + f"\nresult: 11 8{'0' * 5000} winners 1\n", (LINES, "result", "27", 14)),
    "wrong winners": (UNFINISHED + "\nresult: 11 8 winners 2\n", (LINES, "result", "27", 14)),
    "too many winners": (UNFINISHED + "\nresult: 11 8 winners 1 2\n", (LINES, "result", "27", 14)),
    "winners set apart by commas": (UNFINISHED + "\nresult: 11 8 winners 1, 2\n", (LINES, "result", "27", 14)),
    "the result twice": (PLAYED_OUT + "\nresult: 11 8 winners 1\n", (LINES + 1, "result", "27", 14)),
    "an event after the end": (UNFINISHED + "\n1: 1x1\n", (LINES, "over", "27", 14)),
    "an event after the result": (PLAYED_OUT + "\n1: 1x1\n", (LINES + 1, "over", "27", 14)),
    "no event after the result": (PLAYED_OUT + "\n1: x3\n", (LINES + 1, "syntax", "27", 14)),
    "a header line after the result": (PLAYED_OUT + "\nnote: well played\n", (LINES + 1, "syntax", "27", 14)),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_fault(text: str, expected: tuple[int, str, str | None, int | None]) -> None:
    """A fault is reported with its line and code, and the valid events before it are counted (record, Commands)."""
    assert fault_facts(text) == expected


def test_a_refusal_names_the_number_that_is_needed() -> None:
    """If arithmetic says which number would have been right, the message ends with it."""
    fault = record.check_record(
        (Path(__file__).parents[1] / "records" / "27-overshoot.tcr").read_text(encoding="utf-8")
    ).fault
    assert fault is not None
    assert fault.message.endswith("so each move is 3 steps (field 6 is the last you can start from)")


def test_only_a_reason_that_is_too_long_is_cut() -> None:
    """It ends with a sign that it goes on; a game of another package may give a reason of a page."""
    for length in (MAX_REASON_LETTERS - 1, MAX_REASON_LETTERS):
        assert make_fault(1, RefusedError("held", "", "", "x" * length)).message == "x" * length
    assert (
        make_fault(1, RefusedError("held", "", "", "x" * (MAX_REASON_LETTERS + 1))).message
        == "x" * (MAX_REASON_LETTERS - 1) + "…"
    )


# What may be spelled freely

VALID_RECORDS = {
    "a byte order mark": "\ufeff" + TOP,
    "no line end at the end": TOP + "1: 1x1",
    "blank lines and comments before all else": "\n \t\n# hello\n  # there\n" + TOP,
    "DOS line ends": (TOP + "1: 1x1\n").replace("\n", "\r\n"),
    "one DOS line end among others": TOP.replace("\n", "\r\n", 1) + "1: 1x1\n",
    "blanks wherever they may be": " companion-record\t: 1 \n\tgame :27\n players : A , B\t\n1 \t:\t 1 \tx\t 1 \n",
    "keys that are not known": TOP + "Date: once\ndate: today\ndate: tomorrow\nX-9_: :: \nnote:\n",
    "a deal line without a seat is a header line": TOP + "deal: none\nrack: none\n",
    "blanks around =": PRIME + "options: level =\teasy   start= 13\n",
    "empty options": TOP + "options:\n",
    "a holding without blanks": CORAL + "deal1:A2345678\n",
    "names in any script": TOP + "players: Žofie Ř., 안나\n",
    "four players": ZIGGURAT + "players: A, B, C, D\n",
    "the result with blanks": UNFINISHED + "\nresult\t:11\t 8  winners\t1\t\n",
}


@pytest.mark.parametrize("text", VALID_RECORDS.values(), ids=VALID_RECORDS)
def test_valid_record(text: str) -> None:
    """Whatever the grammar leaves free is no fault (record, Grammar)."""
    assert record.check_record(text).fault is None


def test_a_shared_win_names_the_winners_in_any_order() -> None:
    """All who share a win are named, in any order (record, Grammar)."""
    draw = (Path(__file__).parents[1] / "records" / "27-basic.tcr").read_text(encoding="utf-8")
    assert "winners 1 2\n" in draw
    assert record.check_record(draw.replace("winners 1 2\n", "winners 2 1\n")).fault is None
    for wrong in ("1", "2", "1 1", "1 2 2"):
        assert fault_facts(draw.replace("winners 1 2\n", f"winners {wrong}\n")) is not None


class LooseSpeller:
    """Spells as freely as the grammar allows. Each game says where, in `spelled_event` and `spelled_pieces`."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def blanks(self, least: int = 0) -> str:
        return "".join(self.chance.choices(" \t", k=self.chance.randint(least, 3)))

    def between(self, least: int = 0) -> str:
        return "".join(self.chance.choices(" \t,", k=self.chance.randint(least, 3)))

    def cased(self, piece: str) -> str:
        return self.chance.choice([piece.lower(), piece.upper()])

    def line(self, game: str, said: str) -> str:
        head, _, value = said.partition(": ")
        if head.isdigit():
            value = support_of_game(game).spelled_event(value, self)
        elif head.startswith(("deal", "rack")):
            head = head.replace(" ", self.blanks())
            value = self.cased(support_of_game(game).spelled_pieces(value, self))
        elif head == "result":
            value = re.sub(" ", lambda _: self.blanks(1), value)
        elif head == "options":
            value = re.sub("=| ", lambda found: self._equals() if found[0] == "=" else self.blanks(1), value)
        comment = self.chance.choice(["", "", f"{self.blanks()}# a word\n", f"{self.blanks()}\n"])
        return f"{comment}{self.blanks()}{head}{self.blanks()}:{self.blanks()}{value}{self.blanks()}"

    def _equals(self) -> str:
        return f"{self.blanks()}={self.blanks()}"


def spell_loosely(text: str, chance: random.Random) -> str:
    """The same record, spelled as freely as the grammar allows."""
    lines = text.split("\n")
    game = lines[1].removeprefix("game: ")
    spelled = [LooseSpeller(chance).line(game, said) + chance.choice(["\n", "\r\n"]) for said in lines if said]
    spelled[-1] = spelled[-1].rstrip("\r\n") + chance.choice(["", "\n", "\r\n"])
    return chance.choice(["", "\ufeff"]) + "".join(spelled)


@given(which=st.integers(0), seed=st.integers(0, 2**32), share=st.sampled_from([0, 0.5, 1]))
def test_a_sloppy_record_says_the_same(
    settings_of_all_games: Any, play_round: Callable[..., Any], which: int, seed: int, share: float
) -> None:
    """Blanks, commas and capitals change nothing where the grammar allows them (record, Grammar)."""
    game, options, players = settings_of_all_games[which % len(settings_of_all_games)]
    chance = random.Random(seed)
    played = play_round(game, options, players, chance, share=share)
    spelled = spell_loosely(played.record_text, chance)
    report = record.check_record(spelled)
    assert report.fault is None, spelled
    assert report.header == played.header
    assert report.deals == played.deals
    assert list(report.events) == played.events


# What is written


def test_the_written_form() -> None:
    """Every option is written, then deals seat by seat, then the events and the result (record, Grammar)."""
    header = record.Header("prime-attactics", {"start": "13"}, ("Ann", "Ben"), (("date", "2026-11-21"), ("note", "")))
    deals = {("rack", 1): record.load_rules("prime-attactics").parse_deal("/2 /3 /4 /5", "rack", {})}
    text = record.format_record(header, deals, [(1, "x3"), (2, "@/3")])
    assert text == (
        "companion-record: 1\ngame: prime-attactics\noptions: level=full start=13\nplayers: Ann, Ben\n"
        "date: 2026-11-21\nnote:\nrack 1: /2 /3 /4 /5\n1: x3\n2: @/3\n"
    )
    assert record.check_record(text).fault is None
    options = " ".join(f"{name}={value}" for name, value in all_options("27"))
    assert record.format_record(record.Header("27", {}, (), ()), {}, [], Outcome((3, 4), (2,), "")).endswith(
        f"\noptions: {options}\nresult: 3 4 winners 2\n"
    )


@pytest.mark.parametrize(
    ("players", "other"),
    [
        (("Ann", "B,n"), ()),
        (("Ann", ""), ()),
        (("Ann", "Ben\n1: 1x1"), ()),
        (("Ann", " Ben"), ()),
        ((), (("note", "a\n1: 1x1"),)),
        ((), (("two words", "a"),)),
        ((), (("game", "27"),)),
        ((), (("result", "1 2 winners 1"),)),
        ((), (("deal1", "A"),)),
        ((), (("note", " x"),)),
    ],
)
def test_what_a_line_cannot_hold_is_not_written(players: tuple[str, ...], other: tuple[tuple[str, str], ...]) -> None:
    """A name or value that would be read back as something else raises ValueError."""
    with pytest.raises(ValueError, match="record"):
        record.format_record(record.Header("27", {}, players, other), {}, [])


# Whatever else a file may hold

CODES = """
    header option deal syntax result over turn held supply
    stack ten-last face-top sum drawn must-play pile must-draw
    field not-yours count overshoot
    level double-black slam-level slam-target slam-once slam-early negative inexact refill
    set adjacent anchor occupied frame touch gap vacant uneven
"""


def mutate(data: bytes, chance: random.Random) -> bytes:
    """A record with something wrong, or almost: bytes changed, lines swapped, dropped, doubled or moved."""
    for _ in range(chance.randint(1, 3)):
        kind, place = chance.randrange(6), chance.randrange(len(data) or 1)
        lines = data.split(b"\n")
        one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        if kind == 0:
            data = (
                data[:place]
                + bytes([chance.choice(b"0123456789 ,:x@/+-DATJdg#=\t\r\n\x00\xc3\xff")])
                + data[place + 1 :]
            )
        elif kind == 1:
            data = data[:place] + data[place + chance.randint(1, 4) :]
        elif kind == 2:
            lines[one], lines[two] = lines[two], lines[one]
        elif kind == 3:
            del lines[one]
        elif kind == 4:
            lines.insert(two, lines[one])
        else:
            data = (
                bytes(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
                if data
                else data
            )
        if kind in (2, 3, 4):
            data = b"\n".join(lines)
    return data


def test_mutated_records_are_each_answered() -> None:
    """Whatever happens to a record, the report has a known code, a line of the file and a sentence."""
    chance = random.Random(27)
    originals = [path.read_bytes() for path in RECORDS]
    codes, known = set(), CODES.split()
    for number in range(example_count(10_000)):
        data = mutate(originals[number % len(originals)], chance)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        report = record.check_record(text)
        if report.fault is not None:
            line, code, message = report.fault
            codes.add(code)
            assert code in known, data
            assert 1 <= line <= max(1, text.count("\n") + 1), data
            assert 0 < len(message) <= record.MAX_REASON_LETTERS, data
        if report.state is not None:
            report.rules.outcome(report.state)
            assert all(claim.line in report.lines for claim in report.false_claims)
            assert len(report.events) == len(report.lines)
    assert {"header", "option", "deal", "syntax", "result", "over", "turn"} <= codes


@given(st.text(st.sampled_from("companion-recd:1game27\n #=,x\t\r\ufeff\u0661D@/"), max_size=80))
def test_any_text_is_answered(text: str) -> None:
    """No text makes the parser fail."""
    for top in ("", TOP, CORAL, PRIME, ZIGGURAT):
        record.check_record(top + text)
        record.check_record(top + "1: " + text)


@pytest.mark.parametrize("scores", [(-56, -63), (-1, 0), (0, -12), (5, -5)])
def test_a_result_below_zero_comes_back(monkeypatch: pytest.MonkeyPatch, scores: tuple[int, int]) -> None:
    """In a game in which points are lost, `check_record` and the store's `Result.parse` read what `format_record`
    writes.
    """
    outcome = Outcome(scores, (1 if scores[0] > scores[1] else 2,), "all is lost")
    rules = type(games.load_rules("27"))
    monkeypatch.setattr(rules, "outcome", lambda self, state: outcome)
    monkeypatch.setattr(rules, "seat_to_move", lambda self, state: None)
    text = record.format_record(record.Header("27", {}, ("Ann", "Ben"), ()), {}, (), outcome)
    assert record.check_record(text).fault is None
    assert Result.parse(str(outcome.result)) == outcome.result
    changed = text.replace(f"result: {scores[0]}", "result: -7")
    assert record.check_record(changed).fault is not None
    for wrong in ("-0 1 winners 2", "- 1 winners 2", "--1 1 winners 1", "-01 1 winners 1", "1 -1 winners -1"):
        assert record.check_record(f"{text.partition('result')[0]}result: {wrong}\n").fault is not None
