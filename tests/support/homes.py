"""A home of its own for each test, so that no test sees what the developer has played or configured.

Programs save their user's files below HOME; every other variable with such a folder is removed, see
`limits.ALLOWED_VARIABLES`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.doctor.disk import is_in_memory

# Debian 13 has /tmp in memory, and a table warns of rounds that are kept there.
if is_in_memory(Path(tempfile.gettempdir())):
    os.environ["TMPDIR"] = "/var/tmp"
    tempfile.tempdir = None

# For the drills, the way to the package registries is that of whoever runs them.
for _file in (Path.home() / ".config/pip/pip.conf", Path.home() / ".pip/pip.conf"):
    if _file.exists():
        os.environ.setdefault("PIP_CONFIG_FILE", str(_file))


@pytest.fixture(scope="session", autouse=True)
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Path]]:
    """Empty homes, one after the other; the first is for fixtures that several tests share."""
    folder = tmp_path_factory.mktemp("homes")
    made = (_new_folder(folder / str(number)) for number in count())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(next(made)))
        yield made


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of this test, and of all processes that it starts."""
    folder = next(homes)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def _new_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder
