"""The helper for Wi-Fi, with a stand-in for nmcli that prints what the real one of Debian 12 has printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HELPER = Path(__file__).parents[2] / "systemd" / "network"
RULES = HELPER.parent / "rules.d" / "companion-network.rules"
NMCLI = """\
#!/bin/sh
# Each call is a line of the log; what it reads is another one.
echo "$*" >>"$LOG"
case $* in
    *"-f TYPE device") printf '%s\\n' $DEVICES ;;
    *"wifi list"*) printf '%s\\n' ' :100:WPA2:Home\\: net 1' '*:40::Open' ;;
    *"-f UUID connection") cat "$PROFILES" ;;
    *"wifi connect"*)
        read -r password
        echo "read $password" >>"$LOG"
        printf 'Password: %s\\n' "$password"
        echo made-just-now >>"$PROFILES"
        [ "$password" = "right one\\\\" ] || { echo "Error: $password" >&2; exit 4; }
        ;;
    *"-f NAME connection") echo Home ;;
    "connection edit"*) sed 's/^/read /' >>"$LOG" ;;
    *"connection show"*) printf '%s\\n' companion-d0ff 12345678 ;;
esac
"""
LIST = ["ok", r" :100:WPA2:Home\: net 1", "*:40::Open"]


@pytest.fixture
def ask(tmp_path):
    """Ask the helper; returns the lines of its answer, what it says to the system's log, and the calls of nmcli."""
    (tmp_path / "nmcli").write_text(NMCLI)
    (tmp_path / "nmcli").chmod(0o755)
    profiles, log = tmp_path / "profiles", tmp_path / "log"
    profiles.write_text("known-before\n")

    def asked(*lines: str, devices: str = "ethernet wifi wifi-p2p loopback") -> tuple[list[str], str, list[str]]:
        log.write_text("")
        done = subprocess.run(
            ["sh", HELPER], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True, timeout=60,
            check=False,
            env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "LOG": str(log), "PROFILES": str(profiles),
                              "DEVICES": devices},
        )  # fmt: skip
        return done.stdout.splitlines(), done.stderr, log.read_text().splitlines()

    return asked


def test_networks_are_listed(ask):
    assert ask("list")[0] == LIST
    assert ask("list", devices="ethernet loopback")[0] == ["no-wifi"]


def test_the_password_is_in_no_command_line_and_no_output(ask):
    """Nmcli reads it, as it is; then the networks are listed anew."""
    answer, errors, calls = ask("join", "Home: net 1", "right one\\")
    assert answer == LIST
    assert "read right one\\" in calls
    assert [each for each in calls if "right one" in each] == ["read right one\\"]
    assert errors == ""


def test_a_profile_with_a_wrong_password_is_removed(ask):
    """But none that was there before."""
    answer, errors, calls = ask("join", "Home: net 1", "wrong one")
    assert answer == ["not-joined"]
    assert [each for each in calls if "delete" in each] == ["connection delete made-just-now"]
    assert errors == ""
    calls = ask("join", "Home: net 1", "wrong one")[2]
    assert [each for each in calls if "delete" in each] == []


def test_a_hotspot_has_a_code(ask):
    answer, _, calls = ask("hotspot")
    assert answer == ["ok", "companion-d0ff", "12345678"]
    (code,) = (each.split()[-1] for each in calls if each.startswith("read set wifi-sec.psk "))
    assert re.fullmatch("[a-hjkmnp-z2-9]{8}", code)
    assert not [each for each in calls if code in each and not each.startswith("read ")]


def test_anything_else_is_refused(ask):
    assert ask("shell")[0] == ["unknown"]
    assert ask("")[0] == ["unknown"]


def test_polkit_lets_its_user_alone(tmp_path):
    """And nobody set more than what the helper needs."""
    rules = RULES.read_text()
    assert 'subject.user == "companion-network"' in rules
    assert "User=companion-network\n" in (HELPER.parent / "companion-network@.service").read_text()
    assert "u companion-network " in (HELPER.parent / "sysusers.d" / "companion.conf").read_text()
    if shutil.which("node"):
        script = """
            let rule; const polkit = {Result: {YES: "yes"}, addRule: found => rule = found};
            %s
            for (const user of ["companion-network", "companion", "pi"])
                for (const id of ["wifi.scan", "network-control", "settings.modify.hostname", "reload"])
                    console.log(rule({id: "org.freedesktop.NetworkManager." + id}, {user: user}) || "-");
            console.log(rule({id: "wifi.scan"}, {user: "companion-network"}) || "-");
        """
        done = subprocess.run(
            ["node", "-e", script % rules], capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path
        )
        assert done.stdout.split() == ["yes", "yes", *["-"] * 11]
