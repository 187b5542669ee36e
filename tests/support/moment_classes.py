"""Every kind of moment that the program has."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import companion.moments
from companion.session.model import Moment


def kinds_of_moments() -> list[type[Moment]]:
    """The classes of moments in the program, found and not listed; those without fields that others inherit from not.

    A class with fields, such as `Reply`, is a moment of its own, whoever inherits from it.
    """
    for module in pkgutil.walk_packages(companion.moments.__path__, "companion.moments."):
        import_module(module.name)
    found, todo = [], [Moment]
    while todo:
        kinds = todo.pop().__subclasses__()
        todo += kinds
        ours = [kind for kind in kinds if kind.__module__.startswith("companion.")]
        found += [kind for kind in ours if not kind.__subclasses__() or hasattr(kind, "_fields")]
    return found
