"""Python files are read as the oldest Python reads them, and imports in functions as well."""

from pathlib import Path

import pytest
from registration_check.__main__ import main
from registration_check.files import read_files
from registration_check.hiding import find_hiding
from registration_check.imports import Known, Package, find_covered, find_undeclared
from registration_check.newer import find_newer

from tests.evaluation import ROOT

NAME = "torch-ext/tiny"
EMPTY = {"utils.py": "", "layers/__init__.py": "", "layers/deep.py": "", "_ops.py": "ops = 1\n"}

# The text of `__init__.py`. tests/mistakes/tables/python.json has what breaks more often.
BROKEN = {
    "the namespace of classes by name": "def f(x):\n    return torch.classes.tiny.Counter()\n",
    "in a try that catches another error": (
        "try:\n    from .missing import x\nexcept KeyError:\n    pass\n"
    ),
    "other bytes than its coding says": "# Gr\xf6\xdfe\n",
}
LATER = "these imports fail if the code around them runs"
WARNED = {
    "a missing module behind a condition": "if FAST:\n    from .missing import x\n",
    "a missing module that the code reads": "def f():\n    from . import y\n    return y.z\n",
    "its own name as a text": "def f():\n    import_module('.layers', 'tiny')\n",
    "its own name in a name": "def f():\n    return importlib.resources.files('tiny.layers')\n",
    "a name that its module lacks": "def f():\n    from .layers.deep import y\n    return y\n",
}
RIGHT = {
    "a match statement": "def f(x):\n    match x:\n        case 1:\n            return 2\n",
    "a module": "from .utils import x\nfrom . import utils\nfrom .layers import deep\n",
    "a module that the builder adds": "from ._ops import ops\n",
    "an attribute of the package": "x = 1\ndef f():\n    from . import x\n",
    "an attribute that a function makes": (
        "def __getattr__(name): ...\ndef f():\n    from . import y\n"
    ),
    "a fallback": "try:\n    from .missing import x\nexcept ImportError:\n    x = None\n",
    "suppressed": "with contextlib.suppress(ImportError):\n    from .missing import x\n",
    "for type checkers": "if TYPE_CHECKING:\n    from .missing import x\n",
    "another package": "import tinygrad\ndef f():\n    import_module('tinygrad')\n",
    "another namespace": "def f(x):\n    return torch.ops.aten.tiny(x)\n",
    "a coding line": "# -*- coding: latin-1 -*-\n# Gr\xf6\xdfe\n",
    "a mark of the bytes' order": "\xef\xbb\xbfx = 1\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {**EMPTY, **files}.items():
        file = folder / "tiny" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("latin-1"))
    return folder / "tiny"


def run(folder: Path, files: dict[str, str]) -> int:
    return main(["--shown-as", NAME, "--declared", "[]", str(write(folder, files))])


FOUND = {
    **{
        name: (text, "error: some Python code of the kernel cannot run")
        for name, text in BROKEN.items()
    },
    **{name: (text, f"warning: {LATER}") for name, text in WARNED.items()},
    **{name: (text, "") for name, text in RIGHT.items()},
}


@pytest.mark.parametrize(("text", "headline"), FOUND.values(), ids=FOUND)
def test_code_that_cannot_or_may_not_run_is_found(
    tmp_path: Path, text: str, headline: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, {"__init__.py": text}) == headline.startswith("error")
    said = capsys.readouterr().err
    if headline:
        assert f"{headline} (1 problem)" in said
        assert f"at     {NAME}/__init__.py:" in said
    else:
        assert "error" not in said
        assert "fail" not in said


# Ways to import a file with newer syntax, and the kind of the check's message.
NEWER = {
    "always": ("from .new import f\n", "error"),
    "with its package": ("from . import new\n", "error"),
    "on a newer Python": ("if sys.version_info >= (3, 10):\n    from .new import f\n", ""),
    "where it can": ("try:\n    from .new import f\nexcept SyntaxError:\n    f = None\n", ""),
    "if it is there": ("try:\n    from .new import f\nexcept ImportError:\n    f = 1\n", "error"),
    "never": ("", "warning"),
}


@pytest.mark.parametrize(("text", "kind"), NEWER.values(), ids=NEWER)
@pytest.mark.parametrize(
    "new", ["try:\n    f = 1\nexcept* ValueError:\n    pass\n", "type X[T] = T\n"]
)
def test_a_newer_python_may_have_its_own_file(
    tmp_path: Path, text: str, kind: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(tmp_path, {"__init__.py": text, "new.py": new})
    said = capsys.readouterr().err
    assert status == (kind == "error")
    assert said.partition(":")[0] == kind
    assert ("tiny/new.py:" in said) == bool(kind)


def test_the_fix_has_the_right_dots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = (
        "def f():\n    from tiny.utils import x\n    from .._ops import ops\n"
        "def g():\n    from ._ops import ops\n"
    )
    run(tmp_path, {"__init__.py": "from .layers import deep\n", "layers/deep.py": deep})
    said = capsys.readouterr().err
    assert "write `from ..utils import x`" in said
    assert "write `from .._ops import …`" in said
    assert said.count(" at ") == 2


# Imports of packages, and whether users may lack them without an import check that says so.
FOREIGN = {
    "import einops\n": False,
    "def f():\n    import einops\n": True,
    "if FAST:\n    from einops import rearrange\n": True,
    "def f():\n    try:\n        import einops\n    except ImportError:\n        pass\n": False,
    "def f():\n    import json, torch.nn, triton\n": False,
    "def f():\n    from .lazy import x\n": True,
    # The import check has it, and users may lack it.
    "import numpy\n": True,
    # The condition says that the package is there.
    "HAS = find_spec('einops') is not None\nif HAS:\n    import einops\n": False,
    "try:\n    import einops\n    HAS = True\nexcept ImportError:\n    HAS = False\n"
    "def f():\n    if not HAS:\n        raise E\n    import einops.layers\n": False,
    "def is_there(name):\n    return find_spec(name) is not None\n"
    "if is_there('einops'):\n    import einops\n": False,
    "def is_there(name):\n    return find_spec(name) is not None\n"
    "if is_there('triton'):\n    import einops\n": True,
    "A = find_spec('einops')\nB = A and FAST\ndef f():\n    assert B\n    import einops\n": False,
    "from .lazy import HAS\nif HAS:\n    import einops.layers\n": False,
    "HAS = find_spec('triton') is not None\nif HAS:\n    import einops\n": True,
}


@pytest.mark.parametrize("text", FOREIGN)
def test_a_package_that_is_not_declared(tmp_path: Path, text: str) -> None:
    lazy = "HAS = find_spec('einops')\n" if "import HAS" in text else "import einops\n"
    folder = write(tmp_path, {"__init__.py": text, "lazy.py": lazy if "lazy" in text else ""})
    package = Package(folder, read_files(folder, NAME), NAME)
    provided, known = ["torch", "triton"], Known(["numpy"], ["einops"])
    found = find_undeclared(package, provided, known)
    assert len(found) == FOREIGN[text]
    # What python-depends refuses is not proposed.
    assert all(("python-depends" in each.fix) == ("einops" in each.found) for each in found)
    assert find_undeclared(package, [*provided, "einops", "numpy"], known) == []


# Uses of Python's modules, and the version that a problem names.
NEWER_NAMES = {
    "import typing as t\ndef f() -> t.Self: ...\n": "3.11",
    "def f():\n    from itertools import batched\n": "3.12",
    "raise ExceptionGroup('', [])\n": "3.11",
    "from __future__ import annotations\nimport typing\ndef f(x: typing.Self): ...\n": "",
    "if sys.version_info >= (3, 11):\n    import tomllib\nelse:\n    tomllib = None\n": "",
    "try:\n    from typing import Self\nexcept ImportError:\n    from others import Self\n": "",
    "import enum\nif hasattr(enum, 'StrEnum'):\n    Base = enum.StrEnum\n": "",
    "if TYPE_CHECKING:\n    from typing import Self\n": "",
    "from dataclasses import dataclass\n@dataclass(slots=True)\nclass A:\n    x: int | None\n": "",
}


@pytest.mark.parametrize("text", NEWER_NAMES)
def test_names_that_the_oldest_python_lacks(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path, {"__init__.py": text})
    found = find_newer(Package(folder, read_files(folder, NAME), NAME))
    versions = [each.found.split()[-3] for each in found]
    assert versions == [*filter(None, [NEWER_NAMES[text]])]


def test_files_that_hide_modules_of_others(tmp_path: Path) -> None:
    hiding = {"types.py": "", "triton/__init__.py": "", "layers/random.py": "", "einops.py": ""}
    folder = write(tmp_path, {"__init__.py": "", "data/x.py": "", "layers.py": "", **hiding})
    package = Package(folder, read_files(folder, NAME), NAME)
    found = [*find_hiding(package, ["triton", "data"]), *find_covered(package)]
    assert [each.at[len(NAME) :] for each in found] == ["/triton/", "/types.py", "/layers.py"]


@pytest.mark.parametrize("framework", ["torch-ext", "torch-noarch", "tvm-ffi-ext"])
def test_authors_are_not_warned_of_what_the_builder_adds(framework: str, tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "__init__.py").write_text("from ._ops import ops\n")
    template = ROOT / "python/src/kernel_builder/templates/ops" / framework / "_ops.py"
    (folder / "_ops.py").write_text(template.read_text())
    package = Package(folder, read_files(folder, NAME), NAME)
    assert find_undeclared(package, ["tvm_ffi"]) == []
