# The module string.templatelib, which Python has since 3.14.

import _shapecheck
import sys

if _shapecheck.get_option('python-version') and sys.version_info < (3, 14):
    raise ModuleNotFoundError("No module named 'string.templatelib'", name='string.templatelib')

from _templates import Interpolation, Template, convert

__all__ = ['Interpolation', 'Template', 'convert']
