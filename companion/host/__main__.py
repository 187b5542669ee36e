"""``python -m companion.host DIR``: a question a line on standard input, an answer a line on standard output, as JSON.

Ends with its input. The table starts it when the host first asks, and speaks for it on its socket: docs/socket.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from companion.host.answers import Unanswerable, answer
from companion.store.lock import StoreError

MOST_MEMORY = 192 << 20
"""Bytes of memory that are its own: the table's service has a limit for both together."""


def main(folder: str) -> int:
    """Answer until nobody asks any more; the exit status."""
    with contextlib.suppress(OSError, ValueError):  # The service's sandbox may forbid it.
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    if "RUNTIME_DIRECTORY" in os.environ:  # A report's library keeps a list of fonts; nothing is written to the rounds.
        os.environ.setdefault("MPLCONFIGDIR", os.path.join(os.environ["RUNTIME_DIRECTORY"], "matplotlib"))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Each thread would take memory for sums that nobody asks for.
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(_answered(Path(folder), line) + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _answered(folder: Path, line: bytes) -> bytes:
    """The answer to one line; a question that cannot be answered is answered by why, in one sentence."""
    words = json.loads(line)
    found: dict[str, Any]
    try:
        found = {"found": answer(folder, str(words["what"]), str(words["text"]))}
    except (Unanswerable, StoreError) as why:
        found = {"refusal": str(why)}
    except MemoryError:
        found = {"refusal": "That is too much for this box."}
    except Exception as error:
        if "COMPANION_TRACEBACK" in os.environ:
            raise
        print(f"companion: an error in the program itself ({type(error).__name__}: {error})", file=sys.stderr)
        found = {"refusal": "The box cannot answer that: its journal says more."}
    return json.dumps({"answer": words["ask"]} | found, ensure_ascii=False).encode("utf-8", "replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
