"""`tools/bin/lock-newer-names`: writes the names that newer Pythons have and the oldest lacks.

The answer is typeshed's, in mypy: its stubs say which version of Python a module or name came with.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import click

from kernel_builder.kernel.builder import find_root
from lock.pins import dump, write_whole
from lock.start import start

FILE: Final = "pkgs/checks/check-registration/registration_check/newer-names.json"
OLDEST, NEWEST = (3, 10), (3, 14)
VERSIONS = [(3, minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
Version = tuple[int, int]


class Stubs:
    """The stubs of Python's own modules."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lines = re.findall(r"^([\w.]+): 3\.(\d+)-", (folder / "VERSIONS").read_text(), re.MULTILINE)
        self.since = {name: (3, int(minor)) for name, minor in lines}

    def list_modules(self) -> Iterator[tuple[str, Path]]:
        """Yield the public modules, with the files of their stubs."""
        for file in sorted(self.folder.rglob("*.pyi")):
            parts = file.relative_to(self.folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if not any(part.startswith("_") for part in name.split(".")):
                yield name, file

    def find_start(self, module: str) -> Version:
        """Return the first version with a module."""
        parts = module.split(".")
        inside = (".".join(parts[:length]) for length in range(1, len(parts) + 1))
        return max(self.since.get(name, (3, 0)) for name in inside)

    def list_names(self, module: str, file: Path, version: Version) -> set[str]:
        """Return the public names of a module in a version of Python."""
        found: set[str] = set()
        for node in _walk(ast.parse(file.read_text()).body, version):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                found.add(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                found |= self._list_names_of(module, file, node, version)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        return {name for name in found if not name.startswith("_")}

    def _list_names_of(
        self, module: str, file: Path, node: ast.ImportFrom, version: Version
    ) -> set[str]:
        around = module.split(".")[: None if file.name == "__init__.pyi" else -1]
        parts = [*around[: len(around) + 1 - node.level], *(node.module or "").split(".")]
        full = parts if node.level else (node.module or "").split(".")
        place = self.folder.joinpath(*full)
        other = place / "__init__.pyi" if place.is_dir() else place.with_suffix(".pyi")
        return self.list_names(".".join(full), other, version)


def _walk(body: list[ast.stmt], version: Version) -> Iterator[ast.stmt]:
    """Yield the statements that count in a version of Python, on any system."""
    for node in body:
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            if "version_info" in test:
                names = {"sys": SimpleNamespace(version_info=version, platform="linux")}
                chosen = node.body if eval(test, names) else node.orelse
                yield from _walk(chosen, version)
            else:
                yield from _walk([*node.body, *node.orelse], version)
        else:
            yield node


def collect(folder: Path) -> dict[str, str | dict[str, str]]:
    """Return the first version of each module, or of its names, that the oldest Python lacks."""
    stubs, table = Stubs(folder), {}
    for module, file in stubs.list_modules():
        start, versions = stubs.find_start(module), {}
        before = stubs.list_names(module, file, OLDEST)
        for version in VERSIONS[1:]:
            added = stubs.list_names(module, file, version) - before
            if added:
                versions[_show(version)] = " ".join(sorted(added))
            before |= added
        if start > OLDEST or versions:
            table[module] = _show(start) if start > OLDEST else versions
    return table


def _show(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


@click.command()
@click.argument("typeshed", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(typeshed: Path) -> None:
    """Renew the table from the folder TYPESHED, such as mypy/typeshed of a Python with mypy."""
    write_whole(find_root() / FILE, dump(collect(typeshed / "stdlib")))


if __name__ == "__main__":
    start(main)
