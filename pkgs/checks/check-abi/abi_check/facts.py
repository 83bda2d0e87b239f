"""The facts about a variant that publishers look for, as data and as a table.

Sizes are in bytes. None stands for a fact that nothing states.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from checking.facts import BACKENDS
from checking.framework import FRAMEWORKS
from checking.problem import Problem
from checking.variant import Variant

from abi_check import policy as rules_of
from abi_check.binary import demangle
from abi_check.device_code import read_device_code
from abi_check.report import align
from abi_check.rules import OF_TORCH, Check, find_homes

NAMES_SHOWN = 5


def collect_facts(variant: Variant, checks: "list[Check]", published: "int | None") -> "dict[str, Any]":
    """Return the facts; `published` is the size of the variant on the Hub."""
    metadata = variant.read_metadata()
    operators, without = metadata.get("operators"), metadata.get("operators-without-code")
    without_fake = metadata.get("operators-without-fake") or ()
    homes = [(check, symbol, home) for check in checks for symbol, home in find_homes(check)]
    provided = Counter((owner_of(check, home), home) for check, _, home in homes if home)
    return {
        "size": sum(path.stat().st_size for path in variant.folder.rglob("*") if path.is_file()),
        "published-size": published,
        "targets": list_targets(variant, checks),
        "operators": operators
        and [
            {
                "schema": each,
                "implemented": without if without is None else each.partition("(")[0] not in without,
                "without-fake": each.partition("(")[0] in without_fake,
            }
            for each in operators
        ],
        "imported-with": metadata.get("imported-with"),
        "symbols": [
            {"provider": owner, "library": home, "symbols": count} for (owner, home), count in sorted(provided.items())
        ],
        "driver": sorted(
            {name for check in checks for name in check.binary.needed if owner_of(check, name) == "driver"}
        ),
        "symbols-not-compared": sum(home == "" for *_, home in homes),
        "libraries-not-compared": sorted({library for check in checks for library in check.unknown}),
        "symbols-left-over": [demangle(symbol.versioned) for _, symbol, home in homes if home is None],
    }


def owner_of(check: Check, library: str) -> str:
    """Return the provider of a library."""
    backend = BACKENDS.get(check.variant.backend, {})
    owners = {
        "Python": ["Python"],
        # Some of its libraries are listed with the backend that they are for.
        FRAMEWORKS[0].title: [f"{name}*" for name in OF_TORCH],
        **{each.title: rules_of.LIBRARIES[each.name] for each in FRAMEWORKS[1:]},
        "driver": backend.get("driver", []),
        check.variant.backend: [name.replace("@major@", "*") for name in backend.get("libraries", [])],
    }
    name = library.rpartition("/")[2]
    return next((owner for owner, patterns in owners.items() if rules_of.matches(name, patterns)), "system")


def list_targets(variant: Variant, checks: "list[Check]") -> "list[dict[str, Any]] | None":
    """Return the targets that the metadata states or that have code. A stated `9.0+PTX` means 9.0 as well."""
    backend = BACKENDS.get(variant.backend, {})
    if variant.is_noarch or not backend.get("device"):
        return []
    stated = variant.read_metadata().get("backend", {}).get("archs")
    wanted = {part for target in stated or () for part in (target, target.partition("+")[0])}
    code: Counter[str] = Counter()
    for check in checks:
        found = read_device_code(check.binary.path, backend.get("device-code"))
        if found is None:
            return None
        code.update(found)
    names = sorted({*wanted, *code}, key=lambda name: (rules_of.order(name), name))
    return [
        {"target": name, "requested": None if stated is None else name in wanted, "code": code[name]} for name in names
    ]


def find_missing(variant: Variant, facts: "dict[str, Any]") -> "list[Problem]":
    """Return a problem if targets have no code. A kernel without any code may compile it when it runs."""
    targets = facts["targets"] or []
    missing = [each["target"] for each in targets if each["requested"] and not each["code"]]
    if not missing or not any(each["code"] for each in targets):
        return []
    found, want = f"no device code for {', '.join(missing)}", "code for each target that metadata.json states"
    return [Problem(variant.name, found, want, "build it again, or correct the targets in build.toml")]


def format_facts(variant: Variant, facts: "dict[str, Any]") -> str:
    """Return the table of the facts."""
    return align([("what", "which", "found"), *_list_rows(variant, facts)])


def _list_rows(variant: Variant, facts: "dict[str, Any]") -> "Iterator[tuple[str, str, str]]":
    size, published = facts["size"], facts["published-size"]
    yield "size", "", format_size(size)
    yield "size", "published", f"{format_size(published)}, now {size / published - 1:+.1%}" if published else "-"
    if facts["targets"] is None:
        yield "device code", "", f"not known: compressed, or in a form of {variant.backend} without a reader here"
    notes = {True: "", False: ", not requested in metadata.json", None: ", metadata.json states no targets"}
    for each in facts["targets"] or ():
        code = format_size(each["code"]) if each["code"] else "none"
        yield "device code", each["target"], f"{code}{notes[each['requested']]}"
    if facts["operators"] is None:
        yield "operators", "", "not recorded: no import check, or another tool made it"
    key = BACKENDS.get(variant.backend, {}).get("dispatch-key", variant.backend)
    notes = {True: "implemented for", False: "NOT implemented for", None: "not recorded whether it is implemented for"}
    for each in facts["operators"] or ():
        fake = ", no fake implementation for torch.compile" if each["without-fake"] else ""
        yield "operator", " ".join(each["schema"].split()), f"{notes[each['implemented']]} {key}{fake}"
    for name, version in (facts["imported-with"] or {}).items():
        yield "imported", "with", f"{name} {version} alone; others: .#versionChecks.{variant.name}, if there is one"
    for name in facts["driver"]:
        yield "driver", name, "needed: an import fails where there is no driver"
    for each in facts["symbols"]:
        yield "symbols", each["provider"], f"{each['symbols']} of {each['library']}"
    if count := facts["symbols-not-compared"]:
        yield "symbols", "not compared", f"{count}: no list of symbols of {shorten(facts['libraries-not-compared'])}"
    yield "symbols", "left over", shorten(facts["symbols-left-over"]) or "none"


def shorten(names: "list[str]") -> str:
    """Return the first names."""
    return ", ".join([*names[:NAMES_SHOWN], *(["…"] if len(names) > NAMES_SHOWN else [])])


def format_size(size: int) -> str:
    """Return a number of bytes for people."""
    units = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
    return next((f"{size / unit:.1f} {name}" for unit, name in units if size >= unit), f"{size} bytes")
