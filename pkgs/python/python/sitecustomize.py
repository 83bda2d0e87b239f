"""Keep bytecode out of the store, where root could write it and change packages."""

import os
import sys

if os.path.dirname(sys.prefix) == os.path.dirname(sys.base_prefix):
    sys.dont_write_bytecode = True
