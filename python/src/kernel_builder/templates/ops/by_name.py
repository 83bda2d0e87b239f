"""Makes this build importable by its name, with the folder that holds it on Python's path."""

import importlib.util
import sys
from pathlib import Path

# Not resolved: files in the cache of the Hub are links to another folder.
_package = Path(__file__).absolute().parent
_own = _package.with_suffix(".py")
if "." in __name__ and _own.is_file():
    # The build imports a module of its own that has the name as well: Python finds this package first.
    _spec = importlib.util.spec_from_file_location(__name__, _own)
    sys.modules[__name__] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules[__name__])
else:
    __path__ = [str(_package.parent)]
    __file__ = str(_package.parent / "__init__.py")
    exec(compile(Path(__file__).read_bytes(), __file__, "exec"))
