"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import axpy
import numpy

x = numpy.arange(4, dtype=numpy.float32)
out = numpy.empty_like(x)
print("2 * x + 1 ", axpy.axpy(2.0, x, numpy.ones_like(x), out))
