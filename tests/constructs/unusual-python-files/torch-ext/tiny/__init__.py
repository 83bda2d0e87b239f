# -*- coding: latin-1 -*-
"""Größe."""

import sys

from ._ops import ops

try:
    import optional_package
except ImportError:
    optional_package = None

if sys.version_info >= (3, 12):
    from ._newer import first


def answer() -> int:
    return ops.answer()
