"""How long `companion run` takes from its start to the first picture, and its peak memory, against bare imports.

Run it as `python tests/benchmarks/start.py [RUNS]`. Both processes have the same wire-level SSD1306 under smbus2; the
other one only imports the libraries that `companion run` uses. They take turns, and the medians are compared. The clock
stops when the chip shows a picture, not at the first byte, and not at luma's clearing.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUN_COUNT = 15
LIBRARIES = "gpiozero, serial, sqlite3, PIL.Image, luma.oled.device, luma.core.interface.serial"
WIRE_PROGRAM = Path(__file__).parents[1] / "hardware" / "wire"
SITE_MODULE = """
import os, sys
sys.path.insert(0, {wire!r})
import smbus2, wire_bus, wire_chips

class Bus(wire_bus.Bus):
    def message(self, message):
        super().message(message)
        if any(self.chip.seen()) and not os.path.exists({done!r}):
            open({done!r}, "w").close()

wire_bus.Adapter(Bus(wire_chips.Ssd1306())).install(smbus2)
"""
"""A module that Python imports at the start of both processes."""


def peak_memory(pid: int) -> float:
    """The peak memory of a running process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def time_start(*arguments: str, settle: float = 0.0, language: str = "") -> tuple[float, float]:
    """Seconds until a Python process has made its file, and its peak memory in MiB `settle` seconds later.

    `language` is the one in the table's configuration.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = folder / "done"
        (folder / "sitecustomize.py").write_text(SITE_MODULE.format(wire=str(WIRE_PROGRAM), done=str(done)))
        given = [argument.replace("DONE", str(done)).replace("DATA", str(folder / "data")) for argument in arguments]
        if language:
            (folder / "companion.toml").write_text(f'[table]\nlanguage = "{language}"\n')
            given += ["--config", str(folder / "companion.toml")]
        environment = {**os.environ, "PYTHONPATH": name, "GPIOZERO_PIN_FACTORY": "mock"}
        begun = time.perf_counter()
        child = subprocess.Popen([sys.executable, *given], env=environment, cwd=name, stderr=subprocess.DEVNULL)
        while not done.exists():
            time.sleep(0.0005)
        taken = time.perf_counter() - begun
        time.sleep(settle)
        peak = peak_memory(child.pid)
        child.kill()
        child.wait()
        return taken, peak


def main() -> None:
    companion = str(Path(sys.executable).with_name("companion"))
    imports, starts = [], []
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else RUN_COUNT):
        imports.append(time_start("-c", f"import {LIBRARIES}, time; open('DONE', 'w').close(); time.sleep(9)"))
        starts.append(time_start(companion, "run", "--data", "DATA", settle=0.7))
    for what, column, unit in (("start to the first picture", 0, "s"), ("peak memory", 1, "MiB")):
        bare, whole = (statistics.median(each[column] for each in runs) for runs in (imports, starts))
        print(f"{what}: {whole:.3g} {unit}; importing the libraries {bare:.3g} {unit}; ratio {whole / bare:.2f}")


if __name__ == "__main__":
    main()
