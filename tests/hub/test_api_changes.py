"""What breaks code that uses a published version, and what does not."""

from __future__ import annotations

import pytest

from tests.hub.client import REPO
from tests.hub.exchange import Hub
from tests.hub.publisher import CPU, Files, Publisher, function


def layer(body: str) -> Files:
    return {
        "__init__.py": "from . import layers\n__all__ = []\n",
        "layers.py": f"from torch import nn\nclass Relu(nn.Module):\n    {body}\n",
    }


FORWARD = "def forward(self, x): ..."

BREAKING: dict[str, tuple[Files | str, Files | str, str, str]] = {
    "a function is gone": (
        'def f(): ...\ndef g(): ...\n__all__ = ["f", "g"]',
        'def f(): ...\n__all__ = ["f"]',
        "g",
        "function is gone",
    ),
    "a function is private now": (
        'def f(): ...\n__all__ = ["f"]',
        "def f(): ...\n__all__ = []",
        "f",
        "function is gone",
    ),
    "gone without __all__": ("def f(): ...\ndef g(): ...", "def f(): ...", "g", "function is gone"),
    "gone where __all__ is computed": (
        'def f(): ...\ndef g(): ...\n__all__ = list("fg")\n__all__ += ["f"]',
        'def f(): ...\n__all__ = list("f")\n__all__ += ["f"]',
        "g",
        "function is gone",
    ),
    "gone from a public module": (
        {"__init__.py": 'from . import more\n__all__ = ["more"]', "more.py": "def f(): ..."},
        {"__init__.py": 'from . import more\n__all__ = ["more"]', "more.py": "def _f(): ..."},
        "more.f",
        "function is gone",
    ),
    "a function is a class": (
        'def f(): ...\n__all__ = ["f"]',
        'class f: ...\n__all__ = ["f"]',
        "f",
        "is a class, was a function",
    ),
    "a parameter is gone": (function("x, y=1"), function("x"), "f", "parameter y is gone"),
    "a parameter is renamed": (function("x"), function("y"), "f", "parameter x is called y"),
    "parameters in another order": (
        function("x, y"),
        function("y, x"),
        "f",
        "the order of parameters is y, x",
    ),
    "a parameter that has to be given": (
        function("x"),
        function("x, y"),
        "f",
        "new parameter y without a default",
    ),
    "one by name that has to be given": (
        function("x"),
        function("x, *, y"),
        "f",
        "new parameter y without a default",
    ),
    "a parameter in between": (
        function("x, z=1"),
        function("x, y=1, z=1"),
        "f",
        "new parameter y in front of z",
    ),
    # Calls that pass further values by position would fill it.
    "a parameter in front of further ones": (
        function("x, *further"),
        function("x, y=1, *further"),
        "f",
        "new parameter y = 1",
    ),
    "a default is gone": (
        function("x=None"),
        function("x"),
        "f",
        "parameter x is without a default, not None",
    ),
    "by name alone": (function("x"), function("*, x"), "f", "parameter x is given by name alone"),
    "by position alone": (
        function("x"),
        function("x, /"),
        "f",
        "parameter x is given by position alone",
    ),
    "no further ones": (
        function("x, **further"),
        function("x"),
        "f",
        "further parameters (**) are not taken",
    ),
    "a layer is gone": (
        layer(FORWARD),
        {**layer(FORWARD), "layers.py": ""},
        "layers.Relu",
        "class is gone",
    ),
    "all layers are gone": (
        layer(FORWARD),
        {"__init__.py": "__all__ = []"},
        "layers",
        "module is gone",
    ),
    "a layer that is called otherwise": (
        layer(FORWARD),
        layer("def forward(self, x, y): ..."),
        "layers.Relu.forward",
        "new parameter y without a default",
    ),
    "a layer that no longer trains": (
        layer(FORWARD),
        layer(f"has_backward = False\n    {FORWARD}"),
        "layers.Relu.has_backward",
        "is False, was True",
    ),
    "a layer that no longer compiles": (
        layer(f"can_torch_compile: bool = True\n    {FORWARD}"),
        layer(FORWARD),
        "layers.Relu.can_torch_compile",
        "is False, was True",
    ),
    "a method that takes no self": (
        'class A:\n    @staticmethod\n    def f(x): ...\n__all__ = ["A"]',
        'class A:\n    @staticmethod\n    def f(): ...\n__all__ = ["A"]',
        "A.f",
        "parameter x is gone",
    ),
    "a constructor": (
        'class A:\n    def __init__(self, x): ...\n__all__ = ["A"]',
        'class A:\n    def __init__(self): ...\n__all__ = ["A"]',
        "A",
        "parameter x is gone",
    ),
}

COMPATIBLE: dict[str, tuple[Files | str, Files | str, list[tuple[str, str]]]] = {
    "a new function": (
        'def f(): ...\n__all__ = ["f"]',
        'def f(): ...\ndef g(): ...\n__all__ = ["f"]\n__all__ += ["g"]',
        [("g", "is new")],
    ),
    "a new layer": (
        {**layer(FORWARD), "layers.py": ""},
        layer(FORWARD),
        [("layers.Relu", "is new")],
    ),
    "a new parameter with a default": (
        function("x"),
        function("x, y=None"),
        [("f", "new parameter y = None")],
    ),
    "another default": (
        function("x=1"),
        function("x=2"),
        [("f", "parameter x is 2 by default, not 1")],
    ),
    "a default": (
        function("x"),
        function("x=2"),
        [("f", "parameter x is 2 by default, where it had none")],
    ),
    "one by position is renamed": (
        function("x, /"),
        function("y, /"),
        [("f", "parameter x is called y")],
    ),
    "all is taken": (function("x"), function("*a, **k"), [("f", "parameter x is gone")]),
    "what is private": (
        'def f(): ...\ndef g(): ...\n__all__ = ["f"]',
        'def f(): ...\n__all__ = ["f"]',
        [],
    ),
    "a first __all__": (
        "def f(): ...\ndef g(): ...",
        'def f(): ...\ndef g(): ...\n__all__ = ["f"]',
        [("g", "is there, but not in __all__")],
    ),
    "a function moves": (
        function("x"),
        {
            "__init__.py": "try:\n    from .impl import *\nexcept ImportError:\n    f = None\n",
            "impl/__init__.py": 'from .deep import g as f\n__all__ = ("f",)',
            "impl/deep.py": "from .. import impl\ndef g(x): ...",
        },
        [],
    ),
    "a function has another name inside": (
        function("x"),
        'def _f(x): ...\nf = _f\n__all__ = ["f"]',
        [],
    ),
    "modules that know each other": (
        {"__init__.py": "from . import a, b", "a.py": "", "b.py": ""},
        {"__init__.py": "from . import a, b", "a.py": "from . import *", "b.py": "import a"},
        [],
    ),
    "a module that leads to itself": (
        {"__init__.py": "from . import a", "a/__init__.py": "def f(): ..."},
        {"__init__.py": "from . import a", "a/__init__.py": "from .. import a\ndef f(): ..."},
        [("a.a", "is new")],
    ),
    "what a module imports": (
        {**layer(FORWARD), "layers.py": "from .x import f\nclass A: ...", "x.py": "def f(): ..."},
        {**layer(FORWARD), "layers.py": "class A: ..."},
        [],
    ),
    "a property": (
        'class A:\n    def f(self): ...\n__all__ = ["A"]',
        'class A:\n    @property\n    def f(self): ...\n__all__ = ["A"]',
        [("A.f", "is a value, was a function")],
    ),
    "forward moves to a class that the layer is of": (
        layer(FORWARD),
        {
            **layer("..."),
            "layers.py": "class _B(Module):\n    def forward(self, x): ...\nclass Relu(_B): ...",
        },
        [],
    ),
    "a layer says less of what it stands in for": (
        layer(f"weight: Tensor\n    {FORWARD}"),
        layer(FORWARD),
        [],
    ),
    "what is computed": (
        function("x"),
        'f = compile(lambda x: x)\n__all__ = ["f"]',
        [("f", "is a value, was a function")],
    ),
    "what is listed is no name": (
        "__all__ = [1, 'f']",
        "__all__ = [1, 'f', '../f']",
        [("../f", "is new")],
    ),
    "what Python is wary of": (function("x"), '"\\%"\n' + function("x"), []),
}


@pytest.mark.parametrize("case", BREAKING)
def test_what_breaks_is_refused(case: str, publish: Publisher, hub: Hub) -> None:
    old, new, name, change = BREAKING[case]
    assert publish(old).status == 0
    before = hub.repositories.get(REPO).summarize()
    done = publish(new)
    assert (done.status, done.stdout) == (1, "")
    assert "this would break code that uses version 1 of org/tiny (1 problem)" in done.stderr
    assert f"at     {REPO}, branch v1, build/{CPU}\n       found  {name}: {change}\n" in done.stderr
    assert "fix    state version = 2 in [general] of build.toml" in done.stderr
    assert [name, "breaking", change] in publish.rows(done)
    assert hub.repositories.get(REPO).summarize() == before


@pytest.mark.parametrize("case", COMPATIBLE)
def test_what_breaks_nothing_is_told(case: str, publish: Publisher) -> None:
    old, new, told = COMPATIBLE[case]
    assert publish(old).status == 0
    done = publish(new)
    assert done.status == 0, done.stderr
    assert publish.rows(done) == [[name, "compatible", change] for name, change in told]
    assert told or f"none of them different in build/{CPU}" in done.stderr
