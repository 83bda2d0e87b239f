"""The import check's advice for exceptions of an import."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from kernel_builder.import_check.advice import Place, explain_error
from kernel_builder.import_check.output import Output

PACKAGE = "_tiny_cpu_0123456789abcdef"

CASES = {
    "a module that is missing": ("from .extra import x", "`git add -N torch-ext/tiny/extra.py`"),
    "a name that is no module": ("from . import extra", "`git add -N torch-ext/tiny/extra.py`"),
    "a module below": ("from .deep import extra", "torch-ext/tiny/deep/extra.py` if it is there"),
    "a module in a missing folder": (
        "import importlib\nimportlib.import_module('.a.b', __name__)",
        "tiny/a.py",
    ),
    "a wrong name": ("from .layer import x", 'did you mean "layers.py"?'),
    "a data file": (
        "from pathlib import Path\n(Path(__file__).parent / 'table.json').read_text()",
        "`git add -N torch-ext/tiny/table.json`",
    ),
    "itself by name": ("import tiny.layers", "write `from . import NAME`"),
    "from itself by name": ("from tiny.layers import x, y", "instead of `from tiny import NAME`"),
    "itself": ("import tiny", "write `from . import NAME`"),
    "somebody else's": ("import numpyy", "name the package of numpyy in `python-depends`"),
    "somebody else's file": ("open('/missing/file')", "correct what raises it"),
}


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for name in ("__init__.py", "layers.py", "deep/__init__.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "metadata.json").write_text(json.dumps({"id": PACKAGE, "name": "tiny"}))
    return tmp_path


def advise(variant: Path, code: str, file: str = "__init__.py") -> str:
    """Return the advice for an import of this code."""
    (variant / file).write_text(f"{code}\n")
    spec = importlib.util.spec_from_file_location(PACKAGE, variant / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        return explain_error(error, Place(variant, "torch-ext/tiny")).render()
    finally:
        for name in [each for each in sys.modules if each.startswith(PACKAGE)]:
            del sys.modules[name]
    raise AssertionError("the import worked")


@pytest.mark.parametrize(("code", "advice"), CASES.values(), ids=CASES)
def test_what_an_import_lacks(variant: Path, code: str, advice: str) -> None:
    assert advice in advise(variant, code)


def test_the_stack_of_cpp_is_left_out(variant: Path) -> None:
    frames = "\\n".join(f"frame #{n}: c10::f() + 0x{n} (0x7f in libc10.so)" for n in range(40))
    text = (
        f"no such device\\nException raised from f at f.cpp:1 (most recent call first):\\n{frames}"
    )
    said = advise(variant, f'raise RuntimeError("{text}")')
    assert "found  RuntimeError: no such device\n       want" in said


def test_the_text_of_a_cpp_exception(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output()
    output.add(
        b"begin\nterminate called after throwing an instance of 'c10::Error'\n  what():  one\n"
    )
    output.add(
        b"  two\nException raised from f at f.cpp:1 (most recent call first):\nframe #0: f\n\nthr"
    )
    output.add(b"ee")
    output.end()
    assert output.find_what() == "one\n  two"
    assert "frame #" not in capsys.readouterr().err
    assert output.lines[-1] == "three"
