"""The pages cannot be used to reach anything else: an attack from inside their unit, with everything passed to it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from drill_machines import PATIENCE_SECONDS, press_at_rest, wait_until, wait_until_title_is_over

CONFIG = """
[table]
language = "en"
[display]
driver = "png"
path = "/var/lib/companion/panel.png"
[keypad]
port = "/run/keypad"
[buttons]
board = "none"
"""
ATTACK = Path(__file__).parent / "attack.py"
LISTENER = """
import socket, sys
server = socket.create_server((sys.argv[1], 9000))
print("listens", flush=True)
while True:
    guest = server.accept()[0]
    guest.sendall(b"there")
    guest.close()
"""
BOX, OTHER = "10.77.0.1", "10.77.0.2"
TARGETS = f"127.0.0.1:9000 {BOX}:9000 {OTHER}:9000"
DROP_IN = f"[Service]\nRestart=no\nExecStart=\nExecStart=/usr/bin/python3 -I /srv/attack.py {TARGETS}\n"
OWN_PORT = "import socket, os; s = socket.create_server(('', 8028)); os.dup2(s.fileno(), 9); "


@pytest.fixture
def neighbour():
    """Makes another computer on a machine's network, which answers everybody at port 9000."""
    made: list[subprocess.Popen[str]] = []

    def join(machine) -> None:
        command = ["unshare", "--net", "bash", "-c", f"echo up; read; ip addr add {OTHER}/24 dev there; "
                   f"ip link set there up; exec python3 -c '{LISTENER}' {OTHER}"]  # fmt: skip
        made.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        (other,) = made
        assert other.stdout.readline() == "up\n"
        machine.on_its_network(
            f"ip link add here type veth peer name there netns {other.pid} && ip addr add {BOX}/24 dev here && "
            "ip link set here up && ip link set lo up"
        )
        other.stdin.write("\n")
        other.stdin.flush()
        assert other.stdout.readline() == "listens\n"

    yield join
    for each in made:
        each.kill()
        each.wait(PATIENCE_SECONDS)


@pytest.mark.drill
@pytest.mark.timeout(1800)
def test_no_way_leads_out_of_the_pages(machines, neighbour):
    """Even with all descriptors of the pages, neither the box's own services nor another computer can be reached."""
    machine = machines("bookworm", firewall=True)
    (machine.root / "etc/companion").mkdir(parents=True)
    (machine.root / "etc/companion/config.toml").write_text(CONFIG)
    try:
        machine.install()
        machine.close()
        machine.boot(alone=True)
        neighbour(machine)
        (machine.root / "srv/attack.py").write_text(ATTACK.read_text())
        (machine.root / "srv/listener.py").write_text(LISTENER)
        for host in ("127.0.0.1", BOX):
            assert machine.start(f"python3 /srv/listener.py {host}").stdout.readline() == "listens\n"
        check_targets(machine)
        said = attack_pages(machine)
        assert "REACHED" not in said, said
        assert "tried 2 descriptors" in said, said
    finally:
        machine.close()


def check_targets(machine) -> None:
    """Outside the sandbox the same attack reaches every target, by a new socket and by one that was passed to it."""
    said = machine.run(f"python3 -c \"{OWN_PORT}os.execvp('python3', 'python3 /srv/attack.py {TARGETS}'.split())\"")[1]
    for target in TARGETS.split():
        for how in ("AF_INET descriptor", "new socket"):
            assert f"{target.replace(':', ' ')} {how} REACHED" in said, said


def attack_pages(machine) -> str:
    """What an attack in the place of the pages prints, while phones are on and a client comes to the port."""
    drop_in = machine.root / "etc/systemd/system/companion-web.service.d/attack.conf"
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text(DROP_IN)
    machine.run("systemctl daemon-reload")
    machine.plug_in_keypad()
    assert wait_until(lambda: "/dev/pts/" in machine.run(f"ls -l /proc/{machine.show('MainPID')}/fd", check=False)[1])
    wait_until_title_is_over(machine)
    press_at_rest(machine, "*5#")
    journal = "journalctl -u companion-web -o cat"
    assert wait_until(lambda: machine.run("systemctl is-active companion-web.socket", check=False)[1] == "active\n")
    knock = machine.start(f"exec 3<>/dev/tcp/{BOX}/8027; printf 'GET / HTTP/1.1\\r\\n' >&3; sleep 60")
    try:
        assert wait_until(lambda: "tried " in machine.run(journal)[1]), machine.run("journalctl -o cat -n 60")[1]
    finally:
        knock.kill()
        knock.wait(PATIENCE_SECONDS)
    return machine.run(journal)[1]
