"""`companion replay`: shows a round move by move: by keys in the terminal, as picture files, or in words."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from companion import UnusableError
from companion.commands import check, command_store, options
from companion.commands.text_streams import printable_text, read_text, unusable_on_error
from companion.display import replay_pictures, screen_faults
from companion.games.score_pad import pad
from companion.inputs import KeyPressed, StopRequested
from companion.languages import plural_text, text, translate
from companion.rounds import record, replaying
from companion.rounds.on_table import PadRound
from companion.table.table_devices import InputQueue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.coach.review import Review
    from companion.rounds.on_table import AnyRound
    from hardware.device_classes import PictureDevice
    from hardware.terminal import Terminal

DESCRIPTION = """\
Steps through a record (a file, - for standard input) or a saved round (its number; the newest if none is named). This
terminal shows the panel's picture; without a terminal the command prints a line for each move.

  right, 6, #  forward        Home, up, 2     the start
  left, 4      back           End, down, 8    the end
  *            leave

Exit status: 0 done, 1 the record is not valid or, by the rules installed here, gives another result, 2 nothing to
replay. With 1 it is replayed up to the fault."""

BACK_KEYS, FORWARD_KEYS = ("left", "4", "A", "back"), ("right", "6", "B", "#", "ok")
START_KEYS, END_KEYS = ("home", "up", "2"), ("end", "down", "8")

LEGEND_LETTERS = 62
"""The length of the line below the picture, which fits the narrowest terminal that can show the panel."""


class RoundToReplay(NamedTuple):
    """The round to replay, whether its hidden pieces must stay hidden, and what is wrong with it, "" for nothing."""

    round: AnyRound
    hides_pieces: bool = False
    fault: str = ""


def main(argv: Sequence[str]) -> int:
    """Replay a round. Returns the exit status."""
    arguments = _make_parser().parse_args(argv)
    source = _find_source(arguments)
    output = arguments.gif if arguments.png is None else arguments.png
    with unusable_on_error("cannot write {file}: {why}", file=printable_text(str(output))):
        _write_files(source.round, arguments)
    if arguments.png is None and arguments.gif is None:
        if arguments.panel or (sys.stdin.isatty() and sys.stdout.isatty() and not arguments.marks):
            _walk_by_keys(source.round, arguments)
        else:
            print(
                round_transcript(
                    source.round,
                    hides_pieces=source.hides_pieces,
                    analysis=_review_source(source) if arguments.marks else None,
                )
            )
    for screen_fault in screen_faults().values():
        print(f"{screen_fault}.", file=sys.stderr)
    if source.fault:
        print(source.fault, file=sys.stderr)
    return int(bool(source.fault))


def _write_files(round_: AnyRound, arguments: argparse.Namespace) -> None:
    """Write the files of --png and --gif, if given. Raises OSError, UnusableError."""
    if arguments.png is not None:
        count = save_pictures(round_, options.nonempty_path(arguments.png), arguments.scale or 1)
        one, more = "{number} picture written to {folder}", "{number} pictures written to {folder}"
        print(plural_text(count, one, more, folder=printable_text(arguments.png)))
    if arguments.gif is not None:
        save_animation(round_, options.nonempty_path(arguments.gif), arguments.scale or ANIMATION_SCALE)
        print(text("written to {file}", file=printable_text(arguments.gif)))


def _make_parser() -> argparse.ArgumentParser:
    parser = options.make_parser("replay", DESCRIPTION)
    parser.add_argument("what", nargs="?", metavar="FILE|ROUND")
    options.add_switch(parser, "--panel", text("also show it on the configured panel; no table may be running"))
    options.add_value(
        parser, "--png", "DIR", text("write a picture of each move, 128×64 pixels, as DIR/000.png and so on")
    )
    options.add_value(parser, "--gif", "FILE", text("write an animated GIF"))
    options.add_value(
        parser,
        "--scale",
        "N",
        text("enlarge the pictures N times, up to 16 (1 for --png, 4 for --gif)"),
        type=_parse_scale,
    )
    options.add_switch(parser, "--marks", text("print each move in words, with how good it was; this takes a while"))
    return parser


def _parse_scale(value: str) -> int:
    if value.isascii() and value.isdigit() and 1 <= int(value) <= 16:
        return int(value)
    raise argparse.ArgumentTypeError(text("use a whole number from 1 to 16"))


def _find_source(arguments: argparse.Namespace) -> RoundToReplay:
    """Find the named file or stored round. Raises UnusableError."""
    name = arguments.what
    number = int(name) if name and name.isascii() and name.isdigit() and len(name) < 10 else None
    if name is not None and (number is None or Path(name).exists()):
        return _read_record(name)
    with command_store.open_store_to_read(arguments) as store:
        stored = command_store.find_round(store, number)
    round_, doubt = replaying.replay_stored(stored)
    doubt_text = printable_text(doubt.reason, command_store.MAX_DOUBT_CHARACTERS) if doubt is not None else ""
    if round_ is None:
        raise UnusableError(
            text("round {number} can no longer be replayed: {doubt}", number=stored.id, doubt=doubt_text)
        )
    fault = (
        text("round {number} no longer gives its result: {doubt}.", number=stored.id, doubt=doubt_text) if doubt else ""
    )
    return RoundToReplay(round_, hides_pieces=not stored.result, fault=fault)


def _read_record(path: str) -> RoundToReplay:
    record_text = read_text(path)
    report = record.check_record(record_text)
    if report.state is None:
        line, fault = (report.fault.line, report.fault.message) if report.fault else (1, text("it has no position"))
        message = "{file} cannot be replayed, line {line}: {fault}"
        raise UnusableError(text(message, file=printable_text(path), line=line, fault=printable_text(fault)))
    return RoundToReplay(
        replaying.replay_record(report), fault=check.report_text(path, report, record_text) if report.fault else ""
    )


# -- as files ---------------------------------------------------------------------------------------------------

ANIMATION_SCALE = 4
"""How many times as wide and high as the panel an animation is."""

START_MILLISECONDS, MARKED_MILLISECONDS, MOVE_MILLISECONDS, RESULT_MILLISECONDS = 1500, 700, 900, 5000
"""How long an animation shows its first picture, a move marked and then played, and the last one."""


def enlarge_picture(picture: Image.Image, scale: int) -> Image.Image:
    """The picture with every pixel as a square of `scale` pixels."""
    return picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)


def save_pictures(round_: AnyRound, folder: Path, scale: int) -> int:
    """Write every picture as 000.png, 001.png, … Returns how many.

    Raises UnusableError if the folder has such files already, OSError if one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.glob("[0-9]*.png")):
        raise UnusableError(text("there are already pictures in {folder}; name an empty folder", folder=folder))
    count = replaying.last_picture_number(round_) + 1
    for number in range(count):
        enlarge_picture(replay_pictures.round_picture(round_, number), scale).save(
            folder / f"{number:03}.png", optimize=True
        )
    return count


def save_animation(round_: AnyRound, file: Path, scale: int) -> None:
    """Write all pictures as a GIF that repeats and shows the last picture longest. Raises OSError.

    Before a move's picture the move is shown as it is entered, with its place and pieces marked, if the game can do
    that.
    """
    last_number = replaying.last_picture_number(round_)
    frames = [(replay_pictures.round_picture(round_, 0), START_MILLISECONDS)]
    for number in range(1, last_number + 1):
        if (marked := replay_pictures.move_input_picture(round_, number)) is not None:
            frames.append((marked, MARKED_MILLISECONDS))
        frames.append(
            (
                replay_pictures.round_picture(round_, number),
                MOVE_MILLISECONDS if number < last_number else RESULT_MILLISECONDS,
            )
        )
    pictures, durations = [enlarge_picture(picture, scale) for picture, _ in frames], [lasts for _, lasts in frames]
    pictures[0].save(
        file, format="GIF", save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=True
    )


# -- in words ---------------------------------------------------------------------------------------------------


def _review_source(source: RoundToReplay) -> Review:
    """The coach's review of a round; of a record that is not over, of its moves so far.

    Raises UnusableError for a score pad, and for a stored round that is not over: its hidden pieces must stay hidden.
    """
    from companion.coach.review import review_round
    from companion.coach.verdicts import PlayedRound

    round_ = source.round
    if isinstance(round_, PadRound):
        raise UnusableError(text("a score pad has no moves to mark"))
    if source.hides_pieces:
        raise UnusableError(text("the round is not over: the moves of a saved round are marked only once it is"))
    return review_round(round_.header.game, PlayedRound(round_.game, round_.move_input, round_.states, round_.events))


def round_transcript(round_: AnyRound, *, hides_pieces: bool, analysis: Review | None = None) -> str:
    """The round in words: a heading, a line for each picture, with `analysis` its verdict too, and the result.

    `hides_pieces` replaces hidden pieces.
    """
    header = round_.header
    # A pad's values for no target, turns or title.
    unset_values = ("0", pad.DEFAULT_TITLE) if isinstance(round_, PadRound) else ()
    options = ", ".join(f"{name} {value}" for name, value in header.options if value not in unset_values)
    game = text(pad.PAD_NAME) if isinstance(round_, PadRound) else round_.manifest.name
    message = "{game} ({options}): {names}" if options else "{game}: {names}"
    heading = text(message, game=game, options=options, names=printable_text(" - ".join(header.names)))
    figures = [" : ".join(map(str, counts)) for counts in round_.curve]
    rows = [("0", "", str(text("start")), figures[0])]
    for number, (seat, _) in enumerate(round_.events, 1):
        event = round_.event_text(number, hidden=hides_pieces)
        rows.append((str(number), printable_text(round_.player_name(seat)), event, figures[number]))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        f"{number:>{widths[0]}}  {player_name:{widths[1]}}  {event:{widths[2]}}  {figures}"
        for number, player_name, event, figures in rows
    ]
    ending: list[str] = [text("not over")]
    if round_.is_over:
        ending = [printable_text(replaying.picture_text(round_, replaying.last_picture_number(round_)))]
    elif analysis is not None and analysis.verdicts:
        ending = [text("not over: only the moves so far are marked")]
    if analysis is not None:
        lines, decided = _lines_with_marks(round_, lines, analysis)
        ending += decided
    return "\n".join(map(translate, [heading, *lines, *ending]))


def _lines_with_marks(round_: AnyRound, lines: list[str], analysis: Review) -> tuple[list[str], list[str]]:
    """The lines with the verdicts beside them, and if the round is over a line about the deciding move."""
    from companion.coach import review

    marks = {each.event_index + 1: review.verdict_text(each) for each in analysis.verdicts}
    width = max(map(len, lines))
    marked = [f"{line:{width}}  {marks.get(number, '')}".rstrip() for number, line in enumerate(lines)]
    if analysis.deciding_verdict is None:
        return marked, [review.undecided_text(analysis, is_over=True)] if round_.is_over else []
    player_name = printable_text(round_.player_name(analysis.deciding_verdict.seat))
    return marked, [text("decided by {move}", move=review.deciding_move_text(analysis, player_name))]


# -- by keys ----------------------------------------------------------------------------------------------------


def next_picture_number(number: int, key: str, last: int) -> int | None:
    """The number of the picture after a key, 0 to `last`; None to leave; unchanged for other keys."""
    if key == "*":
        return None
    if key in BACK_KEYS:
        return max(0, number - 1)
    if key in FORWARD_KEYS:
        return min(last, number + 1)
    return 0 if key in START_KEYS else last if key in END_KEYS else number


def _walk_by_keys(round_: AnyRound, arguments: argparse.Namespace) -> None:
    inputs, last = InputQueue(options.print_message), replaying.last_picture_number(round_)
    with ExitStack() as opened:
        screens: list[PictureDevice] = []
        terminal = None
        if sys.stdin.isatty() and sys.stdout.isatty():
            terminal = opened.enter_context(_open_terminal(inputs))
            screens.append(terminal)
        if arguments.panel:
            screens.append(opened.enter_context(_open_panel(inputs, arguments)))
        number: int | None = 0
        while number is not None:
            if terminal is not None:
                legend = text("{number}/{last}   arrows: back, forward   Home, End   * leave", number=number, last=last)
                terminal.key_hint = legend.ljust(LEGEND_LETTERS)
            for screen in screens:
                screen.show(replay_pictures.round_picture(round_, number))
            input_ = inputs.queue.get()
            if isinstance(input_, StopRequested):
                return
            if isinstance(input_, KeyPressed):
                number = next_picture_number(number, input_.key, last)


@contextmanager
def _open_terminal(inputs: InputQueue) -> Iterator[Terminal]:
    from hardware.terminal import ARROWS, HOME_AND_END, Terminal

    inputs.write_log = None  # The picture fills the terminal, so there is no line for warnings about devices.
    with closing(Terminal(inputs.put, keys=ARROWS | HOME_AND_END)) as terminal:
        terminal.start()
        yield terminal


@contextmanager
def _open_panel(inputs: InputQueue, arguments: argparse.Namespace) -> Iterator[PictureDevice]:
    """The configured panel, with its devices' keys put on `inputs`; no table can start within this context."""
    from companion.config import SYSTEM_DATA
    from companion.store.data_folder import acting_as_owner, lock_folder
    from hardware.devices import make_devices

    config = options.load_config(arguments)
    with ExitStack() as stack:
        for folder in {options.data_folder(arguments, config), SYSTEM_DATA}:
            if folder.is_dir():
                with acting_as_owner(folder):
                    stack.callback(os.close, lock_folder(folder))
        devices = make_devices(config, inputs.put)
        stack.callback(devices.close)
        devices.start()
        yield devices.screen
