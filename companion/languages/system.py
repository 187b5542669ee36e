"""Why the operating system has refused something, as a text."""

from __future__ import annotations

from companion.languages import text

SENTENCES = (
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File exists",
    "No space left on device",
    "Disk quota exceeded",
    "Read-only file system",
    "Input/output error",
    "Operation not permitted",
    "File name too long",
    "Device or resource busy",
    "Too many levels of symbolic links",
    "Address already in use",
    "No such device or address",
)
"""What the system calls its commonest errors; the others are told as it tells them."""


def why(error: OSError) -> str:
    """The system's own words for an error."""
    return text(error.strerror or str(error))
