"""Makes this build importable by its name, with the folder that holds it on Python's path."""

from pathlib import Path

_variant = Path(__file__).resolve().parent.parent
__path__ = [str(_variant)]
__file__ = str(_variant / "__init__.py")
exec(compile(Path(__file__).read_bytes(), __file__, "exec"))
