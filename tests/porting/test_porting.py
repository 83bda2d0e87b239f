"""`init --from`: a drafted kernel, row by row of the types, and projects that are hostile."""

from __future__ import annotations

import difflib
import re
import shutil
import tracemalloc
from pathlib import Path

import pytest

from kernel_builder.authoring.init import render_template
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.porting.draft import draft_kernel
from kernel_builder.porting.operators import TYPES
from tests.cli.command_line import Cli
from tests.evaluation import ROOT

HERE = Path(__file__).parent
SETUP = """from setuptools import setup
from torch.utils.cpp_extension import CppExtension
setup(name="p", ext_modules=[CppExtension("p_C", ["a.cpp"])])
"""


def draft(root: Path, *backends: str) -> dict[str, str]:
    files = render_template("kernel", ["cuda"], {"mykernel": "p"}, {"name": "p"})
    return draft_kernel(root, files, "p", backends, root.parent / "kernel")[0]


def write(root: Path, **files: str) -> Path:
    for name, text in {"setup_py": SETUP, **files}.items():
        path = root / name.replace("__", "/").replace("_py", ".py").replace("_cpp", ".cpp")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def bind(root: Path, code: str, definition: str) -> str:
    """Return the operators of a file with some code and one definition."""
    text = f"#include <torch/extension.h>\n{code}\nPYBIND11_MODULE(X, m) {{ {definition} }}\n"
    drafted = draft(write(root / "p", a_cpp=text))
    return drafted["a.cpp"] + drafted["PORTING.md"]


def test_the_guide_shows_what_is_drafted() -> None:
    project = HERE / "project"
    drafted = draft(project)
    assert (
        "<torch/extension.h> became <torch/all.h>: `csrc/bindings.cpp:1`, `csrc/fastnorm.h:3`\n"
        in drafted["PORTING.md"]
    )
    assert 'license = "mit"' in drafted["build.toml"]
    page = (ROOT / "docs/guide/porting.md").read_text()
    config, *diffs = re.findall("```(?:toml|diff)\n(.*?)```", page, re.DOTALL)
    assert drafted["build.toml"].endswith(config.replace("kernel.fastnorm", "kernel.p"))
    pairs = ("csrc/bindings.cpp",) * 2, ("fastnorm/__init__.py", "torch-ext/p/__init__.py")
    for shown, (old, new) in zip(diffs, pairs, strict=True):
        lines = (project / old).read_text().splitlines(), drafted[new].splitlines()
        # The guide leaves lines out.
        diff = iter(difflib.unified_diff(*lines, lineterm="", n=0))
        assert [line for line in shown.splitlines() if line not in diff] == []


def test_a_kernel_that_is_right(cli: Cli) -> None:
    project = cli.folder / "fastnorm"
    shutil.copytree(HERE / "project", project)
    words = ("--name", "me/fastnorm", "--builder", str(ROOT))
    done = cli("init", "kernel", "--from", "fastnorm", *words)
    assert done.status == 0, done.stderr
    assert done.stdout.endswith("for cpu, cuda\n")
    assert ", and 0 things that are left to you" in done.stderr
    done = cli("check-config", "kernel", *words[2:])
    assert "build.toml is right" in done.stdout, done.stderr
    inside = cli("init", "fastnorm/kernel", "--from", "fastnorm", *words)
    assert "the project itself is not changed" in inside.stderr


@pytest.mark.parametrize("plain", TYPES)
def test_each_type_of_the_table(plain: str, tmp_path: Path) -> None:
    kind, cpp, *convert = TYPES[plain]
    text = bind(tmp_path, f"void f(const {plain} x);", 'm.def("f", &f);')
    assert f'm.def("f({kind} x) -> ()"' in text
    assert ("&f)" in text) == (not convert)
    assert not convert or convert[0].format("x") in text
    assert not convert or f"[]({cpp} x)" in text


@pytest.mark.parametrize(
    ("code", "definition", "want"),
    [
        ("void f(at::Tensor x) { x.add_(1); }", "&f", 'm.def("f(Tensor(a!) x) -> ()");'),
        ("void f(at::Tensor &x);", "&f", 'm.def("f(Tensor(a!) x) -> ()");'),
        ("int f(at::Tensor &x);", "&f", 'm.def("f(Tensor x) -> int");'),
        (
            "void f(at::Tensor y, const at::Tensor &x);",
            "&f",
            'm.def("f(Tensor(a!) y, Tensor x) -> ()");',
        ),
        ("int f(const at::Tensor &x) { x[0] = 1; }", "&f", 'm.def("f(Tensor(a!) x) -> int");'),
        (
            "std::tuple<int, at::Tensor> f(const at::Tensor &x);",
            "&f",
            "[](const at::Tensor& x) -> std::tuple<int64_t, at::Tensor> {",
        ),
        (
            "namespace n { int64_t f(int64_t a, c10::optional<double> b); }",
            '&n::f, "text", py::arg("a") = -1, "b"_a = c10::nullopt',
            'm.def("f(int a=-1, float? b=None) -> int", &n::f);',
        ),
        ("", "[](bool x) { g(x); }", 'm.def("f(bool x) -> ()", [](bool x) { g(x); });'),
        ("void f(std::function<int()> g);", "&f", "no schema has the type std::function<int()>"),
        ("", "&missing", "no plain function missing was found"),
        ("bool f(bool a);", '&f, py::arg("a") = g()', "the default g() is not in the schema"),
    ],
)  # fmt: skip
def test_operators(code: str, definition: str, want: str, tmp_path: Path) -> None:
    assert want in bind(tmp_path, code, f'm.def("f", {definition});')


def test_operators_of_several_files(tmp_path: Path) -> None:
    code = """#include <Python.h>
int64_t NAME(int64_t a) { return a; }
static auto r = torch::RegisterOperators().op("ns::NAME", &NAME);
"""
    setup = SETUP.replace('["a.cpp"]', 'glob.glob(os.path.join("*.cpp"))')
    python = """import torch
import p.q
torch.ops.load_library("x")
y = p.q.z + torch.ops.ns.a(1)
n = "ns::b"
f = torch.library.custom_op(f"{NAME}::f")(g)
"""
    root = write(
        tmp_path / "p",
        setup_py=setup,
        a_cpp=code.replace("NAME", "a"),
        b_cpp=code.replace("NAME", "b"),
        p__q_py="",
    )
    (root / "p" / "__init__.py").write_text(python)
    drafted = draft(root)
    assert "REGISTER_EXTENSION" in drafted["torch-ext/torch_binding.cpp"]
    head = "(TORCH_EXTENSION_NAME, m) {\n"
    assert f'TORCH_LIBRARY_EXPAND{head}  m.def("a", &a);\n}}' in drafted["a.cpp"]
    assert f'FRAGMENT_EXPAND{head}  m.def("b", &b);\n}}' in drafted["b.cpp"]
    text = drafted["torch-ext/p/__init__.py"]
    assert "from . import q as p_q\n" in text
    assert 'y = p_q.z + ops.a(1)\nn = add_op_namespace_prefix("b")\n' in text
    assert 'f = torch.library.custom_op(add_op_namespace_prefix("f"))(g)\n' in text


def test_torch_library_keeps_its_place(tmp_path: Path) -> None:
    code = """TORCH_LIBRARY(ns, m) { m.def("ns::f(Tensor x) -> ()"); }
TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl("f", &f); }
"""
    text = draft(write(tmp_path / "p", a_cpp=code))["a.cpp"]
    assert 'TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) { m.def("f(Tensor x) -> ()"); }' in text
    assert "TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, m)" in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "pyproject.toml",
            '[[tool.setuptools.ext-modules]]\nname = "p._C"\n'
            'sources = ["csrc/a.cpp", "csrc/k.cu"]\n',
        ),
        (
            "CMakeLists.txt",
            "set(A csrc/a.cpp) # all\nfile(GLOB B ${CMAKE_CURRENT_SOURCE_DIR}/csrc/*.cu)\n"
            "include_directories(PRIVATE csrc)\nadd_library(p MODULE ${A} ${B})\n",
        ),
    ],
)
def test_other_build_files(name: str, text: str, tmp_path: Path) -> None:
    root = write(tmp_path / "p", setup_py="", csrc__a_cpp="", csrc__k_cpp="")
    (root / "csrc" / "k.cpp").rename(root / "csrc" / "k.cu")
    (root / name).write_text(text)
    assert 'backend = "cuda"' in (drafted := draft(root)["build.toml"])
    assert '\nsrc = ["csrc/a.cpp", "csrc/k.cu"]\n' in drafted
    assert ('include = ["csrc"]' in drafted) == (name == "CMakeLists.txt")


def test_variables_of_the_environment(tmp_path: Path) -> None:
    setup = SETUP.replace("setup(", "if os.getenv('BUILD', '0') == '1': setup(")
    assert 'src = ["a.cpp"]' in draft(write(tmp_path / "p", setup_py=setup, a_cpp=""))["build.toml"]


@pytest.mark.parametrize("macros", ["[('KNOWN', 1), ('V', f())]", "f()"])
def test_macros_without_a_value(macros: str, tmp_path: Path) -> None:
    setup = SETUP.replace('["a.cpp"]', f'["a.cpp"], define_macros={macros}')
    drafted = draft(write(tmp_path / "p", setup_py=setup, a_cpp=""))
    assert "a macro of this extension cannot be read" in drafted["PORTING.md"]
    assert ('"-DKNOWN=1"' in drafted["build.toml"]) == ("KNOWN" in macros)
    assert "-DV" not in drafted["build.toml"]


@pytest.mark.parametrize("call", ["set([('a', 'b')])", "'a'.replace('b')", "','.join([f()])"])
def test_calls_that_end_in_an_error(call: str, tmp_path: Path) -> None:
    setup = f"x = {call}\n{SETUP}"
    assert 'src = ["a.cpp"]' in draft(write(tmp_path / "p", setup_py=setup, a_cpp=""))["build.toml"]


def test_sets_of_sources(tmp_path: Path) -> None:
    setup = SETUP.replace('["a.cpp"]', "sorted(set(['b.cpp', 'a.cpp']) - {'b.cpp'})")
    drafted = draft(write(tmp_path / "p", setup_py=setup, a_cpp="", b_cpp=""))["build.toml"]
    assert 'src = ["a.cpp"]' in drafted


@pytest.mark.parametrize(
    ("setup", "note"),
    [
        ("def f(:", "it cannot be read as Python: invalid syntax (setup.py, line 1): `setup.py:1`"),
        ("x = ['a'] * 9\nwhile True: pass\nx = [0]\nfor i in x: x += [i]\n", "too much work"),
        (f"x = {'-' * 9000}1", "setup.py"),
        ("f = lambda: 0\ndef g(): return g()\ng()", "too much work"),
        (SETUP.replace("a.cpp", "../a.cpp"), "the source ../a.cpp is no file of C++"),
        (SETUP.replace("a.cpp", "link.cpp"), "it is a link: it was not followed: `link.cpp`"),
        (SETUP.replace("a.cpp", "huge.cpp"), "it cannot be read: 8388608 bytes: `huge.cpp`"),
        (SETUP.replace("a.cpp", "flake.nix"), "the source flake.nix is no file of C++"),
        ("x = 'a'\n" + "x = [x, x]\n" * 99 + "y = f'{x}'\nz = sorted(x)\n{*[x]}\n", "list what"),
    ],
)
def test_hostile_projects(setup: str, note: str, tmp_path: Path) -> None:
    root = write(tmp_path / "p", setup_py=setup, a_cpp='#include "flake.nix"\n')
    (root / "flake.nix").write_text("not of p")
    (tmp_path / "secret").write_text("not of p")
    (root / "link.cpp").symlink_to(tmp_path / "secret")
    (root / "huge.cpp").write_bytes(b"x" * 2**23)
    drafted = draft(root)
    assert note in drafted["PORTING.md"]
    assert "not of p" not in "".join(drafted.values())
    with pytest.raises(KernelBuilderError, match="there is no project to read"):
        draft(tmp_path / "missing")


LONG = "x = 'a'\n" + "x = x + x\n" * 14
MANY = f"{LONG}y = [x]\n" + "y = y + y\n" * 14


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("setup_py", f"{LONG}x.replace('a', x)\n"),
        ("setup_py", f"{MANY}''.join(y)\n"),
        ("setup_py", f"{MANY}os.path.join(*y)\n"),
        ("setup_py", f"{LONG}x = f'{'{x}' * 8}'\nf'{'{x}' * 2000}'\n"),
        ("CMakeLists.txt", "set(X a)\n" + "set(X ${X}${X})\n" * 28),
    ],
)
def test_texts_that_grow(file: str, text: str, tmp_path: Path) -> None:
    root = write(tmp_path / "p", **{"setup_py": "", "a_cpp": "", file: text})
    tracemalloc.start()
    draft(root)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**27
