"""Compares the public Python names and the operators of two builds.

Files are parsed by griffe and never run.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import griffe

from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.machine.files import list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.result import METADATA

# Clients look into it by name, listed or not.
LAYERS: Final = "layers"
UNREADABLE: Final = (
    AttributeError, LookupError, SyntaxError, TypeError, ValueError, RecursionError, MemoryError,
    griffe.GriffeError, KernelBuilderError,
)  # fmt: skip
_VERSION: Final = re.compile(r"v([1-9][0-9]*)")
# The name of an operator, its arguments, and the type that it returns.
_SCHEMA: Final = re.compile(r"([^(\s]+)\((.*)\) -> (.+)", re.DOTALL)
# The text between commas that are in no brackets or quotes.
_ARGUMENT: Final = re.compile(r'(?:"[^"]*(?:"|\Z)|\([^)]*(?:\)|\Z)|\[[^\]]*(?:\]|\Z)|[^,])+')


@dataclass(frozen=True)
class ApiChange:
    """A difference of one public name. `breaking`: the branch of a version refuses it."""

    name: str
    change: str
    breaking: bool

    def __str__(self) -> str:
        return f"  {'breaking' if self.breaking else 'listed':<9} {self.name}: {self.change}"


def check_api(
    download: Callable[..., object], remote: Mapping[str, Any], published: list[str],
    bundle: Bundle, branch: str, repo: str,
) -> list[dict[str, Any]]:  # fmt: skip
    """Compare a build with the published variant of the closest name; return the changes as data.

    `download` fetches some of the files `remote` of the branch. Raises KernelBuilderError if the
    build cannot be read, or if it would break code that uses the branch of a version.
    """
    # The first variant of a published name, or of any.
    new = min(bundle.variants, key=lambda each: each.name not in published)
    try:
        read_package(new.folder)
    except UNREADABLE as error:
        problem = Problem(new.name, str(error), "a package", "correct it, and build again")
        raise KernelBuilderError(f"{new.name} cannot be read", [problem]) from None
    (old,) = get_close_matches(new.name, sorted(published), n=1, cutoff=0)
    at = f"build/{old}"
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        read = [it for it in remote if it.startswith(f"{at}/") and it.endswith((".py", METADATA))]
        download({path: remote[path] for path in read}, Path(folder))
        try:
            changes = compare_variants(BuiltVariant(old, Path(folder, at)), new)
        except UNREADABLE as error:
            complain("warning", f"{branch} is not compared with this build: {at}: {error}")
            return []
    listed = "\n".join(map(str, changes)) or "  no public name is different"
    say(f"{branch}, compared with {at}:\n{listed}")
    broken = "\n".join(f"{each.name}: {each.change}" for each in changes if each.breaking)
    if broken and (version := _VERSION.fullmatch(branch)):
        fix = (
            f"state version = {int(version[1]) + 1} in [general] of build.toml and build again "
            "(it goes to a branch of its own), or put back what is missing"
        )
        at = f"{repo}, branch {branch}, {at}"
        problem = Problem(at, broken, "the names that it has", fix)
        raise KernelBuilderError(f"this would break code that uses {branch}", [problem])
    return [vars(each) for each in changes]


def compare_variants(old: BuiltVariant, new: BuiltVariant) -> list[ApiChange]:
    """Return how the API of a variant differs from an old one's, breaking changes first.

    Operators are compared within one backend, if the old package has a public `ops` and both state
    their operators. Raises one of UNREADABLE if a variant cannot be read.
    """
    package = read_package(old.folder)
    public, changes = list_public(package), compare_packages(package, read_package(new.folder))
    backends = {each.metadata["backend"]["type"] for each in (old, new)}
    schemas: list[Any] = [each.metadata.get("operators") for each in (old, new)]
    if "ops" in public and len(backends) == 1 and None not in schemas:
        changes |= {*compare_operators(*schemas)}
    return sorted(changes, key=lambda each: (not each.breaking, each.name, each.change))


def read_package(folder: Path) -> Any:
    """Return griffe's module of the package in a folder."""
    if "__init__.py" not in list_files(folder):
        raise ValueError("there is no __init__.py")
    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    loader = griffe.GriffeLoader(search_paths=[folder.parent], allow_inspection=False)
    package = loader.load(folder.name, try_relative_path=False)
    loader.resolve_aliases(implicit=True, external=False)
    return package


def compare_packages(old: Any, new: Any) -> set[ApiChange]:
    """Return the differences between two packages. A public name that is gone is breaking."""
    was, now = list_public(old), list_public(new)
    # A first `__all__` may leave out names that can still be imported.
    kept = [*now, *([] if old.exports else new.members)]
    gone = [name for name in was if name not in kept]
    changes = {ApiChange(name, "is gone", breaking=True) for name in gone}
    changes |= {ApiChange(name, "is new", breaking=False) for name in now if name not in was}
    # griffe compares all submodules, and of other names those in `exports`.
    for name in [name for name in old.members if name not in was or name in gone]:
        old.del_member(name)
    old.exports = list(was)
    for found in griffe.find_breaking_changes(old, new):
        removed = found.kind is griffe.BreakageKind.OBJECT_REMOVED
        # An attribute of a class may be an annotation of what the class inherits.
        is_field = found.obj.is_attribute and bool(found.obj.parent and found.obj.parent.is_class)
        values = (getattr(each, "name", each) for each in (found.old_value, found.new_value))
        texts = dict.fromkeys(str(each) for each in values if each is not None)
        name = found.obj.path.removeprefix(f"{found.obj.package.path}.")
        change = f"{found.kind.value}: {' -> '.join(texts)}"
        # The generated module has other names in each build.
        if not name.startswith("_ops."):
            changes.add(ApiChange(name, change, removed and not is_field))
    return changes


def list_public(module: Any) -> list[str]:
    """Return the names in `__all__`; without, the package's own without an underscore."""
    stated = getattr(module.members.get("__all__"), "value", None)
    names = [str(name) for name in module.exports or ()]
    # griffe takes a computed `__all__` for an empty one.
    if not names and str(stated) not in ("[]", "()"):
        names = [
            name
            for name, each in module.members.items()
            if name[0] != "_"
            and (not each.is_alias or each.target_path.startswith(f"{module.path}."))
        ]
    return list(dict.fromkeys([*names, *({LAYERS} & module.members.keys())]))


def compare_operators(old: Sequence[str], new: Sequence[str]) -> Iterator[ApiChange]:
    """Yield the differences between two lists of Torch's operator schemas.

    An operator that is gone, or takes less than before, is breaking. Raises ValueError for a text
    that is no schema.
    """
    before, after = ({_parse(each)[0]: each for each in listed} for listed in (old, new))
    for name in {**before, **after}:
        if name not in before:
            yield ApiChange(f"ops.{name}", "is new", breaking=False)
        elif name not in after:
            yield ApiChange(f"ops.{name}", "is gone", breaking=True)
        elif before[name] != after[name]:
            narrower = _is_narrower(before[name], after[name])
            text = f"{'takes less' if narrower else 'is different'}: {after[name]}"
            yield ApiChange(f"ops.{name}", text, narrower)


def _parse(schema: str) -> tuple[str, list[tuple[str, bool]], str]:
    """Return name, arguments (type and name, whether there is a default) and type of a schema."""
    parts = _SCHEMA.fullmatch(schema)
    if parts is None:
        raise ValueError(f"{schema!r} is no schema of an operator")
    words = [word.strip().partition("=") for word in _ARGUMENT.findall(parts[2])]
    # The mark that arguments by name alone follow is no argument.
    return parts[1], [(word, bool(equals) or word == "*") for word, equals, _ in words], parts[3]


def _is_narrower(old: str, new: str) -> bool:
    """Return True unless arguments were only added at the end, made optional, or both."""
    (_, before, gave), (_, after, gives) = _parse(old), _parse(new)
    kept = all(
        word in (was, "? ".join(was.rsplit(" ", 1))) and has_default >= had_default
        for (was, had_default), (word, has_default) in zip(before, after)
    )
    added_required = not all(has_default for _, has_default in after[len(before) :])
    return gave != gives or len(after) < len(before) or not kept or added_required
