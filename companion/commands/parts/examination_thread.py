"""The examination of the box while the table runs, in a thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.inputs import BoxExamined
from companion.languages import speaking
from companion.languages.catalogues import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.table.input_queue import Inputs


def examine(
    inputs: Inputs, folder: Path, config: Config | None, connected: Sequence[str], language: str = ENGLISH
) -> None:
    """Examine the box in a thread, because a disk may be slow, and then put BoxExamined on the queue.

    Its findings are in the box's `language`, by which each is divided into pages.
    """

    def look() -> None:
        from companion.commands.parts.examination import at_the_table
        from companion.screens.doctor import paged

        with speaking(language):
            pages = paged(at_the_table(folder, config, connected, inputs.missing))
        inputs.queue.put(BoxExamined(pages, time.monotonic()))

    threading.Thread(target=look, name="doctor", daemon=True).start()
