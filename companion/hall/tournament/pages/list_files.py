"""A list of players that the organiser uploads as a file, in whatever encoding a spreadsheet or editor has saved it."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

from starlette.datastructures import FormData, UploadFile

from companion.hall.tournament.model import Wrong
from companion.languages import text

LARGEST_FILE = 2**20
"""In bytes."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


async def with_file(form: FormData) -> FormData:
    """The form with the text of its file, if one was chosen, in place of the pasted list. Raises Wrong."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return form
    data = await file.read(LARGEST_FILE + 1)
    await file.close()
    if len(data) > LARGEST_FILE:
        raise Wrong(text("this file is larger than 1 MB: save the players alone as CSV, and choose that file"))
    kept = [(key, value) for key, value in form.multi_items() if key not in ("file", "names", "seen")]
    return FormData([*kept, ("names", decode(data))])


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252. Raises Wrong for any other."""
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            found = data.decode(encoding)
            if not found.strip():
                raise Wrong(text("this file is empty"))
            if not _CONTROL.search(found):
                return found
    raise Wrong(text("this file is no text: save the list as CSV, and choose that file"))
