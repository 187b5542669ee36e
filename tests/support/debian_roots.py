"""Bare Debian roots with a checkout in them. Files tell them how this machine reaches the package registries.

A root is built once a run, which takes half a minute, and copied for every test that needs one.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

CHECKOUT = Path(__file__).parent.parent.parent
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PIP_CERTIFICATES = Path("/etc/pip-certificates.crt")
"""A path that the package ca-certificates, once it is installed, does not overwrite."""
PATIENCE_SECONDS = 1800
"""Seconds in which a root must be unpacked, and a package built, also on a busy machine."""


T = TypeVar("T")
ROOTS_VARIABLE = "PYTEST_ROOTS"
"""The environment variable with the folder of the roots, for the workers of a run."""


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        os.environ[ROOTS_VARIABLE] = tempfile.mkdtemp(prefix="roots-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(ROOTS_VARIABLE), ignore_errors=True)


@pytest.hookimpl(trylast=True)  # Only those that are run are spread.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Spread the tests that take minutes over the workers, and run them first, so that no worker waits at the end."""
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    items[:] = spread_long_tests(items, workers, lambda item: not {"machines", "bare"}.isdisjoint(_fixtures(item)))


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", [])


def spread_long_tests(items: list[T], workers: int, takes_minutes: Callable[[T], bool]) -> list[T]:
    """The items in an order in which the run of each worker begins with its share of those that take minutes.

    pytest-xdist gives each worker a run of the list, all as long as possible; a worker that is done takes from the end
    of another's. So those of one file, which may wait for each other, stay together, and what is taken is short.
    """
    long = [item for item in items if takes_minutes(item)]
    short = [item for item in items if not takes_minutes(item)]
    found: list[T] = []
    for left in range(workers, 0, -1):
        size, share = (len(long) + len(short)) // left, len(long) // left
        found += long[:share] + short[: size - share]
        del long[:share], short[: size - share]
    return found


def unpack_root(root: Path, release: str, packages: str = "") -> None:
    """Unpack a release from this machine's own package sources; skips the test if they don't have it."""
    kept = Path(os.environ[ROOTS_VARIABLE]) / f"{release},{packages}"
    with Path(f"{kept}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _build_root(kept, release, packages)
    command = ["cp", "-aT", "--reflink=auto", kept, root]
    subprocess.run(command, timeout=PATIENCE_SECONDS, check=True)


def _build_root(root: Path, release: str, packages: str) -> None:
    unfinished = Path(f"{root}.unfinished")
    sources = _sources(release)
    command = ["mmdebstrap", "--quiet", "--variant=minbase", *_apt_options()]
    done = subprocess.run(
        [*command, *([f"--include={packages}"] if packages else []), release, unfinished, *(["-"] if sources else [])],
        input=sources,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(unfinished, ignore_errors=True)
        pytest.skip(f"no root of {release} from these package sources: {done.stderr.strip()[-300:]}")
    (unfinished / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {os.uname().nodename}\n")
    (unfinished / "etc/pip.conf").write_text(_pip_config())
    if CERTIFICATES.exists():
        (unfinished / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
        shutil.copy(CERTIFICATES, unfinished / CERTIFICATES.relative_to("/"))
        shutil.copy(CERTIFICATES, unfinished / PIP_CERTIFICATES.relative_to("/"))
    unfinished.rename(root)


def _sources(release: str) -> str:
    """The Debian sources of this machine with another release; "" for mmdebstrap's own choice."""
    system = Path("/etc/os-release").read_text()
    here = re.search(r"^VERSION_CODENAME=(\w+)$", system, re.M)
    if not here or not re.search(r"^ID=debian$", system, re.M):
        return ""
    ours = re.compile(rf"(?<![\w-]){here[1]}(-updates|-security)?(?![\w-])")
    found = []
    for file in (Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))):
        if file.suffix in (".list", ".sources") and file.exists():
            pieces = file.read_text().splitlines() if file.suffix == ".list" else file.read_text().split("\n\n")
            wanted = [piece.strip() for piece in pieces if ours.search(piece) and not piece.startswith("#")]
            found += [ours.sub(lambda match: release + (match[1] or ""), piece) for piece in wanted]
    # mmdebstrap takes one format at a time from standard input.
    stanzas = [piece for piece in found if piece.startswith("Types:")]
    return "\n\n".join(stanzas) + "\n" if stanzas else "".join(f"{line}\n" for line in found)


def _apt_options() -> list[str]:
    """The proxies of this machine, and how old it lets package lists be."""
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, timeout=60, check=False).stdout
    wanted = re.compile(r"Acquire::(https?::[^ ]+|Check-Valid-Until|Check-Date) .*;")
    return [f"--aptopt={line}" for line in dump.splitlines() if wanted.fullmatch(line) and '""' not in line]


def _pip_settings() -> dict[str, str]:
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, timeout=60, check=False
    )
    settings = {}
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        settings[name.rsplit(".", 1)[-1]] = shlex.split(value)[0] if value else ""
    return settings


def _pip_config() -> str:
    """The settings of this machine's pip, from all its files and the environment, as one file."""
    settings = _pip_settings()
    settings.pop("constraint", None)  # A file of this machine alone; the project brings its own.
    if "cert" in settings:
        settings["cert"] = str(PIP_CERTIFICATES)
    for name in ("HTTPS_PROXY", "https_proxy"):
        if name in os.environ:
            settings.setdefault("proxy", os.environ[name])
    return "[global]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items())


def build_package(release: str) -> Path:
    """The package of this checkout for a release, built in a root of its own as debian/rules says; once a run."""
    built = Path(os.environ[ROOTS_VARIABLE]) / f"{release}.deb"
    with Path(f"{built}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            with tempfile.TemporaryDirectory(prefix="build-", ignore_cleanup_errors=True) as folder:
                root = Path(folder, "root")
                _build_root(root, release, "debhelper,python3-pip")
                copy_checkout(root / "srv/tabletop-companion")
                binds = [f"--bind-ro={path}" for path in local_package_indexes()]
                command = ["systemd-nspawn", "-q", "-D", root, "--register=no", "--keep-unit", "--console=pipe", *binds]
                # A package that is used once is hardly compressed.
                command += [f"--setenv=DPKG_DEB_COMPRESSOR_{name}" for name in ("TYPE=gzip", "LEVEL=1")]
                command += ["--chdir=/srv/tabletop-companion", "dpkg-buildpackage", "-b", "-d", "--no-sign"]
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                    timeout=PATIENCE_SECONDS, check=False,
                )  # fmt: skip
                assert done.returncode == 0, done.stdout[-3000:]
                (made,) = (root / "srv").glob("tabletop-companion_*.deb")
                shutil.move(made, built)
    return built


def repack(package: Path, to: Path, change: Callable[[Path, Path], None]) -> Path:
    """A package like another, after a change to its files and to its control files, whose folders `change` gets."""
    with tempfile.TemporaryDirectory(prefix="repack-") as folder:
        command = ["dpkg-deb", "--raw-extract", package, folder]
        subprocess.run(command, timeout=PATIENCE_SECONDS, check=True)
        change(Path(folder), Path(folder, "DEBIAN"))
        command = ["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", folder, to]
        subprocess.run(command, timeout=PATIENCE_SECONDS, check=True, stdout=subprocess.DEVNULL)
    return to


def local_package_indexes() -> list[str]:
    """Folders of this machine in which its pip looks for packages, and its constraint files."""
    settings = _pip_settings()
    words = " ".join(settings.values()).replace("file://", "").split()
    folders = {Path(word) for word in words if word.startswith("/") and Path(word).is_dir()}
    # An index of files has its pages in `simple` and the files beside it.
    indexes = {str(folder.parent if folder.name == "simple" else folder) for folder in folders}
    return sorted(indexes | {word for word in settings.get("constraint", "").split() if Path(word).is_file()})


def copy_checkout(to: Path) -> None:
    """Copy what a clone of this project would have, with the changes that are not committed yet."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={CHECKOUT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    if listed.returncode:
        shutil.copytree(CHECKOUT, to, ignore=shutil.ignore_patterns(".venv", ".git", "*cache*"))
        return
    for name in listed.stdout.decode().split("\0"):
        if name and (CHECKOUT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, to / name)
