"""Import `$modules`, and write the bytecode of all loaded modules below `$out`.

It lies where Python looks for it that has `$out` as PYTHONPYCACHEPREFIX. It goes by no time: what
is in the store does not change under its path.
"""

import os
import py_compile
import sys
from importlib import import_module
from importlib.util import cache_from_source, find_spec

for name in os.environ["modules"].split():
    if find_spec(name):
        try:
            import_module(name)
        except Exception as error:
            # Whoever needs it will say so.
            print(f"{name}: {error}")

# Some modules only look like a file.
sources = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
sys.pycache_prefix = os.environ["out"]
for source in sorted(source for source in sources if source.startswith("/") and source.endswith(".py")):
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(source, cache_from_source(source), doraise=True, invalidation_mode=mode)
