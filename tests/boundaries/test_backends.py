"""A backend is one place that nobody else names; a module of the library is found by its name."""

import json
import re
from pathlib import Path

from tests.boundaries.source_tree import code_of, files_of, split_nix
from tests.evaluation import ROOT, evaluate, path_of

# Tables with a row for each Torch, and pins and names of Python that are called so.
LISTS = {
    "pkgs/checks/check-registration/registration_check/newer-names.json",
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
    "tools/stable_abi_report/tables",
    "pkgs/torch/lean-headers/include",
    "pkgs/torch/torch-wheel/locks",
    # Answers of Torch and words of setup.py files, which have these names.
    "pkgs/porting",
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
        if not file.is_below("lib", "backends", "pkgs"):
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
    "lib/matrix/row-keys.json",
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


def read_code(file: str) -> str:
    """Return a Nix file without its comments and strings."""
    code, _ = split_nix((ROOT / file).read_text(encoding="utf-8"))
    return code


def listed_modules() -> dict[str, str]:
    """Return the modules that lib/modules.json lists, with their files."""
    found = {}
    for group in json.loads((ROOT / "lib/modules.json").read_text(encoding="utf-8")):
        for name, path in group["modules"].items():
            place = path.removeprefix("../") if path.startswith("../") else f"lib/{path}"
            file = place if path.endswith(".nix") else f"{place}/default.nix"
            found[f"{group['stage']}.{name}"] = file
    return found


def file_of(module: str) -> str:
    """Return a pattern for the file of `stage.module`."""
    stage, name = module.split(".")
    if name == "all":
        return rf"(lib/)?{stage}/default\.nix"
    name = re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name)
    return rf"lib/{stage}/(.*/)?{name}(/default)?\.nix"


def test_a_module_has_the_name_of_its_file() -> None:
    names = "stage: map (name: {inherit stage name;}) (builtins.attrNames library.${stage})"
    library = f"library = import {path_of(ROOT / 'lib')};"
    found = evaluate(f"let {library} in builtins.concatMap ({names}) (builtins.attrNames library)")
    modules = listed_modules()
    assert sorted(modules) == sorted(f"{each['stage']}.{each['name']}" for each in found)
    misnamed = [file for name, file in modules.items() if not re.fullmatch(file_of(name), file)]
    assert misnamed == []


def test_modules_name_the_stages_that_they_take() -> None:
    # These two pass the library on to the files of their folders.
    passing = {"backends/default.nix", "lib/frameworks/default.nix"}
    whole = re.compile(r"@\s*library\b|^library:", re.MULTILINE)
    files = listed_modules().values()
    assert {file for file in files if whole.search(read_code(file))} == passing
