#!/usr/bin/env python3
"""Write the hashes of everything that systemd/install installs as root: python3 systemd/lock/make.py.

Run it after a change of versions in constraints.txt. The versions are those of constraints.txt, the hashes those of the
wheels that pip would choose for each Python and each kind of computer below. They are in files of their own because
`pip install -c constraints.txt .` refuses a constraint with a hash.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CONSTRAINTS = HERE.parent.parent / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64", "armv7l")
OLDEST_GLIBC, NEWEST_GLIBC = 17, 41
"""Minor versions of glibc 2 that wheels may be built for; Debian 13 has 2.41."""

PROGRAM = ("gpiozero", "luma.oled", "openskill", "pillow", "pyserial", "setuptools")
"""What the program needs, and what it is built with; the pip of Debian finds what these need in turn."""
PINS = ("lgpio",)
"""The library of the GPIO pins, in a file of its own: where it has no wheel, Debian's package takes its place."""
WEB = ("jinja2", "python-multipart", "segno", "starlette", "uvicorn")
REPORT = ("jinja2", "matplotlib")
HALL = ("networkx", "paho-mqtt")
"""The extras of pyproject.toml; the installer installs those that the configuration names."""
HEAD = "# Written by systemd/lock/make.py. Wheels for Python {} on {}.\n"


def main() -> None:
    """Write a file for each of them."""
    for name, wanted in (("program", PROGRAM), ("pins", PINS), ("web", WEB), ("report", REPORT), ("hall", HALL)):
        packages = needed(wanted)
        text = HEAD.format(", ".join(PYTHONS), ", ".join(MACHINES))
        for package, version in packages:
            text += locked(package, version)
        (HERE / f"{name}.txt").write_text(text)


def locked(package: str, version: str) -> str:
    """The lines for one package; a comment names the computers that have no wheel of it."""
    hashes, missing = set(), []
    for python in PYTHONS:
        for machine in MACHINES:
            found = report([f"{package}=={version}"], python, machine, "--no-deps")
            hashes |= {each["download_info"]["archive_info"]["hashes"]["sha256"] for each in found}
            if not found:
                missing.append(f"{python} {machine}")
    note = f"# No wheel: {', '.join(missing)}\n" if missing else ""
    return (
        note + " \\\n    ".join([f"{package}=={version}", *(f"--hash=sha256:{each}" for each in sorted(hashes))]) + "\n"
    )


def needed(packages: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each package and what it needs, with its version."""
    found = report(list(packages), PYTHONS[0], MACHINES[0], "--constraint", str(CONSTRAINTS))
    return sorted((each["metadata"]["name"].lower(), each["metadata"]["version"]) for each in found)


def report(packages: list[str], python: str, machine: str, *options: str) -> list[dict[str, Any]]:
    """What pip would install there, nothing where a wheel is missing."""
    glibcs = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, OLDEST_GLIBC - 1, -1)]
    platforms = [*glibcs, f"manylinux2014_{machine}", f"linux_{machine}"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--report", str(file), "--only-binary", ":all:", "--python-version", python, "--target", folder]
        command += [word for each in platforms for word in ("--platform", each)]
        done = subprocess.run([*command, *options, *packages], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return list(json.loads(file.read_text())["install"])
    if "No matching distribution found" in done.stderr:
        return []
    sys.exit(done.stderr)


if __name__ == "__main__":
    main()
