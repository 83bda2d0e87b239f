"""Run the layout check: `python3 -m layout_check --by-name FILE [--variant NAME] FOLDER`."""

import argparse
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from checking.problem import Problem, tell
from checking.variant import Variant

from layout_check.metadata import check_metadata

BYTECODE = (".pyc", ".pyo")
LEFTOVERS = (
    "__pycache__",
    ".DS_Store",
    ".git",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
)
# The ending of extensions of all frameworks.
EXTENSION = ".so"


def check_name(variant: Variant) -> "list[Problem]":
    """Return a problem if no client looks for a variant of this name."""
    if variant.is_known:
        return []
    want = "a name such as torch213-cxx11-cpu-x86_64-linux"
    return [Problem("the folder", variant.name, want, "let the folder have the name it was built with")]


def check_needed(variant: Variant) -> "Iterator[Problem]":
    """Check that the extension, `_ops.py`, `__init__.py` and the package with the kernel's name exist."""
    metadata = variant.read_metadata()
    name = variant.python_name
    for file in ("__init__.py", "_ops.py", f"{name}/__init__.py"):
        if name and not (variant.folder / file).is_file():
            fix = (
                f"write {variant.framework.folder}/{name}/__init__.py"
                if file == "__init__.py"
                else "build it with kernel-builder"
            )
            yield Problem(file, "no such file", "a file of this name in every variant", fix)
    identity = str(metadata.get("id", ""))
    ops = variant.folder / "_ops.py"
    use = variant.framework.use.format(module=identity)
    if identity and ops.is_file() and not re.search(rf"\b{re.escape(use)}\b", ops.read_text()):
        yield Problem(
            at="_ops.py",
            found=f"nothing of {use}",
            want="the namespace that metadata.json has as id",
            fix="build it with kernel-builder",
        )
    yield from _check_extensions(variant, name, identity)


def _check_extensions(variant: Variant, name: str, identity: str) -> "Iterator[Problem]":
    ending = variant.framework.ending
    extensions = sorted(path.name for path in variant.folder.glob(f"*{ending}"))
    if variant.is_noarch:
        wanted, text = [], "none: the variant is for kernels without compiled code"
    else:
        wanted, text = [f"{identity}{ending}"], f"exactly one, _{name}_{variant.backend}_<uid>{ending}"
    if identity and extensions != wanted:
        yield Problem(
            at=f"the {ending} files",
            found=", ".join(extensions) or "none",
            want=text,
            fix="build it with kernel-builder; sources are listed in build.toml",
        )


def check_package(variant: Variant, by_name: str) -> "Iterator[Problem]":
    """Check that the package with the kernel's name has only the builder's file."""
    name = variant.python_name
    package = variant.folder / name
    if not name or not package.is_dir():
        return
    sources = f"{variant.framework.folder}/{name}/{name}"
    others = [path.name for path in sorted(package.iterdir()) if path.name != "__init__.py"]
    if others:
        yield Problem(
            at=f"{name}/",
            found=", ".join(others),
            want="only the __init__.py that the builder puts there, for clients that import by name",
            fix=f"put the files of {sources}/ one folder higher, or give their folder another name",
        )
    file = package / "__init__.py"
    if file.is_file() and file.read_text() != by_name:
        yield Problem(
            at=f"{name}/__init__.py",
            found="another text than the builder's",
            want="the module that stands for the whole variant",
            fix=f"rename the kernel's own package {sources}",
        )


def check_tree(variant: Variant) -> "Iterator[Problem]":
    """Check for bytecode, caches, empty folders, links, parts of other variants and odd permissions."""
    for path in sorted(variant.folder.rglob("*")):
        place = path.relative_to(variant.folder).as_posix()
        # The problem with a forbidden folder covers its files.
        if any(part in LEFTOVERS for part in Path(place).parts[:-1]):
            continue
        yield from _check_entry(path, place)


def _check_entry(path: Path, place: str) -> "Iterator[Problem]":
    mode = path.lstat().st_mode
    if path.suffix in BYTECODE or path.name in LEFTOVERS:
        found = "bytecode" if path.suffix in BYTECODE or path.name == "__pycache__" else "a leftover of another program"
        yield Problem(place, found, "only what was built", "remove it, and build again if it came with the build")
        return
    if stat.S_ISLNK(mode):
        found = f"a symbolic link to {path.readlink()}"
        yield Problem(place, found, "files", "put the file itself there: links do not survive an upload")
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        yield Problem(place, "no file and no folder", "files", "remove it")
        return
    if path.is_dir() and not any(path.iterdir()):
        yield Problem(place, "an empty folder", "folders with files", "remove it: an upload leaves it out")
    if "/" in place and (path.name == "metadata.json" or path.name.endswith(EXTENSION)):
        found = "a part of another variant" if path.name == "metadata.json" else "an extension in a folder"
        yield Problem(place, found, "one variant, with its extension at the top", "remove it")
    wanted = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
    wanted |= stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH if path.is_dir() else 0
    unwanted = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX | stat.S_IWOTH
    if mode & wanted != wanted or mode & unwanted:
        want = "755 or 555" if path.is_dir() else "644, 755, 444 or 555"
        yield Problem(place, f"mode {stat.S_IMODE(mode):o}", want, f"chmod {'755' if path.is_dir() else '644'}")


def main(arguments: "list[str]") -> int:
    """Check the files of a variant and return the exit status."""
    parser = argparse.ArgumentParser(prog="layout_check", description=__doc__)
    parser.add_argument("--variant", help="the name of the variant (default: the folder's)")
    parser.add_argument(
        "--compiled",
        action=argparse.BooleanOptionalAction,
        help="whether the variant has compiled code (default: as its name says)",
    )
    parser.add_argument("--by-name", type=Path, required=True, help="what <name>/__init__.py has to be")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    variant = Variant(options.folder, options.variant or options.folder.resolve().name, options.compiled)
    problems = [
        *check_name(variant),
        *check_metadata(variant),
        *check_needed(variant),
        *check_package(variant, options.by_name.read_text()),
        *check_tree(variant),
    ]
    status = tell(f"{variant.name} is not laid out as a variant", problems)
    if not status:
        files = sum(path.is_file() for path in variant.folder.rglob("*"))
        print(f"layout: {files} files, metadata and digest as the client reads them")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
