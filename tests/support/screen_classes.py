"""Every kind of screen that the program has."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import companion.evening.screens
from companion.evening.model import Screen


def screen_classes() -> list[type[Screen]]:
    """The screen classes of the program, found and not listed, without base classes.

    A class with fields of its own, such as `TextPage`, is a screen of its own even if others inherit from it.
    """
    for module in pkgutil.walk_packages(companion.evening.screens.__path__, "companion.evening.screens."):
        import_module(module.name)
    classes, to_visit = [], [Screen]
    while to_visit:
        subclasses = to_visit.pop().__subclasses__()
        to_visit += subclasses
        own_subclasses = [kind for kind in subclasses if kind.__module__.startswith("companion.evening.screens")]
        classes += [
            kind
            for kind in own_subclasses
            if not kind.__subclasses__() or set(kind._fields) - set(kind._keyword_fields)
        ]
    return classes
