"""Imports of the command line lead one way: between modules, between folders, between commands."""

import ast
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from kernel_builder.extras import TABLE
from tests.evaluation import ROOT

SOURCE = ROOT / "python" / "src"
PACKAGE = "kernel_builder"
# Modules that commands share.
SHARED = {f"{PACKAGE}.commands.{name}" for name in ("options", "results")}


def read_imports(source: Path) -> dict[str, set[str]]:
    """Return the modules that each module imports, also in functions, but not for types alone."""
    modules = {}
    for file in (source / PACKAGE).rglob("*.py"):
        if "templates" not in file.parts:
            name = ".".join(file.relative_to(source).with_suffix("").parts)
            modules[name.removesuffix(".__init__")] = ast.parse(file.read_text())
    imports: dict[str, set[str]] = {name: set() for name in modules}
    for name, tree in modules.items():
        todo: list[ast.AST] = [tree]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            todo += ast.iter_child_nodes(node)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                longer = (f"{node.module}.{alias.name}" for alias in node.names)
                imports[name] |= {each if each in modules else str(node.module) for each in longer}
        imports[name].discard(name)
    return imports


def find_circle(arrows: Mapping[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def fold(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows between folders; a module of the package itself is one, too."""

    def place(module: str) -> str:
        return ".".join(module.split(".")[:2])

    arrows: dict[str, set[str]] = {}
    for name, others in imports.items():
        arrows.setdefault(place(name), set()).update(set(map(place, others)) - {place(name)})
    return arrows


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    return read_imports(SOURCE)


def test_no_circle(imports: Mapping[str, set[str]]) -> None:
    assert len(imports) > 50
    assert find_circle(imports) == []
    assert find_circle(fold(imports)) == []


def test_no_command_imports_another(imports: Mapping[str, set[str]]) -> None:
    commands = {name for name in imports if name.startswith(f"{PACKAGE}.commands.")}
    found = {name: each for name in commands if (each := imports[name] & commands - SHARED)}
    assert found == {}


def find_crossings(imports: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Return imports of an extra by the core or by another extra."""

    def extra_of(module: str) -> str:
        folder = [*module.split("."), ""][1]
        return folder if folder in TABLE else ""

    return {
        (name, other)
        for name, others in imports.items()
        for other in others
        if extra_of(other) and extra_of(other) != extra_of(name)
    }


def test_extras_import_the_core_alone(imports: Mapping[str, set[str]]) -> None:
    assert {name.split(".")[1] for name in imports if "." in name} > TABLE.keys()
    assert find_crossings(imports) == set()
    core, extra = f"{PACKAGE}.kernel.folder", f"{PACKAGE}.trust.verify"
    assert find_crossings({core: {extra}, extra: {core}}) == {(core, extra)}
    assert find_crossings({f"{PACKAGE}.report": {extra}})


def test_one_module_of_the_core_names_extras() -> None:
    """All that no statement imports is loaded by its name."""
    found = {
        file.relative_to(SOURCE / PACKAGE).as_posix()
        for file in (SOURCE / PACKAGE).rglob("*.py")
        if "templates" not in file.parts and "import_module" in file.read_text()
    }
    # Kernels are loaded by the import check, commands by their group, the API by its first use.
    # Porting finds such calls in a project's files.
    others = {name for name in found if not name.startswith("import_check/")}
    assert others == {"__init__.py", "commands/group.py", "extras.py", "porting/python_files.py"}


def test_circles_are_found(tmp_path: Path) -> None:
    for folder, other in (("a", "b"), ("b", "a")):
        module = tmp_path / PACKAGE / folder / "m.py"
        module.parent.mkdir(parents=True)
        module.write_text(f"def f():\n    from {PACKAGE}.{other}.n import x\n")
        module.with_name("n.py").write_text("")
    found = read_imports(tmp_path)
    assert find_circle(found) == []
    assert len(find_circle(fold(found))) == 3
