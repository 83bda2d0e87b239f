"""The rules of the package set: its groups, their order, and the names of what is in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.boundaries.source_tree import files_of, split_nix

# More in one folder are no order any more.
MOST = 15
# Taken by packages of any group: the base of the set, and what overlays/variants.nix defines.
GIVEN = {
    "backends",
    "buildSet",
    "callPackage",
    "extend",
    "lib",
    "system",
    "toolkit",
    "toolkitPackages",
    "torch",
}
KEBAB_CASE = re.compile(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*")


def attribute_of(entry: str) -> str:
    """Return the name in the package set of an entry of a group: overlays/group.nix in Python."""
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), entry.split(".")[0])


def _entries(root: Path) -> dict[str, set[str]]:
    """Return each group's entries, as far as git would keep something of them."""
    groups: dict[str, set[str]] = {}
    for file in files_of(root):
        parts = Path(file.name).parts
        if parts[0] == "pkgs" and len(parts) > 2:
            groups.setdefault(parts[1], set()).add(parts[2])
    return groups


def _order(root: Path) -> list[str]:
    """Return the groups as overlays/default.nix has them."""
    code, _ = split_nix((root / "overlays" / "default.nix").read_text(encoding="utf-8"))
    return re.findall(r"\.\./pkgs/([\w./-]+)", code)


def _packages(root: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield each package's group and attribute, and the file that defines it."""
    for group, entries in _entries(root).items():
        for entry in sorted(entries):
            path = root / "pkgs" / group / entry
            yield group, attribute_of(entry), path / "default.nix" if path.is_dir() else path


def groups_hold_packages(root: Path) -> Iterator[str]:
    """An entry of a group is a folder with a default.nix, or a Nix file, in kebab-case."""
    for group, entries in _entries(root).items():
        for entry in sorted(entries):
            path = root / "pkgs" / group / entry
            if not (path / "default.nix").is_file() and path.suffix != ".nix":
                yield f"pkgs/{group}/{entry}: not a package"
            elif not KEBAB_CASE.fullmatch(entry.removesuffix(".nix")):
                yield f"pkgs/{group}/{entry}: not in kebab-case"


def groups_are_short(root: Path) -> Iterator[str]:
    """No folder of the package set has so many entries that nobody reads the list.

    A backend's group is found by the backend's name, and not by reading.
    """
    groups = _entries(root)
    backends = {file.stem for file in (root / "lib" / "backends").glob("*")}
    folders = {
        "pkgs": set(groups) - backends,
        **{f"pkgs/{group}": groups[group] for group in groups},
    }
    for folder, entries in folders.items():
        if len(entries) > MOST:
            yield f"{folder}: {len(entries)} entries, more than {MOST}"


def packages_have_one_name(root: Path) -> Iterator[str]:
    """No two entries are one attribute, and the type of a package is that of its attribute."""
    seen: dict[str, str] = {}
    for _, attribute, path in _packages(root):
        name = path.relative_to(root).as_posix()
        if attribute in seen:
            yield f"{name}: the attribute of {seen[attribute]}, too"
        seen[attribute] = name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            for found in re.findall(r"^ +```\n +(\w+) ::", text, re.MULTILINE):
                if found != attribute:
                    yield f"{name}: its type is called {found}"


def overlays_hold_only_order(root: Path) -> Iterator[str]:
    """overlays/ names each group once and no package; only group.nix calls packages."""
    order = _order(root)
    for group in sorted({*order, *_entries(root)}):
        if "/" in group or not (root / "pkgs" / group).is_dir():
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
    """A package takes packages of its own group and of groups before it."""
    place = {group: number for number, group in enumerate(_order(root))}
    packages = list(_packages(root))
    group_of = {attribute: group for group, attribute, _ in packages}
    for group, _, path in packages:
        code, _ = split_nix(path.read_text(encoding="utf-8"))
        arguments = re.match(r"\s*\{([^}]*)\}\s*:", code)
        name = path.relative_to(root).as_posix()
        if arguments is None:
            yield f"{name}: is not a function of the names that it takes"
            continue
        for taken in re.findall(r"[\w-]+", arguments[1]):
            if taken not in GIVEN and taken not in group_of:
                yield f"{name}: takes {taken}, which is no package"
            elif taken not in GIVEN and place[group_of[taken]] > place[group]:
                yield f"{name}: takes {taken} of the later group {group_of[taken]}"


Rule = Callable[[Path], Iterator[str]]

PACKAGE_RULES: Final[tuple[Rule, ...]] = (
    groups_hold_packages,
    groups_are_short,
    packages_have_one_name,
    overlays_hold_only_order,
    packages_take_what_comes_before,
)
