"""Puts the tabletop companion on a card that was just written with Raspberry Pi OS (Trixie or newer, 64 bits).

    python3 write_card.py E:\\               the card's first partition, which Windows, macOS and Linux show as "bootfs"

Beside this file lie the package for the Pi (tabletop-companion_..._arm64.deb), and config.toml if there are settings of
your own. At power-on the Pi takes both from the card, without keyboard and network. Run it again for new settings or a
new version. It needs Python 3.8 or newer and nothing else.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path

USER_DATA = """
# The tabletop companion: at each start, what lies in the folder companion is installed.
bootcmd:
  - [systemd-run, --no-block, --unit=companion-card, -pRestart=on-failure, -pRestartSec=20, -pStartLimitBurst=5,
     -pStartLimitIntervalSec=600, -pRequiresMountsFor=/boot/firmware, sh, /boot/firmware/companion/install]
"""
INSTALL = """\
# By root at each start; see user-data. What lies here is removed only once it is on the disk, so that the next start
# repeats what the plug has cut. What went wrong is in problem.txt, beside this file.
set -eu
cd /boot/firmware/companion
set -- *.deb
[ -e "$1" ] || shift
[ $# -gt 0 ] || [ -e config.toml ] || exit 0
exec >problem.txt 2>&1
to=/etc/companion/config.toml
if [ -e config.toml ] && ! cmp -s config.toml $to; then
    mkdir -p /etc/companion
    [ ! -e $to ] || cp $to $to.before
    cp config.toml $to.new
    sync $to.new
    mv -T $to.new $to
    [ $# -gt 0 ] || systemctl restart --no-block companion.service
fi
if command -v raspi-config; then
    raspi-config nonint do_i2c 0
    ! grep -qs '^interface *= *"spi"' $to || raspi-config nonint do_spi 0
fi
[ $# = 0 ] || DEBIAN_FRONTEND=noninteractive dpkg --install "$@"
sync
rm -f config.toml "$@" problem.txt
sync
"""
PACKAGES = "tabletop-companion*_arm64.deb"


def write_card(card: Path, source: Path) -> str:
    """Put what lies in the folder `source` on a card. Returns what was done. Raises ValueError with a sentence."""
    if not (card / "cmdline.txt").is_file():
        raise ValueError(f"{card} is not the first partition of a card with Raspberry Pi OS: it has no cmdline.txt")
    if not (card / "user-data").is_file():
        raise ValueError(
            f"{card} has no user-data, since its system is older than Trixie: write a newer one on the card"
        )
    user_data, folder = (card / "user-data").read_text(encoding="utf-8"), card / "companion"
    is_new = USER_DATA not in user_data
    is_list = user_data.startswith("#cloud-config") and not re.search(r"^(bootcmd|[{[]|---|\.\.\.)", user_data, re.M)
    if is_new and not is_list:
        raise ValueError(f"user-data is no list of settings or has a bootcmd of its own: add this by hand\n{USER_DATA}")
    packages, settings = {file.name.split("_")[0]: file for file in source.glob(PACKAGES)}, source / "config.toml"
    if len(packages) < len(list(source.glob(PACKAGES))):
        raise ValueError(f"{source} has the package in several versions: leave one there")
    if not packages and (is_new or not settings.exists()):
        raise ValueError(f"there is no package ({PACKAGES}) in {source}: put it there")
    files = [*packages.values(), *([settings] if settings.exists() else [])]
    check_settings(settings)
    if sum(file.stat().st_size for file in files) + 2**20 > shutil.disk_usage(card).free:
        raise ValueError(f"there is no room on {card}")
    folder.mkdir(exist_ok=True)
    names = [file.name for file in files]
    older = [old for old in folder.glob("*.deb") if old.name.split("_")[0] in packages and old.name not in names]
    replaced = [old.name for old in folder.iterdir() if old in older or old.name in names]
    write(folder / "install", INSTALL.encode())
    for file in files:
        write(folder / file.name, file.read_bytes())
    for old in older:
        old.unlink()
    if is_new:
        write(card / "user-data", f"{user_data.rstrip()}\n{USER_DATA}".encode())
    return f"""\
For the next power-on: {", ".join(names)}; in place of what waited there: {", ".join(replaced) or "nothing"}
user-data keeps all its settings{" and got a bootcmd" if is_new else ""}; the box's are kept as config.toml.before.
Eject the card before you take it out."""


def check_settings(file: Path) -> None:
    """Raise ValueError if there are settings that are no TOML. Python before 3.11 cannot tell."""
    with suppress(ImportError, FileNotFoundError):
        import tomllib

        try:
            tomllib.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None


def write(path: Path, data: bytes) -> None:
    """Write a file so that a card that is pulled out has it whole or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        print(write_card(Path(sys.argv[1]), Path(__file__).resolve().parent))
    except (OSError, ValueError) as error:
        sys.exit(str(error))
