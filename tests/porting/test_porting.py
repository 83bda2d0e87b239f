"""`init --from` without a sandbox: drafts from records of runs, and hostile records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.authoring.init import render_template
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.porting import draft as drafting
from kernel_builder.porting import project, registrations
from kernel_builder.porting.build_toml import find_license
from kernel_builder.porting.lost import find_lost
from kernel_builder.porting.project import Project, open_project
from kernel_builder.porting.recording import Run, read_devices, read_record
from kernel_builder.porting.registrations import read_results
from tests.evaluation import ROOT, evaluate, path_of

LISTS = """
    include_dirs define_macros undef_macros libraries library_dirs runtime_library_dirs
    extra_objects extra_link_args
"""
EMPTY: Mapping[str, Any] = {
    "kind": "CppExtension",
    "name": "p_C",
    "place": "setup.py:3",
    "sources": ["a.cpp"],
    **{key: [] for key in LISTS.split()},
    "flags": {},
}


def extension(**words: Any) -> dict[str, Any]:
    return {**EMPTY, **words}


def run(backend: str, *extensions: Mapping[str, Any], **words: Any) -> dict[str, Any]:
    plain = {"file": "setup.py", "given": "nothing", "error": "", "setup": {}}
    return {**plain, "backend": backend, "extensions": extensions, **words}


def read(folder: Path, runs: Sequence[Mapping[str, Any]]) -> list[Run]:
    file = folder / "record.json"
    file.write_text(json.dumps({"runs": runs}))
    return read_record(file)


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in {"setup.py": "", "a.cpp": "", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


class Draft:
    """Drafts a project of some files from runs, and from what a.cpp registers."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch = folder, monkeypatch

    def __call__(
        self,
        files: Mapping[str, str],
        *runs: Mapping[str, Any],
        registered: Sequence[Mapping[str, Any]] = (),
        failed: str = "",
    ) -> dict[str, str]:
        record = read(self._folder, runs or [run("cpu", extension())])
        self._patch.setattr(drafting, "record_project", lambda *_words: record)
        results = self._folder / "bindings.json"
        unit = {"unit": "a.cpp", "registered": registered, "failed": failed}
        results.write_text(json.dumps([unit]))
        self._patch.setattr(drafting, "read_bindings", lambda *_words: read_results(results))
        template = render_template("kernel", ["cuda"], {"mykernel": "p"}, {"name": "p"})
        root = write(self._folder / "p", files)
        options: dict[str, list[str]] = {"arguments": [], "variables": []}
        return drafting.draft_kernel(root, options, template, "p", (), self._folder / "k")[0]


def test_an_extension_of_two_modules_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(registrations, "evaluate_package", lambda _name, call: calls.append(call))
    (tmp_path / "bindings.json").write_text("[]")
    monkeypatch.setattr(registrations, "make_path", lambda *_words: str(tmp_path))
    project = open_project(write(tmp_path / "p", {"a.cpp": BINDING}))
    places = ("a.py:3", "b.py:3")
    [record] = read(tmp_path, [run("cuda", *(extension(place=place) for place in places))])
    registrations.read_bindings(project, "cuda", record.extensions)
    assert calls[0].count("a.cpp") == 1


def test_files_without_an_ending_come_from_include_folders_alone(tmp_path: Path) -> None:
    """A comment can include a Makefile or a workflow, which a project must not bring along."""
    text = '#if 0\n#include "Jenkinsfile"\n#include "sub/Makefile"\n#endif\n#include <Eigen/Core>\n'
    files = {"a.cpp": text, "eigen/Eigen/Core": '#include "Dense"\n', "eigen/Eigen/Dense": ""}
    more = {"Jenkinsfile": "", "sub/Makefile": "", "Core": ""}
    project = open_project(write(tmp_path / "p", {**files, **more}))
    assert project.find_includes(["a.cpp"], [".", "eigen"]) == [*files]


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draft:
    return Draft(tmp_path, monkeypatch)


def function(name: str, **words: Any) -> dict[str, Any]:
    schema = f"{name}(Tensor x) -> Tensor"
    plain = {"kind": "function", "name": name, "schema": schema, "marked": schema, "unknown": []}
    types = {"parameters": [{"cpp": "at::Tensor"}], "result_cpp": "at::Tensor", "function": name}
    marked = {"marked": words["schema"]} if "schema" in words else {}
    return {**plain, **types, "place": "a.cpp:3", "operator": name, **marked, **words}


def lost(drafted: Mapping[str, str]) -> list[str]:
    return [each["found"] for each in json.loads(drafted.get("porting.json", "[]"))]


CUDA = {"kind": "CUDAExtension"}
MAC = {"cxx": ["-mmacosx-version-min=11"]}


@pytest.mark.parametrize(
    ("extensions", "backends"),
    [
        ({"cpu": [EMPTY], "cuda": [EMPTY], "metal": [EMPTY], "xpu": [EMPTY]}, ["cpu"]),
        ({"cpu": [EMPTY], "cuda": [extension(**CUDA)]}, ["cpu", "cuda"]),
        ({"cpu": [EMPTY], "metal": [extension(flags=MAC)]}, ["cpu"]),
        # One that is made on every machine needs CUDA.
        ({"cpu": [extension(**CUDA)], "cuda": [extension(**CUDA)]}, ["cuda"]),
        ({"cpu": [extension(sources=["a.mm"])], "metal": [extension(sources=["a.mm"])]}, ["metal"]),
        ({"cpu": [EMPTY], "metal": [extension(define_macros=[["MPS", None]])]}, ["cpu", "metal"]),
        ({"cpu": [EMPTY], "metal": [extension(flags={"cxx": ["-Xclang", "-D_X"]})]}, ["cpu"]),
        ({"xpu": [extension(kind="SyclExtension")]}, ["xpu"]),
        ({"rocm": [extension(**CUDA)], "cuda": [extension(**CUDA)]}, ["cuda"]),
    ],
)
def test_backends(extensions: Any, backends: Sequence[str], draft: Draft) -> None:
    runs = [run(backend, *each) for backend, each in extensions.items()]
    drafted = draft({"a.mm": ""}, *runs)
    assert f"backends = {json.dumps(backends)}" in drafted["build.toml"]


def test_a_variable_for_what_another_machine_has(draft: Draft) -> None:
    full = extension(**CUDA, sources=["a.cpp", "k.cu"])
    forced = run("cpu", full, given="variables", read_variables=[{"name": "FORCE_CUDA"}])
    drafted = draft({"k.cu": ""}, run("cpu", EMPTY), run("cuda", full), forced)
    assert "FORCE_CUDA" not in drafted["PORTING.md"]
    made = run("cpu", EMPTY, extension(name="q", sources=["q.cpp"]), given="variables")
    assert '"a.cpp", "q.cpp"' in draft({"q.cpp": ""}, run("cpu"), made)["build.toml"]


def test_a_backend_whose_description_fails_is_not_drafted(draft: Draft) -> None:
    failed = run("cpu", EMPTY, error="RuntimeError: no CUDA")
    drafted = draft({}, failed, run("cuda", extension(**CUDA)))
    assert 'backends = ["cuda"]' in drafted["build.toml"]
    helped = run("cuda", extension(**CUDA), given="variables", read_variables=[{"name": "A=1"}])
    drafted = draft({}, run("cuda", error="RuntimeError: set A"), helped)
    assert 'backends = ["cuda"]' in drafted["build.toml"]
    assert "it is there with A=1" in drafted["PORTING.md"]
    helped["error"] = "RuntimeError: too much"
    (first, *_) = lost(draft({}, run("cuda"), helped))
    assert first.startswith("with A=1, it ends in an error: RuntimeError: too much")
    assert "ends in an error" not in drafted["PORTING.md"]
    drafted = draft({}, run("cpu", error="RuntimeError: no CUDA"))
    assert "it ends in an error: RuntimeError: no CUDA" in drafted["PORTING.md"]
    assert [each for each in lost(drafted) if "1 sources are in ." in each]


def test_one_of_two_descriptions_fails(draft: Draft) -> None:
    cmake = {"file": "CMakeLists.txt", "error": "a submodule is missing"}
    runs = [run(each, **cmake) for each in ("cpu", "cuda")]
    drafted = draft({}, *runs, run("cuda", extension(**CUDA)), run("cpu", error="no CUDA"))
    assert 'backends = ["cuda"]' in drafted["build.toml"]
    errors = [each for each in lost(drafted) if "ends in an error" in each]
    assert [each.split(": ")[1] for each in errors] == ["a submodule is missing"]


def test_flags_reach_only_the_sources_that_had_them(draft: Draft) -> None:
    one = extension(sources=["a.cpp"], define_macros=[["WIDTH", "1"]], undef_macros=["NDEBUG"])
    three = extension(name="r", sources=["c.cpp"], define_macros=[["WIDTH", "1"]])
    again = extension(name="s", sources=["b.cpp"], define_macros=[["WIDTH", "5"]])
    two = {**again, "name": "q", "flags": {"cxx": ["-ffast-math", "-DWIDTH=4"]}}
    runs = [run("cpu", one, two, {**three, "undef_macros": ["NDEBUG"]}, again)]
    drafted = draft({"b.cpp": "", "c.cpp": ""}, *runs)
    text = drafted["build.toml"]
    assert 'cxx-flags = ["-DWIDTH=1", "-UNDEBUG"]\nsrc = ["a.cpp", "c.cpp"]' in text
    assert 'cxx-flags = ["-DWIDTH=5", "-ffast-math", "-DWIDTH=4"]\nsrc = ["b.cpp"]' in text
    assert lost(drafted)[0] == "b.cpp is compiled again for s, with other flags"


FLAGS = [
    "-Xptxas", "-v", "-Xcompiler", "-fopenmp", "-maxrregcount", "64", "-isystem", "x", "-arch",
    "arm64", "--generate-code=arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90",
    "-Wl,-s", "-include", "z", "-Xcudafe", "a", "-Xcudafe", "b", "-arch", "sm_90",
]  # fmt: skip


def test_options_in_two_words(draft: Draft) -> None:
    made = extension(**CUDA, sources=["k.cu"], flags={"nvcc": FLAGS})
    drafted = draft({"k.cu": "#include <y.h>\n", "x/y.h": ""}, run("cuda", made))
    want = '"-Xcompiler=-fopenmp", "-maxrregcount=64", "-include", "z", "-Xcudafe=a", "-Xcudafe=b"'
    text = " ".join(drafted["build.toml"].split())
    assert f'include = ["x"] cuda-flags = [ {want}, ]' in text
    assert 'cuda-capabilities = ["8.0", "9.0"]' in drafted["build.toml"]
    assert "-Wl,-s is gone: the builder links" in drafted["PORTING.md"]
    reading = run("cuda", made, queries=["name"])
    assert "cuda-capabilities" not in draft({}, reading)["build.toml"]


def test_everything_that_is_lost_is_named(draft: Draft, tmp_path: Path) -> None:
    words = {"libraries": ["cublas", "zstd"], "extra_link_args": ["-lcuda", "-Wl,-z,now", "-lzstd"]}
    full = extension(sources=["a.cpp", "../b.cpp", "x.txt"], include_dirs=["third"], **words)
    more = extension(name="more", sources=["c.cpp"])
    bare = extension(name="bare", sources=[])
    files = ("c.cpp", "lib/d.cpp", "tests/e.py", "other/f.py", "p/__init__.py", "p/x/y.npz")
    drafted = draft(
        dict.fromkeys(files, ""),
        run("cpu", full, setup={"packages": ["p", "p.x", "no"]}, unused=[extension(name="spare")]),
        run("cpu", full, more, given="variables", read_variables=[{"name": "P_MORE=1"}]),
        run("cpu", bare, extension(name="opt", sources=["lib/d.cpp"]), given="options"),
    )
    assert {*lost(drafted)} == {
        "more (c.cpp) is for those who set a variable: P_MORE=1 (--from-env)",
        "libraries zstd of p_C has no place in build.toml",
        "extra_link_args -lzstd of p_C has no place in build.toml",
        "../b.cpp of p_C is no source in the project: draft from the folder that has all",
        "x.txt of p_C is no source in the project",
        "the extension bare has no files here: another program has its sources",
        "the include folder third is no folder of the project",
        "the package no has no Python files here",
        "no PYBIND11_MODULE, RegisterOperators or TORCH_LIBRARY: write the binding",
    }
    page = drafted["PORTING.md"]
    assert "- `.`: 1 files: no extension compiles it" in page
    assert "- `other`: 1 files: in no package of `setup`" in page
    assert "- `p/x`: 1 files: data beside its Python files" in page
    assert "- `tests`: 1 files: tests, tools and examples" in page
    assert "the extension spare is made, and not given to setup()" in page
    assert "opt is drafted" in page
    kernel = write(tmp_path / "drafted", {"porting.json": drafted["porting.json"]})
    assert [each.found for each in find_lost(kernel)] == lost(drafted)
    assert find_lost(tmp_path) == []


BSD = "Redistribution and use in source and binary"


@pytest.mark.parametrize(
    ("files", "named", "want"),
    [
        ({"LICENSE": "MIT License\n"}, [], "mit"),
        ({"LICENSE": "Apache License\n   Version 2.0"}, ["MIT"], "apache-2.0"),
        ({"LICENSES.md": "MIT License", "LICENSE.txt": BSD}, [], "bsd-2-clause"),
        ({"COPYING": "Redistribution and use\n... Neither the name of"}, [], "bsd-3-clause"),
        ({"LICENSE": "No commercial use."}, ["MIT"], "other"),
        ({}, ["MPL-2.0"], "mpl-2.0"),
        ({}, ["License :: OSI Approved :: MIT License"], "mit"),
        ({}, ["Apache License 2.0"], "apache-2.0"),
        ({}, ["UNKNOWN"], "other"),
    ],
)  # fmt: skip
def test_licenses(files: Mapping[str, str], named: list[str], want: str, tmp_path: Path) -> None:
    project = open_project(write(tmp_path, files))
    assert find_license(project, named) == want
    assert bool(project.left) == (want == "other")


@pytest.mark.parametrize(
    ("files", "setup", "want"),
    [
        (["src/python/gate/__init__.py", "src/python/gate/t.json"],
         {"packages": ["gate"], "package_dir": {"gate": "src/python/gate"}},
         ["__init__.py", "t.json"]),
        (["lib/p/__init__.py"], {"package_dir": {"": "lib"}}, ["__init__.py"]),
        (["__init__.py", "layer.py", "x/y.py"], {}, ["__init__.py", "layer.py"]),
        (["functions/__init__.py", "modules/__init__.py"], {"packages": ["modules", "functions"]},
         ["__init__.py", "functions/__init__.py", "modules/__init__.py"]),
        (["p/__init__.py", "more/x/a.py"],
         {"packages": ["p", "p.x"], "package_dir": {"p.x": "more/x"}}, ["__init__.py", "x/a.py"]),
        (["p/__init__.py", "p/x/a.py"], {"packages": ["p", "p/x"]}, ["__init__.py", "x/a.py"]),
        (["one.py"], {"py_modules": ["one"]}, ["__init__.py", "one.py"]),
        (["q/__init__.py", "tests/__init__.py"], {}, ["__init__.py"]),
        (["lib/q/p/__init__.py", "lib/q/p/a.py", "lib/r/__init__.py"], {}, ["__init__.py", "a.py"]),
    ],
)  # fmt: skip
def test_packages(files: list[str], setup: Any, want: list[str], draft: Draft) -> None:
    drafted = draft(dict.fromkeys(files, ""), run("cpu", EMPTY, setup=setup))
    inner = [name.removeprefix("torch-ext/p/") for name in drafted if "torch-ext/p/" in name]
    assert sorted(inner) == want


BINDING = """#include <torch/extension.h>
int64_t up(int64_t a) { return a; }
PYBIND11_MODULE(X, m) { m.def("up", &up); }
"""


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("from p._C import *", "from ._ops import ops\nup = ops.up"),
        ("from ._C import up as go", "from ._ops import ops\ngo = ops.up"),
        ("if 1: from ._C import up, up", "if 1: from ._ops import ops; up = ops.up; up = ops.up"),
        ("m = import_module('._C', __name__)", "m = import_module('._C', __name__)"),
        ("from . import _C", "from ._ops import ops as _C"),
        ("import p.q as q\nimport q2.r", "from . import q as q\nfrom .q2 import r as q2_r"),
        ("import p", "import sys\np = sys.modules[__package__]"),
        ("import os, nvtx\nfrom a.b import c, \\\n  d as e  # for f\nimport q.r\n"
         "class A(nvtx.B): pass\ndef f(x=lambda: e):\n    return q",
         "import os, nvtx\ntry:\n    from a.b import c, \\\n      d as e\nexcept ImportError:\n"
         "    c = e = None  # for f\ntry:\n    import q.r\nexcept ImportError:\n    q = None"),
        ("import x, y\nimport z\n@x.jit\ndef f(a=y.a): ...\nclass A(z.B): ...",
         "import x, y\nimport z\n@x.jit"),
        ("m = import_module('p._C')", "m = import_module('p._C')"),
        ("m = files('p'), files('q2'), f('p')",
         'm = files(__package__), files(f"{__package__}.q2")'),
        ("try:\n    a.load_library(p)\n    from p import q2\nexcept E:\n    pass",
         "if True:\n    from ._ops import ops  # loads the extension\n    from . import q2"),
        ("f(torch.ops.n.x, ops=1)\na = Library('n', 'DEF'), Library('aten', 'IMPL')",
         "from ._ops import ops as kernel_ops\nf(kernel_ops.x, ops=1)\n"
         "a = Library(kernel_ops.name, 'DEF'), Library('aten', 'IMPL')"),
        ("from torch import ops as o\na = Library('n', 'DEF'), o.n.x",
         "from torch import ops as o\nfrom ._ops import ops as kernel_ops\n"
         "a = Library(kernel_ops.name, 'DEF'), kernel_ops.x"),
        ("m = import_module(f'p._{n}_C')", "m = import_module(f'p._{n}_C')"),
        ("import pkg_resources\nv = pkg_resources.get_distribution('my-dist').version",
         'import importlib.metadata as pkg_resources\nv = "1.2"'),
        ("from pkg_resources import DistributionNotFound, get_distribution as get\n"
         "try:\n    v = version(__package__ or 'x')\nexcept DistributionNotFound:\n    pass",
         "from importlib.metadata import PackageNotFoundError as DistributionNotFound, "
         'distribution as get\ntry:\n    v = "1.2"\nexcept'),
        ("v = distribution('numpy').version + numpy.version('p2')", "v = distribution('numpy')"),
        ("v = require('p')[0].version", "v = require('p')[0].version"),
        ("m = get('q2.r', f'q2.r', 'q2.s')", "m = get(f\"{__package__}.q2.r\", f'q2.r', 'q2.s')"),
        ("m = get('q2.r')\nmatch m:\n    case 'q2.r':\n        pass",
         "m = get(f\"{__package__}.q2.r\")\nmatch m:\n    case 'q2.r':"),
        ("c = load(name='p._C', sources=[])", "from ._ops import ops as c"),
        ("import _C as c\nf = lambda x: c.up(x)\ng = h(*[[]])", "try:\n    import _C as c"),
        ("f = custom_op('ns::up', mutates_args=())(g)\nregister_fake('ns::up')(h)\n"
         "torch.ops.ns.up(1)",
         "from ._ops import add_op_namespace_prefix, ops\n"
         'f = custom_op(add_op_namespace_prefix("up_python"), mutates_args=())(g)\n'
         'register_fake(add_op_namespace_prefix("up_python"))(h)\nops.up_python(1)'),
    ],
)  # fmt: skip
def test_python_files(text: str, want: str, draft: Draft) -> None:
    setup = {"packages": ["p", "q2"], "name": "my-dist", "version": "1.2"}
    below = {"q2/__init__.py": "import einops\n", "q2/r.py": "import p, tilelang\nget('q2.r')"}
    # Another package may have the name of a file beside.
    below |= {"q2/tilelang.py": ""}
    files = {"a.cpp": BINDING, "p/__init__.py": text, **below}
    made = run("cpu", extension(name="p._C"), setup=setup)
    unknown = run("cuda", setup={"name": "p2", "version": "0.0.0"})
    drafted = draft(files, made, unknown, registered=[function("up")])
    assert drafted["torch-ext/p/__init__.py"].startswith(want)
    inner = "get(f\"{__package__.rsplit('.', 1)[0]}.q2.r\")"
    assert 'python-depends = ["einops"]' in drafted["build.toml"]
    package = "import sys\np = sys.modules[__package__.rsplit('.', 1)[0]]\nimport tilelang\n"
    assert drafted["torch-ext/p/q2/r.py"] == package + inner
    assert bool(lost(drafted)) == (text == want)


def test_a_module_in_the_extension(draft: Draft) -> None:
    lines = ['auto sub = m.def_submodule("sub");', 'sub.def("up", &up);']
    binding = BINDING.replace('m.def("up", &up);', f"\n{lines[0]}\n{lines[1]}\n")
    one = function("up", operator="sub_up", schema="sub_up(Tensor x) -> Tensor", place="a.cpp:5")
    files = {"a.cpp": binding, "p/__init__.py": "from . import _C\n_C.sub.up(_C.up, x._C.sub.up)\n"}
    made = run("cpu", extension(name="p._C"), setup={"packages": ["p"]})
    drafted = draft(files, made, registered=[one])
    assert "_C.sub_up(_C.up, x._C.sub.up)\n" in drafted["torch-ext/p/__init__.py"]
    assert not lost(drafted)


@pytest.mark.parametrize(
    ("code", "words", "want"),
    [
        ('m.def("g"); m.def("f", &f);', {}, '// m.def("g");\n   m.def("f(Tensor x) -> Tensor");\n'),
        ('m.def("f", [](int x) { return x; }, "a;)b", py::arg("x") = 1);',
         {"parameters": [{"cpp": "int"}]},
         "porting::adapt(+[](int x) { return x; })"),
        ('m.def("f", py::overload_cast<int, float>(&f));',
         {"function": "n::f", "callable": "int (*)(int)", "parameters": [{"cpp": "int"}]},
         "porting::adapt(static_cast<int (*)(int)>(n::f))"),
        ('m.def("f", &f<int, 4>);', {"lost": ["x"]}, "c10::kCPU, &f<int, 4>);"),
        ('m.def("f", &f);', {"lost": ["x"]}, "`f` lost the default of x: give it in Python"),
        ("BIND(f);", {"function": "f", "callable": "T (*)()"}, "static_cast<T (*)()>(f)"),
        ('m.def("f", &f);', {"schema": "f() -> Tensor"}, 'm.def("f() -> Tensor", &f);'),
        ('m.def("f", &f);',
         {"schema": None, "unknown": ["float*"]},
         "`f` is no operator: no schema has its types of float*"),
        ('m.def("f", &f);',
         {"schema": 'f() -> ()"); system("x'},
         "`f` is no operator: no schema has its types"),
        ('m.def("f", &f);', {"marked": "f(Tensor(a!) x) -> Tensor"}, "writes its arguments"),
        ('py::class_<A>(m, "A").def("f", &A::f);',
         {"place": "a.cpp:99"},
         "no operator: py::class_<A>"),
        ('m.def("g", &g);', {"place": "a.cpp:99"}, 'no operator: m.def("g", &g);'),
    ],
)  # fmt: skip
def test_bindings(code: str, words: Mapping[str, Any], want: str, draft: Draft) -> None:
    text = f"#include <torch/extension.h>\nPYBIND11_MODULE(X, m) {{\n  {code}\n}}\n"
    drafted = draft({"a.cpp": text}, registered=[function("f", **words)])
    assert want in drafted["a.cpp"] + drafted["PORTING.md"]
    assert "py::" not in "".join(line for line in drafted["a.cpp"].split("\n") if "//" not in line)
    assert ("registration_types.h" in drafted) == ("adapt(" in drafted["a.cpp"])


def test_functions_that_add_to_a_module(draft: Draft) -> None:
    header = '#include "pybind11/pybind11.h"\nnamespace py = pybind11;\nvoid more(py::module &);\n'
    main = '#include "more.h"\nPYBIND11_MODULE(p_C, m) {\n  n::more(m);\n  less(m);\n}\n'
    body = '#include "more.h"\nvoid more(pybind11::module_& sub) {\n  sub.def("f", &f);\n}\n'
    full = extension(sources=["b.cpp", "a.cpp"])
    files = {"more.h": header, "b.cpp": main, "a.cpp": body}
    drafted = draft(files, run("cpu", full), registered=[function("f")])
    library = "#include <torch/library.h>\n"
    assert drafted["more.h"].strip() == f"{library}void more(torch::Library&);"
    assert f"{library}\nvoid more(torch::Library& sub) {{" in drafted["a.cpp"]
    assert '  sub.impl("f", c10::kCPU, &f);' in drafted["a.cpp"]
    assert "(TORCH_EXTENSION_NAME, m) {\n  n::more(m);\n  // less(m);\n}" in drafted["b.cpp"]
    # Only a.cpp was read.
    assert lost(drafted) == ["its types are not known: the compiler did not read it"]


def test_registration_is_included_under_no_condition(draft: Draft) -> None:
    code = "#include <a>\n#ifdef X\n#include <b>\n#endif\nTORCH_LIBRARY(ns, m) {}\n"
    assert draft({"a.cpp": code})["a.cpp"].startswith('#include <a>\n#include "registration.h"\n')


def test_words_of_an_older_torch(draft: Draft) -> None:
    code = "AT_CHECK(a); AT_DISPATCH_FLOATING_TYPES(x.type(), f); y.type();"
    want = "TORCH_CHECK(a); AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), f); y.type();"
    assert want in draft({"a.cpp": code})["a.cpp"]


def test_overloads(draft: Draft) -> None:
    lines = 'm.def("f", [](at::Tensor x) { return x; }); m.def("f", &g);'
    text = f"PYBIND11_MODULE(X, m) {{ {lines} }}"
    found = [function("f", operator=f"f.{each}", place="a.cpp:1") for each in "ab"]
    drafted = draft({"a.cpp": text}, registered=found)
    assert lost(drafted) == []
    assert 'm.impl("f.a", c10::kCPU, [](at::Tensor x) { return x; });' in drafted["a.cpp"]
    assert 'm.impl("f.b", c10::kCPU, &g);' in drafted["a.cpp"]
    assert drafted["torch-ext/p/__init__.py"].count("f = ops.f") == 1
    library = 'TORCH_LIBRARY(p, m) { m.def("f", g); m.def("f", g); }'
    assert lost(draft({"a.cpp": library})) == []
    for code, count in ((text, 2), (text.replace(lines, 'm.def("f", &f);') + library, 1)):
        drafted = draft({"a.cpp": code}, registered=[function("f", place="a.cpp:1")] * count)
        assert lost(drafted) == ["`f` is defined twice: name one anew"]


def test_what_a_binding_registers_twice_or_not_at_all(draft: Draft) -> None:
    text = """#include <pybind11/pybind11.h>
static auto r = torch::RegisterOperators().op("ns::a", &a).op("ns::b", &b);
PyMODINIT_FUNC PyInit__C(void) { return nullptr; }
py::dict left(py::object x) { return {}; }
"""
    read = [function("a", kind="operator", schema="ns::a(int _0) -> int _0", place=None)]
    drafted = draft({"a.cpp": text}, registered=read)
    assert '  m.def("a", &a);\n  m.def("b", &b);\n}' in drafted["a.cpp"]
    assert "PyInit" not in drafted["a.cpp"]
    split = text.replace("r = t", "r =\n    t").replace("().op", "()\n        .op")
    assert draft({"a.cpp": split}, registered=read)["a.cpp"] == drafted["a.cpp"]
    # A header stays where something needs it.
    assert "<pybind11/pybind11.h>" in drafted["a.cpp"]
    assert [each for each in lost(drafted) if "pybind11 besides" in each]
    drafted = draft({"a.cpp": BINDING}, failed="a.h: No such file")
    assert lost(drafted) == ["its types are not known: a.h: No such file"]


def test_operators_take_tensors_of_each_device_that_they_have_sources_for(draft: Draft) -> None:
    text, found = BINDING.replace("int64_t", "at::Tensor"), [function("up")]
    runs = run("cpu", EMPTY), run("cuda", extension(**CUDA))
    drafted = draft({"a.cpp": text}, *runs, registered=found)["a.cpp"]
    devices = "constexpr c10::DeviceType kDevices[] = {c10::kCPU, c10::kCUDA};"
    assert f"#elif defined(CUDA_KERNEL)\n{devices}" in drafted
    assert 'for (auto device : kDevices) m.impl("up", device, &up);' in drafted
    drafted = draft({"a.cpp": text}, runs[1], registered=found)["a.cpp"]
    assert 'm.impl("up", c10::kCUDA, &up);' in drafted


def test_each_backend_that_compiles_code_has_a_device() -> None:
    backends = f"(import {path_of(ROOT / 'lib')}).backends.all"
    compiling = "builtins.attrNames backend.languages != [ ]"
    found = evaluate(f"builtins.mapAttrs (_: backend: {compiling}) {backends}")
    assert sorted(read_devices()) == sorted(name for name in found if found[name])


def test_torch_library_keeps_its_place(draft: Draft) -> None:
    code = """TORCH_LIBRARY(ns, m) { m.def("ns::f(Tensor x) -> ()"); }
TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl("f", &f); }
TORCH_LIBRARY_IMPL(aten, CPU, m) {}
"""
    text = draft({"a.cpp": code})["a.cpp"]
    new = 'TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) { m.def("f(Tensor x) -> ()"); }'
    assert new in text
    assert "TORCH_LIBRARY_IMPL_EXPAND(TORCH_EXTENSION_NAME, CPU, m)" in text
    assert "\nTORCH_LIBRARY_IMPL(aten, CPU, m) {}" in text
    # Macros of the project that are called as those of registration.h.
    header = "#define CAT(A, B) A##B\n#define TORCH_LIBRARY_EXPAND(N, M) \\\n TORCH_LIBRARY(N, M)\n"
    code = '#include "x/registration.h"\nTORCH_LIBRARY_EXPAND(CAT(TORCH_EXTENSION_NAME, _b), m) {'
    code += ' m.def("f(Tensor x) -> ()"); }\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n'
    package = {"p/__init__.py": "y = torch.ops.p_C_b.f", "p/_ops.py": ""}
    drafted = draft({"a.cpp": code, "x/registration.h": header, **package})
    assert drafted["x/project_registration.h"] == "#define CAT(A, B) A##B\n"
    want = f'#include "x/project_registration.h"\n#include "registration.h"\n\n{new}\n'
    assert drafted["a.cpp"] == want
    assert "\ny = ops.f" in drafted["torch-ext/p/__init__.py"]
    assert lost(drafted) == ["the build writes _ops.py: name this file anew, and its imports"]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"runs": {}}',
        '{"runs": [{}]}',
        "[" * 100_000,
        json.dumps({"runs": [run("cpu", extension(sources="a.cpp"))]}),
        json.dumps({"runs": [run("cpu", extension(name="x" * 9999))]}),
        json.dumps({"runs": [run("cpu", extension(flags=[]))]}),
        json.dumps({"runs": [run("cpu", extension(sources=["a"] * 20_001))]}),
        json.dumps({"runs": [run("cpu", extension(define_macros=[{}]))]}),
    ],
)
def test_hostile_records(text: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(text)
    with pytest.raises(KernelBuilderError, match="wrote another record"):
        read_record(file)


def test_a_huge_project_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.h").write_text("a" * 9)
    monkeypatch.setattr(project, "MAX_COPIED", 8)
    with pytest.raises(KernelBuilderError, match="too large"):
        open_project(tmp_path).copy(tmp_path / "copy")


def test_hostile_names(draft: Draft, tmp_path: Path) -> None:
    (tmp_path / "secret.cpp").write_text("not of p")
    root = write(tmp_path / "p", {"flake.nix": "not of p", "huge.cpp": "x" * 2**21})
    (root / "out.cpp").symlink_to(tmp_path / "secret.cpp")
    (root / "in.cpp").symlink_to("a.cpp")
    sources = ["a.cpp", "in.cpp", "out.cpp", "/etc/passwd", "../secret.cpp", "flake.nix"]
    sources.append("\x1b[2J.cpp")
    setup = {"packages": ["../..", {}], "package_dir": {"": "/etc", "x": 1}, "name": ["x"]}
    files = {"a.cpp": '#include "flake.nix"\n#include "huge.cpp"\n'}
    drafted = draft(files, run("cpu", extension(sources=sources), setup=setup))
    assert "not of p" not in "".join(drafted.values())
    assert 'src = ["a.cpp", "in.cpp"]' in drafted["build.toml"]
    assert (
        "it is a link out of the project, or to no file: it was not followed: `out.cpp`"
        in drafted["PORTING.md"]
    )
    assert "\x1b" not in "".join(drafted.values())
    assert not [name for name in drafted if name.startswith(("/", "..")) or "/../" in name]


def test_projects_without_anything(tmp_path: Path) -> None:
    with pytest.raises(KernelBuilderError, match="there is no project to read"):
        open_project(tmp_path / "missing")
    project = Project(tmp_path)
    assert not project.files
