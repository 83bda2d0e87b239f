"""Import `$modules`, and write the bytecode of all loaded modules below `$out`.

It lies where Python looks for it that has `$out` as PYTHONPYCACHEPREFIX. Python writes it while it imports, with the
time of the source, which is the same for all files of the store.
"""

import os
import py_compile
import sys
from importlib import import_module
from importlib.util import cache_from_source, find_spec
from pathlib import Path

sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ["out"]
for name in os.environ["modules"].split():
    if find_spec(name):
        try:
            import_module(name)
        except Exception as error:
            # Whoever needs it will say so.
            print(f"{name}: {error}")

# Some modules only look like a file, and those of Python's own start were loaded before.
sources = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
for source in sorted(source for source in sources if source.startswith("/") and source.endswith(".py")):
    if not Path(cache_from_source(source)).exists():
        py_compile.compile(source, doraise=True)
