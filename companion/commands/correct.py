"""Changes finished rounds: `companion correct` and `companion void`.

`correct` replaces what was played. The round is refereed again, so that its result follows from its moves. `void` makes
a round count no longer, or again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion import UnusableError
from companion.commands import check, command_store, options
from companion.commands.exported_text import MAX_FILE_BYTES, export_failure_text, pad_json, parse_pad
from companion.commands.text_streams import printable_text, read_text
from companion.games.api.result import Result, verdict_text
from companion.games.score_pad import pad
from companion.languages import join_texts, text
from companion.store import round_text
from companion.store.errors import StoreError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.rounds.stored import StoredRound
    from companion.store.store_queries import StoreQueries

CORRECT_DESCRIPTION = """\
Corrects a finished round. FILE is the record that `companion export` writes, with your changes; for a score pad it is
the object that `companion export --json` writes. The round is refereed again, and its new result replaces the old one.
Without FILE the round opens in the editor named by $EDITOR; - is standard input. Standings, ratings and matches are
updated. The old version stays in the journal. The table must not be running."""

VOID_DESCRIPTION = """\
Marks a finished round as void: it stays in the history, but does not count in standings, ratings or matches. With
--undo it counts again. The table must not be running."""

DEFAULT_EDITOR = "vi"
"""The editor, if neither $VISUAL nor $EDITOR names one."""


def main(argv: Sequence[str]) -> int:
    """Correct a round. Returns the exit status."""
    parser = options.make_parser("correct", CORRECT_DESCRIPTION)
    round_help = text("the round's number, as `companion history` shows it")
    options.add_value(parser, "round", "ROUND", round_help, type=options.parse_count)
    options.add_value(parser, "file", "FILE", text("the changed record or score pad"), nargs="?")
    arguments = parser.parse_args(argv)
    if arguments.file is not None:
        return _save_correction(arguments, arguments.file, read_text(arguments.file, MAX_FILE_BYTES))
    with command_store.open_store_to_read(arguments) as store:
        original_text = editable_text(store, command_store.find_round(store, arguments.round))
    path = _edit_in_editor(original_text, arguments.round)
    changed_text = read_text(str(path), MAX_FILE_BYTES)
    try:
        status = 1 if changed_text == original_text else _save_correction(arguments, str(path), changed_text)
    except UnusableError as error:
        message = "{why}; your changes are in {file}"
        raise UnusableError(text(message, why=error.sentence, file=printable_text(str(path)))) from None
    path.unlink()
    if changed_text == original_text:
        options.print_message(text("nothing was changed"))
    return status


def editable_text(store: StoreQueries, stored: StoredRound) -> str:
    """A round as the text that is corrected: without what follows from its moves. Raises UnusableError."""
    try:
        is_pad = stored.header.game == pad.PAD_ID
        return pad_json(store, stored) if is_pad else round_text.editable_text(store, stored)
    except (StoreError, ValueError) as error:
        raise UnusableError(export_failure_text(stored.id, error)) from None


def _edit_in_editor(original_text: str, number: int) -> Path:
    """Let the user change the round in an editor, and return the file. Raises UnusableError."""
    if not sys.stdin.isatty():
        raise UnusableError(text("name the file with the changed round, or - for standard input"))
    import shlex
    import subprocess
    import tempfile

    with tempfile.NamedTemporaryFile("w", prefix=f"round-{number}-", suffix=".txt", delete=False) as file:
        file.write(original_text)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or DEFAULT_EDITOR
    try:
        subprocess.run([*shlex.split(editor), file.name], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        Path(file.name).unlink(missing_ok=True)
        raise UnusableError(
            text("the editor {editor} failed: {why}", editor=printable_text(editor), why=error)
        ) from None
    return Path(file.name)


def _save_correction(arguments: argparse.Namespace, file: str, changed_text: str) -> int:
    """Referee the changed round and save it. Returns the exit status. Raises UnusableError."""
    with command_store.open_store_to_change(arguments) as store:
        original = command_store.find_round(store, arguments.round)
        corrected = parse_correction(original, printable_text(file), changed_text)
        if round_text.is_unchanged(original, corrected):
            options.print_message(text("nothing was changed"))
            return 1
        if fault := store.change_round(original.id, corrected):
            raise UnusableError(fault)
    print(text("round {number} was: {result}", number=original.id, result=_result_text(original)))
    print(text("it is now: {result}", result=_result_text(corrected)))
    return 0


def parse_correction(original: StoredRound, file: str, changed_text: str) -> StoredRound:
    """Parse a changed round and referee it. Returns it with its new result.

    Raises UnusableError with a sentence that names the file.
    """
    try:
        if original.header.game == pad.PAD_ID:
            corrected = parse_pad(changed_text, is_changed=True)[0]
        else:
            report, record_text = round_text.check_changed_record(changed_text)
            if report.fault:
                raise UnusableError(check.report_text(file, report, record_text))
            corrected = round_text.round_from_checked_record(report, record_text)
        return round_text.with_new_events(original, corrected)
    except ValueError as error:
        raise UnusableError(f"{file}: {error}") from None


def _result_text(stored: StoredRound) -> str:
    """The result of a round: ``Ann 12, Ben 6, Ann wins``."""
    result, names = Result.parse(stored.result), stored.header.names
    pairs = (f"{printable_text(name)} {score}" for name, score in zip(names, result.scores, strict=True))
    return join_texts(
        (", ".join(pairs), verdict_text(list(map(printable_text, result.winner_names(names))), len(names))), ", "
    )


def void(argv: Sequence[str]) -> int:
    """Void or restore a round. Returns the exit status."""
    parser = options.make_parser("void", VOID_DESCRIPTION)
    round_help = text("the round's number, as `companion history` shows it")
    options.add_value(parser, "round", "ROUND", round_help, type=options.parse_count)
    options.add_switch(parser, "--undo", text("let the round count again"))
    arguments = parser.parse_args(argv)
    with command_store.open_store_to_change(arguments) as store:
        if fault := store.change_round(arguments.round, "restore" if arguments.undo else "void"):
            raise UnusableError(fault)
    print(text("round {number} counts again" if arguments.undo else "round {number} is void", number=arguments.round))
    return 0
