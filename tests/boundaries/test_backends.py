"""A backend is one place: nobody else in the Nix code names it."""

import re
from pathlib import Path

from tests.boundaries.source_tree import code_of, files_of
from tests.evaluation import ROOT, evaluate, path_of

# Tables with a row for each Torch, and pins of Python packages that are called so.
LISTS = {
    "lib/matrix/matrix.json",
    "lib/matrix/torch-pins.json",
    "pkgs/python/python-packages/pins.json",
    "pkgs/python/python-packages/newer/pins.json",
}
OTHERS = (
    # The keys of older editions, which no new backend changes.
    "lib/config/editions",
    # HIP is CUDA with other names: flags of clang, and headers before hipify translates them.
    "backends/rocm",
    # Apple's compiler of shaders has this name.
    "pkgs/darwin/xcode",
    # These have the names of Torch's own headers.
    "tools/stable-abi-report/tables",
    "pkgs/torch/lean-headers/include",
    "pkgs/torch/torch-wheel/locks",
)


def backends() -> list[str]:
    return list(evaluate(f"builtins.attrNames (import {path_of(ROOT / 'lib')}).backends.all"))


def naming(root: Path, names: list[str]) -> dict[str, set[str]]:
    """Return the files that name a backend which is not theirs."""
    # Libraries of Torch, a page of the manual, and a variant as an example may be called so.
    spared = r"(?<![A-Za-z])(?<!torch_)(?<!docs/guide/)(?<!cxx11-)"
    word = re.compile(rf"{spared}(?:{'|'.join(names)})(?![a-z])")
    found: dict[str, set[str]] = {}
    for file in files_of(root):
        if file.name in LISTS or file.is_below(*OTHERS):
            continue
        if not file.is_below("lib", "backends", "pkgs", "tools/stable-abi-report"):
            continue
        named = set(word.findall(code_of(file)))
        own = {name for name in names if file.is_below(f"backends/{name}")}
        if named - own:
            found[file.name] = named - own
    return found


def test_nobody_names_a_backend_but_itself() -> None:
    assert naming(ROOT, backends()) == {}


# TVM FFI's own files, tables that have a row for each framework or dependency, and the comparison
# with the existing tool.
FRAMEWORKS = {
    "lib/config/dependencies.json",
    "lib/config/schema/sections.json",
    # A key of rows that published flakes have.
    "lib/matrix/row.nix",
    "pkgs/checks/check-abi/abi_check/libraries.json",
    "pkgs/checks/check-abi/abi_check/macos.json",
    "pkgs/checks/run-check/checking/frameworks.json",
    "pkgs/checks/symbol-lists-of.nix",
    "pkgs/compile/dependencies/default.nix",
    "pkgs/python/python-packages/pins.json",
    "pkgs/python/python-packages/newer/pins.json",
}


def test_nobody_names_a_framework_but_itself() -> None:
    """Torch's name is everywhere: it is what kernels are for. The other one's is not."""
    found = {
        file.name
        for file in files_of(ROOT)
        if file.is_below("lib", "backends", "pkgs", "tools")
        and re.search("tvm.?ffi", code_of(file), re.IGNORECASE)
        and not file.is_below("lib/frameworks", "pkgs/tvm-ffi", "tools/published_kernels")
    }
    assert found - FRAMEWORKS == set()


def test_a_name_is_found(tmp_path: Path) -> None:
    texts = {
        "lib/a.nix": 'x: x == "cuda"',
        "lib/b.nix": "# cuda\n/** cuda */\nx",
        "backends/cuda/c.nix": '"cuda"',
        "backends/xpu/default.nix": '"cuda"',
        "pkgs/d.py": '"""cuda"""\nX = 1  # cuda\n',
        "pkgs/e.sh": "# cuda\nnvcc --cuda\n",
        "pkgs/pins.json": '{"x": "barracuda"}',
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = ["backends/xpu/default.nix", "lib/a.nix", "pkgs/e.sh"]
    assert sorted(naming(tmp_path, ["cuda"])) == found
