"""A Debian in a virtual machine with its own kernel: USB sticks are plugged in there, and pulled at any moment."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from drill_machines import wait_until

PACKAGES = "linux-image-amd64,initramfs-tools,systemd-sysv,udev,dbus,dosfstools,openssl,python3,kmod"
AGENT = """\
import json, os, subprocess, time
while not os.path.exists("/dev/virtio-ports/agent"):
    time.sleep(0.1)
port = open("/dev/virtio-ports/agent", "r+b", buffering=0)
line = b""
while True:
    line += port.read(1)
    if line.endswith(b"\\n"):
        done = subprocess.run(json.loads(line), shell=True, stdin=subprocess.DEVNULL, capture_output=True,
                              executable="/bin/bash", timeout=600)
        answer = json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]).encode() + b"\\n"
        while answer:  # The kernel takes 32 KiB at a time.
            answer = answer[port.write(answer) :]
        line = b""
"""
AGENT_UNIT = """\
[Service]
ExecStart=/usr/bin/python3 /srv/agent.py
[Install]
WantedBy=multi-user.target
"""
PATIENCE_SECONDS = 600.0


class VirtualMachine:
    """A virtual machine; its disk is made of the folder `root`, which is not changed."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        self.disk = folder / "disk.img"
        (root / "srv/agent.py").write_text(AGENT)
        unit = root / "etc/systemd/system/agent.service"
        unit.write_text(AGENT_UNIT)
        wants = root / "etc/systemd/system/multi-user.target.wants/agent.service"
        wants.parent.mkdir(parents=True, exist_ok=True)
        if not wants.is_symlink():
            wants.symlink_to("/etc/systemd/system/agent.service")
        command = ["mke2fs", "-q", "-t", "ext4", "-d", root, self.disk, "3G"]
        subprocess.run(command, check=True, timeout=PATIENCE_SECONDS)
        (kernel,), (initrd,) = (root / "boot").glob("vmlinuz-*"), (root / "boot").glob("initrd.img-*")
        self._process = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-m", "768", "-nographic", "-nic", "none",
             "-cpu", "max",
             "-kernel", kernel, "-initrd", initrd, "-append", "root=/dev/vda rw console=ttyS0 quiet",
             "-drive", f"file={self.disk},if=virtio,format=raw,cache=unsafe", "-device", "qemu-xhci",
             "-device", "virtio-serial", "-chardev", f"socket,id=agent,path={folder}/agent,server=on,wait=off",
             "-device", "virtserialport,chardev=agent,name=agent",
             "-qmp", f"unix:{folder}/qmp,server=on,wait=off", "-serial", f"file:{folder}/console", "-monitor", "none"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert wait_until((folder / "qmp").exists)
            self._monitor, self._agent = _connect(folder / "qmp"), _connect(folder / "agent")
            json.loads(self._monitor.readline())
            self.control("qmp_capabilities")
            assert self.run("systemctl is-system-running --wait; true")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._process.kill()
        self._process.wait(60)

    def control(self, command: str, **arguments: Any) -> None:
        """Have the virtual hardware changed."""
        self._monitor.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self._monitor.flush()
        while "return" not in (answer := json.loads(self._monitor.readline())):
            assert "error" not in answer, answer

    def wait_for_event(self, name: str) -> None:
        while json.loads(self._monitor.readline()).get("event") != name:
            pass

    def run(self, command: str, *, check: bool = True) -> str:
        """What a command says as root in the machine."""
        self._agent.write(json.dumps(command).encode() + b"\n")
        self._agent.flush()
        status, output, errors = json.loads(self._agent.readline())
        assert status == 0 or not check, f"{command}: {output}{errors}"
        return output

    def plug_in(self, image: Path) -> None:
        """Plug in a stick, and wait until the machine has found it."""
        self.control("blockdev-add", **{"driver": "raw", "node-name": "stick", "cache": {"direct": False},
                                        "file": {"driver": "file", "filename": str(image)}})  # fmt: skip
        self.control("device_add", driver="usb-storage", id="stick", drive="stick", removable=True)
        self.run("until lsblk -dnro NAME,TRAN,SIZE | grep -q ' usb '; do sleep 0.05; done; udevadm settle")

    def pull(self) -> None:
        """Pull the stick, whatever is being done with it."""
        self.control("device_del", id="stick")
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            try:
                return self.control("blockdev-del", **{"node-name": "stick"})
            except AssertionError:  # Its last write is still under way.
                time.sleep(0.05)
        raise TimeoutError("the stick stays in")


def _connect(path: Path) -> Any:
    channel = socket.socket(socket.AF_UNIX)
    channel.settimeout(PATIENCE_SECONDS)
    channel.connect(str(path))
    return channel.makefile("rwb")
