"""The part of `companion.languages` that games use, under a name that never changes.

Games of other packages import from here, as docs/adding-a-game.md teaches, so this module stays wherever the functions
themselves move. The program itself imports `companion.languages`.
"""

from companion.languages import Text as Text
from companion.languages import counted as counted
from companion.languages import decimal as decimal
from companion.languages import joined as joined
from companion.languages import listed as listed
from companion.languages import text as text
