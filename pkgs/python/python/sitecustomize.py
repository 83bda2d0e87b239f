"""Keeps bytecode out of the store: a user who may write there would change what is built."""

import os
import sys

if os.path.dirname(sys.prefix) == os.path.dirname(sys.base_prefix):
    sys.dont_write_bytecode = True
