"""The box's helpers in a virtual machine with Debian's own kernel: clock, Wi-Fi, and a USB stick that may be pulled.

The processor is emulated, so this takes hours. It is run by hand: ``PYTEST_STICK=1 pytest -m drill``.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import debian_roots
import pytest
from drill_machines import wait_until
from virtual_machines import PACKAGES, VirtualMachine

RECORDS = Path(__file__).parent.parent / "records"
PULLS = 10
ASK = """\
import socket, sys
channel = socket.socket(socket.AF_UNIX)
channel.settimeout(600)
channel.connect("/run/companion-helpers/" + sys.argv[1])
channel.sendall("".join(f"{line}\\n" for line in sys.argv[2:]).encode())
print(channel.makefile().read(), end="")
"""
NETWORK_PACKAGES = "network-manager,wpasupplicant,polkitd,hostapd,dnsmasq-base,iproute2"
ACCESS_POINT = """\
interface=wlan0
ssid2="Home: net 1"
channel=1
hw_mode=g
wpa=2
wpa_passphrase={password}
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
"""
SWITCH_NETWORK_ON = "touch /etc/companion/network && systemctl restart companion-network.socket"
AS_TABLE = "setpriv --reuid companion --regid companion --clear-groups"
KEY = "/usr/lib/tabletop-companion/update-key.pem"
CONFIG = '[display]\ndriver = "none"\n[buttons]\nboard = "none"\n[table]\nlanguage = "en"\n'
RELEASE = "bookworm"
# The first test builds the machine too, which takes twenty minutes beside other work.
pytestmark = pytest.mark.timeout(7200)


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A machine with the package, some rounds, and the package's other versions in /srv."""
    if "PYTEST_STICK" not in os.environ:
        pytest.skip("takes hours: set PYTEST_STICK=1")
    if os.geteuid() != 0 or shutil.which("qemu-system-x86_64") is None:
        pytest.skip("needs root and qemu")
    folder = tmp_path_factory.mktemp("machine")
    root = folder / "root"
    debian_roots.unpack_root(root, RELEASE, f"{PACKAGES},{NETWORK_PACKAGES}")
    package = debian_roots.build_package(RELEASE)
    shutil.copy(package, root / "srv/first.deb")
    for name, version in (("newer", "7.0+deb12"), ("other", "7.0+deb13"), ("old", "0.1+deb12"), ("bad", "8.0+deb12")):
        debian_roots.repack(
            package, root / f"srv/{name}.deb", lambda files, control, v=version: change(files, control, v)
        )
    (root / "srv/records").mkdir()
    for record in sorted(RECORDS.rglob("*.tcr"))[:6]:
        shutil.copy(record, root / "srv/records")
    (root / "srv/ask.py").write_text(ASK)
    found = VirtualMachine(root, folder)
    try:
        found.run("dpkg -i /srv/first.deb && systemctl stop companion")
        found.run(f"cat >/etc/companion/config.toml <<'E'\n{CONFIG}E")
        found.run(f"{AS_TABLE} companion import /srv/records; systemctl start companion")
        for name in ("key", "wrong"):
            found.run(f"openssl genpkey -algorithm ed25519 -out /srv/{name}.pem")
        yield found
    finally:
        found.close()


def change(files: Path, control: Path, version: str) -> None:
    """Make a package of another version; 8.0 does not start."""
    module = files / "usr/lib/tabletop-companion/companion/__init__.py"
    text = re.sub('__version__ = ".*"', f'__version__ = "{version}"', module.read_text())
    if version.startswith("8"):
        text += "\nimport sys\nif sys.argv[1:2] == ['run']:\n    raise ValueError('a fault')\n"
    module.write_text(text)
    for compiled in module.parent.glob("__pycache__/__init__.*"):
        compiled.unlink()
    described = (control / "control").read_text()
    (control / "control").write_text(re.sub("Version: .*", f"Version: {version}", described))


@pytest.fixture
def stick(machine, tmp_path):
    """An empty stick with FAT, plugged in."""
    image = new_stick(tmp_path / "stick.img")
    machine.plug_in(image)
    yield image
    machine.pull()


def new_stick(image: Path) -> Path:
    with image.open("wb") as file:
        file.truncate(256 << 20)
    subprocess.run(["mkfs.vfat", "-F", "32", image], check=True, timeout=60, stdout=subprocess.DEVNULL)
    return image


def ask(machine, *lines: str, helper: str = "stick") -> list[str]:
    """What a helper answers to the table."""
    request = lines if helper != "stick" else (f"{lines[0]} en",)
    return machine.run(f"{AS_TABLE} python3 /srv/ask.py {helper} {shlex.join(request)}").splitlines()


def rounds(machine) -> list[dict]:
    return json.loads(machine.run(f"{AS_TABLE} companion history --json"))


def on_stick(machine, command: str) -> str:
    """What a command says in the folder of the stick, mounted for it alone."""
    mounted = f"mount $(lsblk -dnrpo NAME,TRAN | sed -n 's/ usb$//p') /mnt && cd /mnt && {{ {command}; }}"
    return machine.run(f"unshare --mount sh -c {shlex.quote(mounted)}")


def whole_backups(machine) -> set[str]:
    """The backups on the stick, each of which must be valid."""
    names = on_stick(machine, "for each in *.zip; do python3 -m zipfile -t $each >&2; done; ls *.zip").split()
    return {*names}


@pytest.mark.drill
def test_the_clock_is_set(machine):
    """To the local time that was asked for; what is no time changes nothing."""
    try:
        assert ask(machine, "2031-05-06 07:08", helper="clock") == ["ok"]
        assert machine.run("date '+%F %R'").strip() in ("2031-05-06 07:08", "2031-05-06 07:09")
        for wrong in ("2031-05-06 07:08; reboot", "2031-02-31 07:08", "tomorrow", ""):
            assert ask(machine, wrong, helper="clock") == []
        assert machine.run("date +%F").strip() == "2031-05-06"
    finally:
        machine.run(f"date -s @{int(time.time())}")


@pytest.mark.drill
def test_a_network_is_joined(machine):
    """By NetworkManager itself, with the kernel's simulated radio: an access point, a wrong password, a hotspot."""
    password = "pa ss\"wo'rd\\1"

    def ask_network(*lines: str) -> list[str]:
        return ask(machine, *lines, helper="network")

    unheard = machine.run(f"{AS_TABLE} python3 /srv/ask.py network list 2>&1; true")
    assert unheard.strip().endswith("FileNotFoundError: [Errno 2] No such file or directory")
    machine.run(SWITCH_NETWORK_ON)
    assert ask_network("list") == ["no-wifi"]
    machine.run("modprobe mac80211_hwsim radios=2; until [ -e /sys/class/net/wlan1 ]; do sleep 0.1; done")
    machine.run("nmcli device set wlan0 managed no; ip address add 10.9.0.1/24 dev wlan0")
    machine.run(f"cat >/srv/point.conf <<'E'\n{ACCESS_POINT.format(password=password)}E")
    machine.run("systemd-run --quiet hostapd /srv/point.conf")
    serve = "dnsmasq -k -i wlan0 --bind-interfaces --port=0 --user=root --dhcp-range=10.9.0.10,10.9.0.50"
    machine.run(f"systemd-run --quiet {serve}")
    assert wait_until(lambda: any(re.fullmatch(r" :\d+:WPA2:Home\\: net 1", each) for each in ask_network("list")))
    assert ask_network("join", "Home: net 1", "not the word") == ["not-joined"]
    assert "Home" not in machine.run("nmcli -t -f NAME connection")
    assert ask_network("join", "Home: net 1", password)[1].startswith("*:")
    assert "10.9.0." in machine.run("ip -4 address show wlan1")
    word, name, code = ask_network("hotspot")
    assert (word, name.startswith("companion-"), len(code)) == ("ok", True, 8)
    assert ask_network("hotspot") == [word, name, code]
    assert "10.42.0.1/24" in machine.run("ip -4 address show wlan1")
    assert ask_network("join", "Home: net 1", password)[0] == "ok"
    said = machine.run("journalctl --no-pager")
    assert not [each for each in (password, "not the word", code) if each in said]
    assert "Insufficient privileges" in machine.run(
        "setpriv --reuid companion-network --clear-groups nmcli general hostname x 2>&1; true"
    )


@pytest.mark.drill
def test_what_is_on_the_box_is_put_back(machine, stick):
    before = rounds(machine)
    assert len(before) >= 3
    assert ask(machine, "find-backup") == ["no-backup"]
    word, said = ask(machine, "backup")
    assert (word, said.startswith(f"{len(before)} rounds, ")) == ("ok", True)
    assert ask(machine, "report")[0] == "ok"
    files = on_stick(machine, "ls -A").split()
    assert re.fullmatch(r"companion-\d{4}-\d\d-\d\d\.md companion-backup-1\.zip", " ".join(files))
    machine.run("systemctl stop companion; rm /var/lib/companion/rounds.*; systemctl start companion")
    assert rounds(machine) == []
    assert ask(machine, "find-backup") == ["ok", said]
    assert ask(machine, "restore") == ["ok"]
    assert rounds(machine) == before
    assert machine.run("systemctl is-active companion; stat -c %U /var/lib/companion/rounds.*").split() == [
        "active", *["companion"] * len(machine.run("ls -d /var/lib/companion/rounds.*").split())
    ]  # fmt: skip
    assert machine.run("findmnt -n /run/companion-stick; ls /run/companion-stick", check=False) == ""


@pytest.mark.drill
def test_only_the_table_may_ask(machine, stick):
    """Nobody else reaches the sockets, and what is unknown does nothing."""
    machine.run(SWITCH_NETWORK_ON)
    assert all(
        machine.run(f"setpriv --reuid nobody --clear-groups python3 /srv/ask.py {helper} backup 2>&1; true")
        .strip()
        .endswith("PermissionError: [Errno 13] Permission denied")
        for helper in ("clock", "network", "stick")
    )
    assert ask(machine, "shell") == ["unknown"]
    assert on_stick(machine, "ls -A") == ""


@pytest.mark.drill
def test_an_update_must_be_signed_and_for_this_box(machine, stick):
    """Refused without a key, a signature, the right one; for another Debian; if it is older. It installs what fits."""
    before, version = rounds(machine), machine.run("companion --version")

    def offer(package: str, key: str = "key") -> list[str]:
        name = f"tabletop-companion_{package}.deb"
        signed = f"openssl pkeyutl -sign -inkey /srv/{key}.pem -rawin -in {name} -out {name}.sig" if key else ":"
        on_stick(machine, f"rm -f *; cp /srv/{package}.deb {name} && {signed}")
        answer = ask(machine, "find-update")
        if answer[0] != "ok":
            assert ask(machine, "update") == answer
            assert machine.run("companion --version") == version
        return answer

    machine.run(f"rm -f {KEY}")
    assert offer("newer") == ["no-key"]
    machine.run(f"openssl pkey -in /srv/key.pem -pubout -out {KEY}")
    assert offer("newer", "") == ["unsigned"]
    assert offer("newer", "wrong") == ["forged"]
    offer("newer")
    on_stick(machine, "cp /srv/other.deb tabletop-companion_newer.deb")
    assert ask(machine, "update") == ["forged"], "a signature of another package"
    assert offer("other") == ["other-box"]
    assert offer("old") == ["not-newer"]
    on_stick(machine, "rm *")
    assert ask(machine, "find-update") == ["no-package"]
    assert offer("bad") == ["ok", "8.0"]
    assert ask(machine, "update") == ["not-started"]
    assert machine.run("companion --version") == version
    machine.run("dpkg -i /srv/first.deb && until ! ls /var/lib/tabletop-companion/unproven; do sleep 1; done")
    machine.run(f"openssl pkey -in /srv/key.pem -pubout -out {KEY}")
    assert offer("newer") == ["ok", "7.0"]
    assert ask(machine, "update") == ["ok"]
    assert machine.run("companion --version") == "companion 7.0+deb12\n"
    machine.run("until systemctl is-active --quiet companion; do sleep 0.2; done")
    assert rounds(machine) == before


@pytest.mark.drill
def test_a_stick_that_is_pulled_loses_nothing(machine, tmp_path):
    """At random moments of all tasks: the box has all its rounds, and the stick a backup of all of them."""
    image, before, chance = new_stick(tmp_path / "stick.img"), rounds(machine), random.Random(57)
    machine.plug_in(image)
    spans, backups, pulled_within = {}, set(), 0
    for task in ("backup", "report", "restore"):
        began = time.monotonic()
        assert ask(machine, task)[0] == "ok"
        spans[task] = time.monotonic() - began
    for _ in range(PULLS):
        task = chance.choice(list(spans))
        asking = f"python3 /srv/ask.py stick '{task} en' >/tmp/said"
        machine.run(f"systemd-run --quiet --unit=asking --collect {AS_TABLE} sh -c {shlex.quote(asking)}")
        time.sleep(chance.uniform(0, spans[task] * 1.1))
        machine.pull()
        machine.run("while systemctl is-active --quiet asking 'companion-stick@*'; do sleep 0.05; done")
        pulled_within += not machine.run("cat /tmp/said").startswith("ok")
        machine.plug_in(image)
        word, said = ask(machine, "find-backup")
        assert (word, said.startswith(f"{len(before)} rounds, ")) == ("ok", True)
        assert whole_backups(machine) >= backups
        backups = whole_backups(machine)
        machine.run("until systemctl is-active --quiet companion; do sleep 0.2; done")
        assert rounds(machine) == before
    assert pulled_within >= PULLS // 3, "the pulls came too late to mean anything"
    assert ask(machine, "backup")[0] == "ok"
    machine.pull()
