"""Each module of the library is found by its name, and names the stages that it takes."""

import re

from tests.boundaries.source_tree import split_nix
from tests.evaluation import ROOT, evaluate, path_of


def read_code(file: str) -> str:
    """Return a Nix file without its comments and strings."""
    code, _ = split_nix((ROOT / file).read_text(encoding="utf-8"))
    return code


def listed_modules() -> dict[str, str]:
    """Return the modules that lib/default.nix lists, with their files."""
    found = {}
    for name, up, path in re.findall(r"(\w+) = \.(\.?)/([\w./-]+);", read_code("lib/default.nix")):
        place = path if up else f"lib/{path}"
        file = place if path.endswith(".nix") else f"{place}/default.nix"
        found[f"{path.split('/')[0]}.{name}"] = file
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
