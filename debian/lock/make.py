#!/usr/bin/env python3
"""Write the hashes of everything that the packages bring: python3 debian/lock/make.py.

Run it after a change of versions in constraints.txt. The versions are those of constraints.txt; the hashes are those of
the wheels that pip would choose for each Python and each kind of computer below. They are in files of their own,
because `pip install -c constraints.txt .` refuses a constraint with a hash. Running it takes a minute of a
processor.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LOCK_FOLDER = Path(__file__).parent
CONSTRAINTS = LOCK_FOLDER.parent.parent / "constraints.txt"
PYTHONS = ("3.11", "3.13")
MACHINES = ("x86_64", "aarch64")
OLDEST_GLIBC, NEWEST_GLIBC = 17, 36
"""The minor versions of glibc 2 that wheels may be built for. Debian 12 has 2.36."""

PROGRAM_PACKAGES = ("gpiozero", "luma.oled", "openskill", "pillow", "pyserial")
"""What the program needs; pip finds what these packages need in turn."""
PIN_PACKAGES = ("lgpio",)
"""The library of the GPIO pins, in a file of its own: where it has no wheel, Debian's package takes its place."""
WEB_PACKAGES = ("jinja2", "python-multipart", "segno", "starlette", "uvicorn")
REPORT_PACKAGES = ("jinja2", "matplotlib")
HALL_PACKAGES = ("caissify-pairings", "networkx", "paho-mqtt")
"""The extras of pyproject.toml."""
Package = tuple[str, str]
"""A name, in lower case, and a version."""
FILE_HEAD = "# Written by debian/lock/make.py. Wheels for Python {} on {}.\n"


def main() -> None:
    """Write one file for each group of packages."""
    files = {
        "program": PROGRAM_PACKAGES,
        "pins": PIN_PACKAGES,
        "web": WEB_PACKAGES,
        "report": REPORT_PACKAGES,
        "hall": HALL_PACKAGES,
    }
    packages = {name: resolve_packages(wanted) for name, wanted in files.items()}
    all_packages = sorted({package for packages_of_file in packages.values() for package in packages_of_file})
    wheels = {
        f"{python} {machine}": wheel_hashes(all_packages, python, machine)
        for python, machine in itertools.product(PYTHONS, MACHINES)
    }
    for name, packages_of_file in packages.items():
        head = FILE_HEAD.format(", ".join(PYTHONS), ", ".join(MACHINES))
        (LOCK_FOLDER / f"{name}.txt").write_text(
            head + "".join(lock_lines(package, wheels) for package in packages_of_file)
        )


def lock_lines(package: Package, hashes_by_computer: dict[str, dict[Package, str]]) -> str:
    """The lines of a file for one package. A comment names the computers for which it has no wheel."""
    hashes = {some[package] for some in hashes_by_computer.values() if package in some}
    missing = [computer for computer, some in hashes_by_computer.items() if package not in some]
    note = f"# No wheel: {', '.join(missing)}\n" if missing else ""
    lines = ["==".join(package), *(f"--hash=sha256:{each}" for each in sorted(hashes))]
    return note + " \\\n    ".join(lines) + "\n"


def wheel_hashes(packages: list[Package], python: str, machine: str) -> dict[Package, str]:
    """The SHA-256 hash of each package's wheel for one Python and one kind of computer, if it has one."""
    installed = pip_report(["==".join(package) for package in packages], python, machine, "--no-deps")
    return {name_and_version(each): each["download_info"]["archive_info"]["hashes"]["sha256"] for each in installed}


def name_and_version(installed: dict[str, Any]) -> Package:
    """The name and version of a package in pip's report."""
    return installed["metadata"]["name"].lower(), installed["metadata"]["version"]


def resolve_packages(packages: tuple[str, ...]) -> list[Package]:
    """Each package, and everything that it needs, with its version."""
    return sorted(
        map(name_and_version, pip_report(list(packages), PYTHONS[0], MACHINES[0], "--constraint", str(CONSTRAINTS)))
    )


def pip_report(packages: list[str], python: str, machine: str, *options: str) -> list[dict[str, Any]]:
    """What pip would install on a computer, without the packages that have no wheel for it."""
    glibcs = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, OLDEST_GLIBC - 1, -1)]
    platforms = [*glibcs, f"manylinux2014_{machine}", f"linux_{machine}"]
    wanted = [*packages]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--report", str(file), "--only-binary", ":all:", "--python-version", python, "--target", folder]
        command += [word for each in platforms for word in ("--platform", each)]
        while wanted:
            process = subprocess.run([*command, *options, *wanted], capture_output=True, text=True, check=False)
            if process.returncode == 0:
                return list(json.loads(file.read_text())["install"])
            missing = re.search(r"No matching distribution found for (\S+)", process.stderr)
            if missing is None or missing[1] not in wanted:
                sys.exit(process.stderr)
            wanted.remove(missing[1])  # Pip names only the first one that it has not found.
    return []


if __name__ == "__main__":
    main()
