"""Shapes of tensor programs, found before anything runs.

    import shapeproof

    r = shapeproof.check("net.py", entry="Net()", args={"x": "f32[B,3,H,W]"})
    r.ok, r.output_type, [c.condition for c in r.contract]

The program `shapecheck` does the work, in a process of its own; the checked file is never
imported or executed.
"""

from ._check import *  # noqa: F403
from ._check import __all__ as _names
from ._find import find_bin

__all__ = [*_names, "find_bin"]
