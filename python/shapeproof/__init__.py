"""Shapes of tensor programs, found before anything runs.

    import shapeproof

    r = shapeproof.check("net.py", entry="Net()", args={"x": "f32[B,3,H,W]"})
    r.ok, r.output_type, [c.condition for c in r.contract]

The program `shapecheck` does the work, in a process of its own; the checked file is never
imported or executed.
"""

from ._check import Condition, Diagnostic, Edit, Fix, Line, Result, UnknownValues, check
from ._commands import contract, export, run, summary
from ._find import find_bin, find_version
from ._program import ShapecheckError, UsageError

__version__: str = find_version()

__all__ = [
    "Condition",
    "Diagnostic",
    "Edit",
    "Fix",
    "Line",
    "Result",
    "ShapecheckError",
    "UnknownValues",
    "UsageError",
    "__version__",
    "check",
    "contract",
    "export",
    "find_bin",
    "run",
    "summary",
]
