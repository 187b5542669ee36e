"""Texts, as a game uses them: see `companion.languages`."""

from companion.languages import Text as Text
from companion.languages import counted as counted
from companion.languages import decimal as decimal
from companion.languages import joined as joined
from companion.languages import listed as listed
from companion.languages import text as text
