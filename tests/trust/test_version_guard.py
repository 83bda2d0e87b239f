"""Uploads are compared with what is published: what is breaking, and what becomes of it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kernel_builder.trust.version_guard import (
    ApiChange,
    compare_operators,
    compare_packages,
    read_package,
)
from tests.cli.command_line import Ran
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import REPO, Uploader
from tests.hub.exchange import Hub

CPU = "torch213-cxx11-cpu-x86_64-linux"
OLDER = "torch212-cxx11-cpu-x86_64-linux"
CUDA = "torch213-cxx11-cu130-x86_64-linux"
ONE = 'def f(x): ...\n__all__ = ["f"]\n'
OTHER = 'def g(x): ...\n__all__ = ["g"]\n'
BOTH = 'def f(x): ...\ndef g(x): ...\n__all__ = ["f", "g"]\n'


class Publisher:
    """Uploads builds with given Python files, one after the other."""

    def __init__(self, upload: Uploader, folder: Path) -> None:
        self.upload = upload
        self.folder = folder
        self.count = 0

    def __call__(
        self,
        python: Mapping[str, str] | str,
        *words: str,
        variants: Sequence[str] = (CPU,),
        operators: Sequence[str] | None = None,
        version: int = 1,
    ) -> Ran:
        self.count += 1
        files = {"__init__.py": python} if isinstance(python, str) else python
        bundle = make_bundle(self.folder / str(self.count), *variants)
        for name in variants:
            write_variant(
                bundle / name, str(self.count), version=version, python=files, operators=operators
            )
        return self.upload(bundle, *words)

    def rows(self, done: Ran) -> list[list[str]]:
        """Return the differences that were printed: kind, name, change."""
        lines = [line.split(None, 2) for line in done.stderr.splitlines()]
        return [words for words in lines if words[:1] in (["breaking"], ["listed"])]


@pytest.fixture
def publish(upload: Uploader, tmp_path: Path) -> Publisher:
    return Publisher(upload, tmp_path)


def test_a_new_version_is_the_way_out(publish: Publisher, hub: Hub) -> None:
    publish(ONE)
    done = publish(OTHER)
    assert (done.status, done.stdout) == (1, "")
    assert "this would break code that uses v1 (1 problem)" in done.stderr
    assert f"at     {REPO}, branch v1, build/{CPU}\n       found  f: is gone\n" in done.stderr
    assert "fix    state version = 2 in [general] of build.toml" in done.stderr
    assert publish(OTHER, version=2).status == 0
    assert "refs/heads/v2" in hub.repositories.get(REPO).summarize()


@pytest.mark.parametrize("branch", ["v0", "try"])
def test_branches_that_promise_nothing(branch: str, publish: Publisher) -> None:
    publish(ONE, "--branch", branch)
    done = publish(OTHER, "--branch", branch)
    assert done.status == 0
    assert publish.rows(done) == [["breaking", "f:", "is gone"], ["listed", "g:", "is new"]]


def test_a_dry_run_and_a_pull_request_are_refused_as_well(publish: Publisher, hub: Hub) -> None:
    publish(ONE)
    before = hub.repositories.get(REPO).summarize()
    assert publish(OTHER, "--dry-run").status == 1
    assert publish(OTHER, "--create-pr").status == 1
    assert hub.repositories.get(REPO).summarize() == before


def test_the_table_as_json(publish: Publisher) -> None:
    publish(ONE)
    done = publish(BOTH, "--json", "--dry-run")
    assert json.loads(done.stdout)["branches"][0]["api-changes"] == [
        {"name": "g", "change": "is new", "breaking": False}
    ]


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 3000])
def test_a_published_build_that_is_no_python(text: str, publish: Publisher) -> None:
    publish(text)
    done = publish(ONE)
    assert done.status == 0
    assert f"warning: v1 is not compared with this build: build/{CPU}: " in done.stderr


def test_a_build_that_is_no_python(publish: Publisher) -> None:
    publish(ONE)
    done = publish("def f(:\n")
    assert done.status == 1
    assert f"{CPU} cannot be read" in done.stderr
    assert "invalid syntax (__init__.py, line 1)" in done.stderr


def test_the_closest_variant_is_compared(publish: Publisher, hub: Hub) -> None:
    files = {"__init__.py": "from .more import f", "more.py": "def f(): ..."}
    publish(files, variants=[OLDER, CPU, CUDA])
    hub.faults.reset()
    done = publish({**files, "more.py": "def f(x): ..."}, variants=[CPU])
    assert publish.rows(done) == [["listed", "more.f:", "Parameter was added as required: x"]]
    assert f"v1, compared with build/{CPU}:" in done.stderr
    asked = [each.split("/build/")[1] for each in hub.faults.requests if "/resolve/" in each]
    assert {path.split("/")[0] for path in asked} == {CPU}


OPS = 'from ._ops import ops\n__all__ = ["ops"]\n'


@pytest.mark.parametrize(
    ("python", "status"), [(OPS, 1), ("from ._ops import ops\n__all__ = []", 0)]
)
def test_operators_count_where_ops_is_public(python: str, status: int, publish: Publisher) -> None:
    publish(python, operators=["f(Tensor x) -> ()"])
    done = publish(python, operators=["f(Tensor x, int n) -> ()"])
    assert done.status == status
    assert ("ops.f: takes less" in done.stderr) == bool(status)


@pytest.mark.parametrize(("old", "new"), [(None, ["f() -> ()"]), (["f() -> ()"], None)])
def test_operators_that_are_not_known(
    old: list[str] | None, new: list[str] | None, publish: Publisher
) -> None:
    publish(OPS, operators=old)
    done = publish(OPS, operators=new)
    assert done.status == 0
    assert publish.rows(done) == []


Files = Mapping[str, str]


def compare(old: Files | str, new: Files | str) -> list[ApiChange]:
    packages = []
    with TemporaryDirectory() as temporary:
        for number, each in enumerate((old, new)):
            folder = Path(temporary, f"torch-{number}")
            folder.mkdir()
            for name, text in ({"__init__.py": each} if isinstance(each, str) else each).items():
                (folder / name).write_text(text)
            packages.append(read_package(folder))
    return sorted(compare_packages(*packages), key=lambda each: each.name)


def function(parameters: str) -> str:
    return f'def f({parameters}):\n    pass\n__all__ = ["f"]\n'


def layer(body: str) -> Files:
    return {
        "__init__.py": "from . import layers\n__all__ = []\n",
        "layers.py": f"from torch import nn\nclass Relu(nn.Module):\n    {body}\n",
    }


FORWARD = "def forward(self, x): ..."

BREAKING: dict[str, tuple[Files | str, Files | str, str]] = {
    "a function is gone": (
        'def f(): ...\ndef g(): ...\n__all__ = ["f", "g"]',
        'def f(): ...\n__all__ = ["f"]',
        "g",
    ),
    "gone without __all__": ("def f(): ...\ndef g(): ...", "def f(): ...", "g"),
    "gone from a public module": (
        {"__init__.py": 'from . import more\n__all__ = ["more"]', "more.py": "def f(): ..."},
        {"__init__.py": 'from . import more\n__all__ = ["more"]', "more.py": "def _f(): ..."},
        "more.f",
    ),
    "a layer is gone": (layer(FORWARD), {**layer(FORWARD), "layers.py": ""}, "layers.Relu"),
    "a method is gone": (layer(FORWARD), layer("..."), "layers.Relu.forward"),
}

LISTED: dict[str, tuple[Files | str, Files | str, list[str]]] = {
    "a new function": (
        'def f(): ...\n__all__ = ["f"]',
        'def f(): ...\ndef g(): ...\n__all__ = ["f"]\n__all__ += ["g"]',
        ["g: is new"],
    ),
    "a parameter is gone": (function("x, y=1"), function("x"), ["f: Parameter was removed: y"]),
    "a new parameter with a default": (function("x"), function("x, y=None"), []),
    "a layer that no longer trains": (
        layer(f"has_backward = True\n    {FORWARD}"),
        layer(f"has_backward = False\n    {FORWARD}"),
        ["layers.Relu.has_backward: Attribute value was changed: True -> False"],
    ),
    "a module of the package that nothing lists": (
        {"__init__.py": 'from .a import f\n__all__ = ["f"]', "a.py": "def f(): ...\ng = 1"},
        {"__init__.py": 'from .b import f\n__all__ = ["f"]', "b.py": "def f(): ..."},
        [],
    ),
}


@pytest.mark.parametrize("case", BREAKING)
def test_names_that_are_gone_are_breaking(case: str) -> None:
    old, new, name = BREAKING[case]
    assert name in [each.name for each in compare(old, new) if each.breaking]
    assert not [each for each in compare(new, old) if each.breaking]


@pytest.mark.parametrize("case", LISTED)
def test_all_else_is_listed(case: str) -> None:
    old, new, wanted = LISTED[case]
    found = compare(old, new)
    assert [f"{each.name}: {each.change}" for each in found] == wanted
    assert not any(each.breaking for each in found)


def test_nothing_is_run(tmp_path: object) -> None:
    text = f"from pathlib import Path\nPath({str(tmp_path)!r}, 'run').write_text('')\n"
    compare(text, {"__init__.py": text, "setup.pth": f"import os; {text}", "x.py": text})
    assert not Path(str(tmp_path), "run").exists()


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        (["f(Tensor x) -> ()"], [], True),
        (["f(Tensor x) -> ()"], ["f(Tensor x, int n) -> ()"], True),
        (["f(Tensor x) -> ()"], ["f(Tensor x) -> Tensor"], True),
        (["f(Tensor(a!) x) -> ()"], ["f(Tensor(a!) y) -> ()"], True),
        (["f(Tensor? x) -> ()"], ["f(Tensor x) -> ()"], True),
        (["f(int a, int b) -> ()"], ["f(int b, int a) -> ()"], True),
        (["f(int a, int b=1) -> ()"], ["f(int a, int c=1, int b=1) -> ()"], True),
        (["f(int a, *, int b) -> ()"], ["f(int a, *, int b, int c=1) -> ()"], False),
        (["f(Tensor x) -> ()"], ["f(Tensor? x, *, int n=1) -> ()"], False),
        (['f(str x="a, b") -> (Tensor, int)'], ['f(str x="a", int n=1) -> (Tensor, int)'], False),
        (["f(Dict(str, int) x) -> ()"], ["f(Dict(str, int)? x) -> ()"], False),
        ([], ["f() -> ()"], False),
    ],
)
def test_operators(old: list[str], new: list[str], breaking: bool) -> None:
    (found,) = compare_operators(old, new)
    assert (found.name, found.breaking) == ("ops.f", breaking)
    assert not [*compare_operators(old, old)]
