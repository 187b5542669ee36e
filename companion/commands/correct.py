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
from companion.commands import check, opened_store, options
from companion.commands.exported_text import LONGEST_FILE, pad_json, read_pad, why_not_exported
from companion.commands.streams import printable, read_text
from companion.games.api.result import Result, verdict_text
from companion.games.score_pad import rules as pad
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

EDITOR = "vi"
"""The editor, if neither $VISUAL nor $EDITOR names one."""


def main(given: Sequence[str]) -> int:
    """Correct a round. Returns the exit status."""
    parser = options.parser("correct", CORRECT_DESCRIPTION)
    which = text("the round's number, as `companion history` shows it")
    options.add_value(parser, "round", "ROUND", which, type=options.count)
    options.add_value(parser, "file", "FILE", text("the changed record or score pad"), nargs="?")
    arguments = parser.parse_args(given)
    if arguments.file is not None:
        return _correct(arguments, arguments.file, read_text(arguments.file, LONGEST_FILE))
    with opened_store.open_to_read(arguments) as store:
        before = editable_text(store, opened_store.find_round(store, arguments.round))
    path = _edit(before, arguments.round)
    whole = read_text(str(path), LONGEST_FILE)
    try:
        status = 1 if whole == before else _correct(arguments, str(path), whole)
    except UnusableError as error:
        message = "{why}; your changes are in {file}"
        raise UnusableError(text(message, why=error.sentence, file=printable(str(path)))) from None
    path.unlink()
    if whole == before:
        options.say(text("nothing was changed"))
    return status


def editable_text(store: StoreQueries, saved: StoredRound) -> str:
    """A round as the text that is corrected: without what follows from its moves. Raises UnusableError."""
    try:
        is_pad = saved.header.game == pad.PAD_ID
        return pad_json(store, saved) if is_pad else round_text.editable_text(store, saved)
    except (StoreError, ValueError) as error:
        raise UnusableError(why_not_exported(saved.id, error)) from None


def _edit(before: str, number: int) -> Path:
    """Let the user change the round in an editor, and return the file. Raises UnusableError."""
    if not sys.stdin.isatty():
        raise UnusableError(text("name the file with the changed round, or - for standard input"))
    import shlex
    import subprocess
    import tempfile

    with tempfile.NamedTemporaryFile("w", prefix=f"round-{number}-", suffix=".txt", delete=False) as file:
        file.write(before)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or EDITOR
    try:
        subprocess.run([*shlex.split(editor), file.name], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        Path(file.name).unlink(missing_ok=True)
        raise UnusableError(text("the editor {editor} failed: {why}", editor=printable(editor), why=error)) from None
    return Path(file.name)


def _correct(arguments: argparse.Namespace, file: str, whole: str) -> int:
    """Referee the changed round and save it. Returns the exit status. Raises UnusableError."""
    with opened_store.open_to_change(arguments) as store:
        before = opened_store.find_round(store, arguments.round)
        after = correct_round(before, printable(file), whole)
        if round_text.is_unchanged(before, after):
            options.say(text("nothing was changed"))
            return 1
        if fault := store.change_round(before.id, after):
            raise UnusableError(fault)
    print(text("round {number} was: {result}", number=before.id, result=_result_words(before)))
    print(text("it is now: {result}", result=_result_words(after)))
    return 0


def correct_round(before: StoredRound, file: str, whole: str) -> StoredRound:
    """Parse a changed round and referee it. Returns it with its new result.

    Raises UnusableError with a sentence that names the file.
    """
    try:
        if before.header.game == pad.PAD_ID:
            after = read_pad(whole, changed=True)[0]
        else:
            report, plain = round_text.check_changed_record(whole)
            if report.fault:
                raise UnusableError(check.in_words(file, report, plain))
            after = round_text.round_of_report(report, plain)
        return round_text.with_new_events(before, after)
    except ValueError as error:
        raise UnusableError(f"{file}: {error}") from None


def _result_words(saved: StoredRound) -> str:
    """The result of a round: ``Ann 12, Ben 6, Ann wins``."""
    result, names = Result.parse(saved.result), saved.header.names
    pairs = (f"{printable(name)} {score}" for name, score in zip(names, result.scores, strict=True))
    return join_texts((", ".join(pairs), verdict_text(list(map(printable, result.winner_names(names))), len(names))), ", ")


def void(given: Sequence[str]) -> int:
    """Void or restore a round. Returns the exit status."""
    parser = options.parser("void", VOID_DESCRIPTION)
    which = text("the round's number, as `companion history` shows it")
    options.add_value(parser, "round", "ROUND", which, type=options.count)
    options.add_switch(parser, "--undo", text("let the round count again"))
    arguments = parser.parse_args(given)
    with opened_store.open_to_change(arguments) as store:
        if fault := store.change_round(arguments.round, "restore" if arguments.undo else "void"):
            raise UnusableError(fault)
    print(text("round {number} counts again" if arguments.undo else "round {number} is void", number=arguments.round))
    return 0
