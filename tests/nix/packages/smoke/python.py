"""Imports of the standard library's compiled modules, a package, and pip's own start."""

import ctypes
import lzma
import os
import sqlite3
import ssl
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

assert sys.version_info[:2] == (3, 11)
assert ctypes.sizeof(ctypes.c_void_p) == 8
assert ssl.OPENSSL_VERSION
assert sqlite3.sqlite_version
assert lzma.decompress(lzma.compress(b"data")) == b"data"
assert numpy.arange(3).sum() == 3
assert pytest.__version__
assert Path(os.environ["pythonHeaders"], "include", "Python.h").is_file()
assert not os.environ.get("LD_LIBRARY_PATH")
subprocess.run([sys.executable, f"{os.environ['pip']}/pip", "--version"], check=True)
Path(os.environ["out"]).write_text("passed\n")
