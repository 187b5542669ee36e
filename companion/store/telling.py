"""Turns errors of SQLite and the disk into StoreError, with one sentence for the players."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.store import file as store_file
from companion.store.file import Damaged, StoreError, reason
from companion.store.lock import Busy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def telling(what: str, folder: Path) -> Iterator[None]:
    """Within this context errors of SQLite and the disk are raised as StoreError, with the text "`what`: why".

    An error about damage is raised as Damaged, one about another program's lock as Busy.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        if "Could not decode" in str(error):
            raise Damaged(what, f"{error}.") from error
        kind = Busy if store_file.is_busy(error) else StoreError
        raise kind(what, reason(error, folder)) from error
    except sqlite3.IntegrityError as error:  # A fault of the program, which would come again with any file.
        raise StoreError(what, f"{error}.") from error
    except sqlite3.DatabaseError as error:
        raise Damaged(what, f"{error}.") from error
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Damaged(what, "they are damaged.") from error  # A stored text that was changed.
    except OSError as error:
        raise StoreError(what, reason(error, folder)) from error
