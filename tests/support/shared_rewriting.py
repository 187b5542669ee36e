"""Shares out the rewriting of the tests' assertions among the workers of a whole run.

In a fresh clone pytest rewrites each file at its first import, in every worker anew, which takes a quarter of the whole
time. So each worker first rewrites a share of its own, and finds those of the others in pytest's cache. No test module
is imported here; the order of imports is left to pytest.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

TESTS = Path(__file__).parents[1]


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(TESTS.rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        # pytest's own functions, which another version may have under other names; then each worker does all by itself.
        with contextlib.suppress(Exception):
            _rewrite_into_cache(file, config)


def _rewrite_into_cache(file: Path, config: pytest.Config) -> None:
    folder = rewrite.get_cache_dir(file)
    cached = folder / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, cached) is None and rewrite.try_makedirs(folder):
        source_hash, code = rewrite._rewrite_test(file, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, cached)
