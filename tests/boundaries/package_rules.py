"""The rules of the package set: its groups, their order, and the names of what is in them."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.boundaries.source_tree import files_of, split_nix

# Names of overlays/variants.nix, which each variant has its own value of.
OF_VARIANTS = {"toolkit", "toolkitPackages", "torch"}
# Names that are no packages: those of the base, too.
GIVEN = {"buildSet", "callPackage", "extend", "lib", "system", *OF_VARIANTS}
# The place of all backends in overlays/default.nix.
BACKENDS = "map groupOfBackend"


def attribute_of(entry: str) -> str:
    """Return the name in the package set of an entry of a group: overlays/group.nix in Python."""
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), entry.split(".")[0])


def _entries(root: Path) -> dict[str, set[str]]:
    """Return the entries of each group, by the group's folder. Git's ignored files do not count."""
    groups: dict[str, set[str]] = {}
    for file in files_of(root):
        found = re.match(r"(pkgs/[^/]+|backends/[^/]+/pkgs)/([^/]+)", file.name)
        # The Builder of a backend is not a package.
        if found and not (found[1].startswith("backends/") and found[2] == "default.nix"):
            groups.setdefault(found[1], set()).add(found[2])
    return groups


def _is_of_backend(group: str) -> bool:
    return group.startswith("backends/")


def _prefix_of(group: str) -> str:
    """Return the beginning of the names of a group's packages: `cuda-` for packages of CUDA."""
    return f"{group.split('/')[1]}-" if _is_of_backend(group) else ""


def _overlays(root: Path) -> str:
    """Return overlays/default.nix without comments."""
    code, _ = split_nix((root / "overlays" / "default.nix").read_text(encoding="utf-8"))
    return code


def _order(code: str) -> list[str]:
    """Return the groups in the order of overlays/default.nix. All backends have one place."""
    found = re.findall(rf"\.\./(pkgs/[\w./-]+)|({BACKENDS})", code)
    return [group or backends for group, backends in found]


def _packages(root: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield group, attribute and file of each package."""
    for group, entries in _entries(root).items():
        for entry in sorted(entries):
            path = root / group / entry
            attribute = attribute_of(_prefix_of(group) + entry)
            yield group, attribute, path / "default.nix" if path.is_dir() else path


def groups_hold_packages(root: Path) -> Iterator[str]:
    """An entry of a group is a folder with a default.nix, or a Nix file."""
    for group, entries in _entries(root).items():
        for entry in sorted(entries):
            path = root / group / entry
            if not (path / "default.nix").is_file() and path.suffix != ".nix":
                yield f"{group}/{entry}: not a package"


def packages_have_one_name(root: Path) -> Iterator[str]:
    """No two entries are one attribute."""
    seen: dict[str, str] = {}
    for _, attribute, path in _packages(root):
        name = path.relative_to(root).as_posix()
        if attribute in seen:
            yield f"{name}: the attribute of {seen[attribute]}, too"
        seen[attribute] = name


def packages_are_found_by_search(root: Path) -> Iterator[str]:
    """overlays/group.nix makes the attribute of a folder's name, so its file says the attribute."""
    for _, attribute, path in _packages(root):
        if not re.search(rf"\b{attribute}\b", path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(root).as_posix()}: does not name {attribute}"


def overlays_hold_only_order(root: Path) -> Iterator[str]:
    """overlays/ names each group of pkgs/ once and no package; only group.nix calls packages."""
    order = _order(_overlays(root))
    groups = {group for group in _entries(root) if not _is_of_backend(group)}
    for group in sorted({*order, *groups} - {BACKENDS}):
        if group.count("/") > 1 or not (root / group).is_dir():
            yield f"overlays/default.nix: {group} is not a group"
        elif order.count(group) != 1:
            yield f"overlays/default.nix: the group {group} stands there {order.count(group)} times"
    for path in sorted((root / "overlays").glob("*.nix")):
        code, _ = split_nix(path.read_text(encoding="utf-8"))
        if path.name != "group.nix" and "callPackage" in code:
            yield f"overlays/{path.name}: calls a package"
        if path.name != "default.nix" and re.search(r"\.\./pkgs", code):
            yield f"overlays/{path.name}: reaches into pkgs"


def packages_take_what_comes_before(root: Path) -> Iterator[str]:
    """A package takes packages of its own group and of earlier ones, and none of other backends."""
    place = {group: number for number, group in enumerate(_order(_overlays(root)))}

    def place_of(group: str) -> int:
        return place[BACKENDS if _is_of_backend(group) else group]

    # These packages are made once for all variants.
    foundations = _order(re.split(r"\bin\s+foundations\b", _overlays(root))[0])
    packages = list(_packages(root))
    group_of = {attribute: group for group, attribute, _ in packages}
    builders = [
        (path.parent.relative_to(root).as_posix(), "", path)
        for path in sorted(root.glob("backends/*/pkgs/default.nix"))
    ]
    for group, _, path in [*packages, *builders]:
        code, _ = split_nix(path.read_text(encoding="utf-8"))
        arguments = re.match(r"\s*\{([^}]*)\}\s*:", code)
        name = path.relative_to(root).as_posix()
        if arguments is None:
            yield f"{name}: is not a function of the names that it takes"
            continue
        for taken in re.findall(r"[\w-]+", arguments[1]):
            owner = group_of.get(taken, group)
            if taken not in GIVEN and taken not in group_of:
                yield f"{name}: takes {taken}, which is no package"
            elif taken in OF_VARIANTS and group in foundations:
                yield f"{name}: takes {taken}, but is the same for all variants"
            elif place_of(owner) > place_of(group):
                yield f"{name}: takes {taken} of the later group {owner}"
            elif owner != group and _is_of_backend(owner):
                yield f"{name}: takes {taken} of the backend {owner.split('/')[1]}"


Rule = Callable[[Path], Iterator[str]]

PACKAGE_RULES: Final[tuple[Rule, ...]] = (
    groups_hold_packages,
    packages_have_one_name,
    packages_are_found_by_search,
    overlays_hold_only_order,
    packages_take_what_comes_before,
)
