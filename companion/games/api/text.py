"""What a game uses of `companion.languages`, under a name that docs/adding-a-game.md teaches.

Games are packages of their own too: this name stays for them, whatever is moved. The program itself imports
`companion.languages`.
"""

from companion.languages import Text as Text
from companion.languages import counted as counted
from companion.languages import decimal as decimal
from companion.languages import joined as joined
from companion.languages import listed as listed
from companion.languages import text as text
