"""Nothing in the library is there for tests alone."""

from __future__ import annotations

import re
from pathlib import Path

from tests.boundaries.source_tree import files_of, split_nix
from tests.evaluation import ROOT, evaluate, path_of

LIB = f"(import {path_of(ROOT / 'lib')})"


def symbols() -> dict[str, list[str]]:
    """Return the public symbols of each module, by `stage.module`."""
    names_of = "builtins.mapAttrs (_: builtins.mapAttrs (_: builtins.attrNames))"
    stages = dict(evaluate(f"{names_of} {LIB}"))
    return {
        f"{stage}.{module}": names
        for stage, modules in stages.items()
        for module, names in modules.items()
    }


def texts() -> dict[str, str]:
    """Return the code that may use the library and is not a test, without comments."""
    found = {}
    for file in files_of(ROOT):
        if file.suffix == ".nix" and not file.is_below("tests", "examples"):
            code, strings = split_nix(file.text or "")
            found[file.name] = "\n".join((code, *strings))
        elif file.is_below("python/src") and file.suffix == ".py":
            found[file.name] = file.text or ""
    return found


def own_file(module: str) -> re.Pattern[str]:
    """Return a pattern for the path of the file of `stage.module`."""
    stage, name = module.split(".")
    if name == "all":
        return re.compile(rf"(lib/)?{stage}/default\.nix")
    name = re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name)
    return re.compile(rf"lib/{stage}/(.*/)?{name}(/default)?\.nix")


def is_used(module: str, symbol: str, code: dict[str, str]) -> bool:
    """Return whether anything but a test names a symbol."""
    name = module.split(".")[1]
    by_name = re.compile(
        rf"\b{name}\.{symbol}\b|inherit\s*\([^)]*\b{name}\)[^;]*(?<![-\w]){symbol}(?![-\w])"
    )
    # build.toml's keys name types as words.
    by_key = re.compile(rf'\btype = "{symbol}"|^{symbol}$', re.MULTILINE)
    itself = re.compile(rf"\bself\.{symbol}\b")
    own = own_file(module)
    return any(
        by_name.search(text)
        or (name == "types" and by_key.search(text))
        or (own.fullmatch(path) and itself.search(text))
        for path, text in code.items()
    )


def unused() -> list[str]:
    """Return the public symbols that only tests name."""
    code = texts()
    return [
        f"{module}.{symbol}"
        for module, names in symbols().items()
        # Backends and frameworks are looked up by the names in build.toml.
        if not module.endswith(".all")
        for symbol in names
        if not is_used(module, symbol, code)
    ]


def modules() -> dict[str, str]:
    """Return the modules that lib/default.nix lists, with their files."""
    code, _ = split_nix((ROOT / "lib" / "default.nix").read_text(encoding="utf-8"))
    found = {}
    for name, up, path in re.findall(r"(\w+) = \.(\.?)/([\w./-]+);", code):
        stage = path.split("/")[0]
        place = path if up else f"lib/{path}"
        found[f"{stage}.{name}"] = place if path.endswith(".nix") else f"{place}/default.nix"
    return found


def test_a_module_is_called_as_its_file() -> None:
    assert sorted(modules()) == sorted(symbols())
    assert [file for name, file in modules().items() if not own_file(name).fullmatch(file)] == []


def test_modules_name_the_stages_that_they_take() -> None:
    # These two pass the library on to the files of their folders.
    passing = {"backends/default.nix", "lib/frameworks/default.nix"}
    whole = re.compile(r"@\s*library\b|^library:", re.MULTILINE)
    code = texts()
    assert {file for file in modules().values() if whole.search(code[file])} == passing


def test_every_file_of_the_library_is_read() -> None:
    code = texts()
    listed = {"lib/default.nix", *modules().values()}
    read = {
        (Path(name).parent / path).as_posix()
        for name, text in code.items()
        if name.startswith(("lib/", "backends/"))
        for path in re.findall(r"(?<![\w.])\./([\w./-]+)", text)
    }
    # backends/default.nix reads the folders of backends.
    of_backend = re.compile(
        r"backends/[^/]+/(default\.nix|(checks|dependencies)\.json|releases/[^/]+\.json)"
    )
    reached = listed | read | {f"{path}/default.nix" for path in read}
    files = {
        file.name
        for file in files_of(ROOT)
        if file.is_below("lib", "backends")
        and not file.is_package
        and not of_backend.fullmatch(file.name)
        and file.path.name != "ruff.toml"
    }
    assert sorted(files - reached) == []


def test_every_public_function_has_a_caller() -> None:
    assert unused() == []


def test_what_nobody_calls_is_found() -> None:
    code = {"lib/a.nix": "versions.atLeast", "lib/values/versions.nix": "self.flat"}
    assert is_used("values.versions", "atLeast", code)
    assert is_used("values.versions", "flat", code)
    assert not is_used("values.versions", "newest", code)
    assert is_used("values.lists", "unique", {"x": "inherit (values.lists)\n  unique;"})
