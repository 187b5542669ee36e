"""The part of `companion.languages` that games use, in a module that stays where it is.

Games of other packages import from here, as docs/adding-a-game.md teaches, so this module stays wherever the functions
themselves move. The program itself imports `companion.languages`.
"""

from companion.languages import Text as Text
from companion.languages import format_decimal as format_decimal
from companion.languages import format_list as format_list
from companion.languages import join_texts as join_texts
from companion.languages import keys_text as keys_text
from companion.languages import plural_text as plural_text
from companion.languages import text as text
