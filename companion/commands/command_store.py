"""Opens the store for a command: for the table, only to read, or to change it while no table is running.

A command that root runs must not leave files that the table's own user cannot change. While a store is open, root
therefore acts with only the rights of the folder's owner.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeVar

from companion import UnusableError, games
from companion import config as configuration
from companion.commands.options import data_folder, load_config, print_message
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH
from companion.store.data_folder import acting_as_owner, must_act_as_owner
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store
from companion.table import service

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from companion.rounds.stored import StoredRound
    from companion.store.store_queries import StoreQueries

MAX_START_MICROSECONDS = 15 * 60 * 10**6
"""The longest that systemd is asked to wait for a start at which thousands of rounds are read."""
USUAL_START_MICROSECONDS, MICROSECONDS_PER_BYTE = 30 * 10**6, 40
"""How long any start may take, and what a byte of rounds adds, ten times what a Pi Zero 2 needs."""
MAX_DOUBT_CHARACTERS = 300
"""The most characters that are printed about what is wrong with a round."""

StoreT = TypeVar("StoreT", Store, ReadOnlyStore)


def open_store_in(
    folder: Path, *, background: bool = False, second: Path | Literal[""] | None = ""
) -> AbstractContextManager[Store]:
    """Open the store in a folder for writing; the arguments are those of `Store`. Raises UnusableError.

    Within this context root has only the rights of the folder's owner.
    """
    return _opened_as_owner(
        folder,
        partial(Store, folder, in_background=background, second_folder=second, on_slow_search=_extend_start_timeout),
    )


@contextmanager
def _opened_as_owner(folder: Path, open_store: Callable[[], StoreT]) -> Iterator[StoreT]:
    """Call `open_store` and close the store at the end; within this context root has only its owner's rights."""
    if must_act_as_owner(folder):
        _import_late_modules()
    with acting_as_owner(folder):
        with in_language(ENGLISH):  # The log is in English, and warnings about damage go there too.
            opened = open_store()
        with closing(opened):
            yield opened


def _extend_start_timeout(byte_count: int) -> None:
    """Have systemd wait for the start until so many bytes of rounds are read."""
    microseconds = min(MAX_START_MICROSECONDS, USUAL_START_MICROSECONDS + byte_count * MICROSECONDS_PER_BYTE)
    service.notify_service_manager(f"EXTEND_TIMEOUT_USEC={microseconds}")


def _import_late_modules() -> None:
    """Import now what is usually imported later, because the folder's owner may not be allowed to read the program."""
    for game in (each.id for each in games.all_manifests() if each.has_records):
        for load in (games.load_rules, games.load_move_input, games.load_screen):
            load(game)
    with suppress(ImportError):
        import_module("openskill.models")


@contextmanager
def open_store_to_read(arguments: argparse.Namespace) -> Iterator[ReadOnlyStore]:
    """Open the store in the folder of --data or --config, only to read; the table may be running.

    Raises UnusableError.
    """
    folder, service_folder = data_folder(arguments, load_config(arguments)), configuration.SYSTEM_DATA
    if (
        not arguments.data
        and service_folder.is_dir()
        and not os.access(service_folder, os.W_OK)
        and not folder.exists()
    ):
        message = (
            "only members of the group companion can read the rounds in {folder}; a new member must log in again first"
        )
        raise UnusableError(text(message, folder=service_folder))
    with _opened_as_owner(folder, partial(ReadOnlyStore, folder)) as opened:
        if opened.warning_text:
            print_message(opened.warning_text)
        yield opened


@contextmanager
def open_store_to_change(arguments: argparse.Namespace) -> Iterator[Store]:
    """Open the store in the folder of --data or --config, to change it; no table may be running.

    Raises UnusableError.
    """
    with open_store_in(data_folder(arguments, load_config(arguments))) as opened:
        if opened.warning_text:
            print_message(opened.warning_text)
        yield opened


def find_round(store: StoreQueries, number: int | None) -> StoredRound:
    """A round by its number, the newest for None. Raises UnusableError if there is none."""
    stored = store.load_round(number)
    if stored is None:
        message = "there are no rounds in {folder}" if number is None else "there is no round {number} in {folder}"
        raise UnusableError(text(message, number=number, folder=store.folder))
    return stored
