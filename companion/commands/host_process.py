"""``python -m companion.commands.host_process DIR``: answers the host's questions about stored rounds.

It reads one JSON question a line from standard input and writes one answer a line, in which texts are given by their
parts. It ends at the end of its input. The table starts it at the host's first question and passes questions and
answers on: docs/socket.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from companion.display.replay_pictures import PANELS
from companion.languages import text, texts_to_json
from companion.store.errors import StoreError
from companion.table.host_answers import UnanswerableError, answer_about_rounds

MAX_MEMORY_BYTES = 192 << 20
"""The most memory of this process, in bytes; the limit of the table's service covers both processes."""


def main(folder: str) -> int:
    """Answer all lines of standard input. Returns the exit status."""
    with contextlib.suppress(OSError, ValueError):  # The service's sandbox may forbid limits.
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    if "RUNTIME_DIRECTORY" in os.environ:  # matplotlib stores its list of fonts there.
        os.environ.setdefault("MPLCONFIGDIR", os.path.join(os.environ["RUNTIME_DIRECTORY"], "matplotlib"))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Each further thread would need memory.
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(_answer_line(Path(folder), line) + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _answer_line(folder: Path, line: bytes) -> bytes:
    """The answer to one line: ``found``, or ``refusal`` with one sentence."""
    question = json.loads(line)
    reply: dict[str, Any]
    try:
        reply = {"found": answer_about_rounds(folder, str(question["what"]), str(question["text"]), PANELS)}
    except (UnanswerableError, StoreError) as why:
        reply = {"refusal": why.args[0] if why.args else str(why)}
    except MemoryError:
        reply = {"refusal": text("That is too much work for this box.")}
    except Exception as error:
        if "COMPANION_TRACEBACK" in os.environ:
            raise
        print(f"companion: an error in the program itself ({type(error).__name__}: {error})", file=sys.stderr)
        reply = {"refusal": text("The box could not answer: its system journal says why.")}
    return json.dumps({"answer": question["ask"]} | texts_to_json(reply), ensure_ascii=False).encode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
