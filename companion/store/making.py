"""``python -m companion.store.making FOLDER NAME``: makes an index of a journal, beside a running table."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.store import index_file

if __name__ == "__main__":
    os.nice(10)
    index_file.make(Path(sys.argv[1]), sys.argv[2])
