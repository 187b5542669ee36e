"""Every kind of moment that the program has."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import companion.evening.screens
from companion.evening.model import Screen


def kinds_of_moments() -> list[type[Screen]]:
    """The classes of moments in the program, found and not listed; those that only others inherit from not.

    A class with fields of its own, such as `Reply`, is a moment of its own, whoever inherits from it.
    """
    for module in pkgutil.walk_packages(companion.evening.screens.__path__, "companion.evening.screens."):
        import_module(module.name)
    found, todo = [], [Screen]
    while todo:
        kinds = todo.pop().__subclasses__()
        todo += kinds
        ours = [kind for kind in kinds if kind.__module__.startswith("companion.evening.screens")]
        found += [kind for kind in ours if not kind.__subclasses__() or set(kind._fields) - set(kind._named)]
    return found
