"""The socket that tells other programs on the box what everybody may see, and nothing else."""

from __future__ import annotations

import json
import socket

from club_night import until

PATIENCE = 60.0
HOSTILE = b'{"companion": 2, "pages": ["http://evil"]}\n{"ask": 1, "phone": "x", "what": "pair", "text": "A"}\n'


def test_a_table_of_a_club_night_tells_what_is_public_and_takes_no_wish(box):
    """With a link to a hall the view is there from the start, without phones; what a guest asks is passed over."""
    table = box(config='[hall]\nlink = "hall.link"\n')
    table.start()
    with socket.socket(socket.AF_UNIX) as guest:
        guest.settimeout(PATIENCE)
        until(lambda: guest.connect_ex(str(table.data / "public.sock")) == 0)
        guest.sendall(HOSTILE)
        lines = guest.makefile()
        first = json.loads(lines.readline())
        table.type("2")
        second = first
        while second["public"]["panel"] == first["public"]["panel"]:
            second = json.loads(lines.readline())
    for said in (first, second):
        assert said.keys() == {"state", "public"}
    assert not (table.data / "table.sock").exists()
    table.settled()
    assert table.stop() == 0
    assert not (table.data / "public.sock").exists()
