"""Prints the Torch names of a kernel that the stable ABI lacks, with their replacements.

It reads the plans and the sources of the kernel in a folder, and compiles nothing. A variant on the
stable ABI serves every Torch, so the report counts one for each compute platform.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from kernel_builder.kernel.folder import Kernel

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|(?<!include )"(?:\\.|[^"\\\n])*"', re.DOTALL)
QUALIFIED = re.compile(r"\b(?:at|c10|torch)(?:::[A-Za-z_]\w*)+")
MACRO = re.compile(r"\b(?:AT|C10|TORCH|PYBIND11)_[A-Z0-9_]+\b")
METHOD = re.compile(r"(?:\.|->)(\w+)(?:<[^;()]*>)?\(")
INCLUDE = re.compile(r'#\s*include\s*[<"]((?:ATen|c10|torch|caffe2)/[^>"]+)[>"]')
CONSTANT = re.compile(r"(?:at|c10|torch)::k([A-Z]\w*)")
STABLE_NAMES = ("torch::stable", "torch::headeronly")
STABLE_HEADERS = ("torch/csrc/stable/", "torch/headeronly/", "torch/csrc/inductor/aoti_torch/c/")
# Macros of kernel-builder.
OWN_MACROS = {"TORCH_EXTENSION_NAME", "TORCH_TARGET_VERSION"}
# The replacement of a name, and the release that it came with; null if none is known, and if every
# release has it.
Replacement = tuple[str | None, str | None]
HEADERS = "<torch/csrc/stable/…> and <torch/headeronly/…>"
# What the report needs of the plans.
PLANS: Final = """plans: map (plan: { inherit (plan) backend compute variant; units = map (unit: {
  inherit (unit) source headers packages stableAbi; }) plan.units; })
  (builtins.filter (plan: plan.compiled && plan.isOfTorch) (builtins.attrValues plans))"""
Plan = Mapping[str, Any]

tables = Path(__file__).with_name("tables")
stable, known = (
    json.loads((tables / name).read_text()) for name in ("names.json", "replacements.json")
)
operators = set(stable["operators"].split())


def replace_name(name: str) -> Replacement:
    """Return the replacement of a name in a namespace."""
    space, _, rest = name.partition("::")
    if name in known["names"]:
        return known["names"][name]["to"], known["names"][name]["since"]
    if any(name == each or name.startswith(f"{each}::") for each in known["without"]):
        return None, None
    if rest in stable["functions"] and space != "c10":
        return f"torch::stable::{rest}", stable["functions"][rest]
    # `at::ScalarType::Float` is a member of a known type.
    parent = name.rpartition("::")[0]
    if parent in known["names"] or parent.partition("::")[2] in stable["headeronly"]:
        to, since = replace_name(parent)
        return (to and f"{to}::{name.rpartition('::')[2]}"), since
    if rest in stable["headeronly"]:
        return f"torch::headeronly::{rest}", None
    if constant := CONSTANT.fullmatch(name):
        types = [
            type_ for type_, names in known["constants"].items() if constant[1] in names.split()
        ]
        return (f"torch::headeronly::{types[0]}" if types else None), None
    if space != "c10" and rest in operators:
        return f'torch_call_dispatcher("aten::{rest}", …)', "2.10"
    return None, None


def replace_macro(name: str) -> Replacement:
    """Return the replacement of a macro."""
    prefixed = (found for prefix, found in known["prefixes"].items() if name.startswith(prefix))
    found = known["names"].get(name) or next(prefixed, {"to": None, "since": None})
    return found["to"], found["since"]


def replace_method(name: str) -> Replacement:
    """Return the replacement of a method of a tensor."""
    if name in known["methods"]:
        return known["methods"][name]["to"], known["methods"][name]["since"]
    return f"torch::stable::{name}(tensor, …)", stable["functions"][name]


@cache
def list_names(path: Path) -> list[dict[str, Any]]:
    """Return the names in a file that are not stable. Units share headers, so each is read once."""
    text = path.read_text(encoding="utf-8", errors="replace")
    includes = [name for name in INCLUDE.findall(text) if not name.startswith(STABLE_HEADERS)]
    code = NOISE.sub(" ", text)
    rows: list[tuple[Counter[str], str, Callable[[str], Replacement]]] = [
        (Counter(includes), "header", lambda _: (HEADERS, None))
    ]
    names = Counter(name for name in QUALIFIED.findall(code) if not name.startswith(STABLE_NAMES))
    # `namespace at::native {` and `using namespace torch` name no declaration.
    for name in re.findall(r"namespace\s+([\w:]+)", code):
        names.pop(name, None)
    rows.append((names, "name", replace_name))
    macros = Counter(
        name
        for name in MACRO.findall(code)
        if name not in OWN_MACROS and name not in stable["macros"]
    )
    rows.append((macros, "macro", replace_macro))
    # The receiver of a call is unknown, so these count only in files that name Torch's tensors.
    if "at::Tensor" in names or "torch::Tensor" in names:
        replaced = {*known["methods"], *stable["functions"]} - set(stable["methods"])
        rows.append(
            (Counter(m for m in METHOD.findall(code) if m in replaced), "method", replace_method)
        )
    return [
        {"name": name, "kind": kind, "uses": uses, "replacement": replacement, "since": since}
        for counted, kind, replace in rows
        for name, uses in sorted(counted.items())
        for replacement, since in [replace(name)]
    ]


def describe(uses: Sequence[tuple[Plan, Mapping[str, Any]]], folder: Path) -> dict[str, Any]:
    """Return the names of a unit and of the kernel's headers that it reaches, for all its plans."""
    files = {name for _, unit in uses for name in (unit["source"], *unit["headers"])}
    found: dict[str, Any] = {}
    for path in sorted(files):
        for row in list_names(folder / path):
            count = found.get(row["name"], {"uses": 0})["uses"]
            found[row["name"]] = {**row, "uses": count + row["uses"]}
    names = sorted(found.values(), key=lambda row: (row["kind"], row["name"]))
    releases = [row["since"] for row in names if row["since"]]
    return {
        "source": uses[0][1]["source"],
        "backends": list(dict.fromkeys(plan["backend"] for plan, _ in uses)),
        "names": names,
        "withoutReplacement": [row["name"] for row in names if row["replacement"] is None],
        "since": max(releases, key=lambda release: [*map(int, release.split("."))], default=None),
    }


def make_report(name: str, folder: Path, plans: Sequence[Plan]) -> dict[str, Any]:
    """Return the report on a kernel with these plans."""
    uses = [(plan, unit) for plan in plans for unit in plan["units"]]
    # A unit without headers of Torch is compiled once for every Torch.
    now = {
        (plan["compute"], unit["source"], "torch" in unit["packages"] and plan["variant"])
        for plan, unit in uses
    }
    by_source: dict[str, list[tuple[Plan, Mapping[str, Any]]]] = {}
    for plan, unit in uses:
        if unit["stableAbi"] is None and "torch" in unit["packages"]:
            by_source.setdefault(unit["source"], []).append((plan, unit))
    return {
        "kernel": name,
        "variants": {"now": len(plans), "stable": len({plan["compute"] for plan in plans})},
        "compiles": {"now": len(now), "stable": len({(each[0], each[1]) for each in now})},
        "namesOf": stable["torch"],
        "units": [describe(by_source[source], folder) for source in sorted(by_source)],
    }


def table_of(report: dict[str, Any]) -> str:
    """Return the report as Markdown."""
    now, then = report["variants"]["now"], report["variants"]["stable"]
    lines = [
        f"# The stable ABI for {report['kernel']}",
        "",
        f"| | now | on the stable ABI |\n|---|---|---|\n| variants | {now} | {then} |",
        f"| compiles of units | {report['compiles']['now']} | {report['compiles']['stable']} |",
        "",
        "| unit | names to replace | without a known replacement | needs Torch |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {unit['source']} | {len(unit['names'])} "
        f"| {', '.join(unit['withoutReplacement']) or 'none'} | {unit['since'] or 'any'} |"
        for unit in report["units"]
    ]
    lines += ["", "| name | kind | replacement | Torch | units |\n|---|---|---|---|---|"]
    uses: dict[str, list[dict[str, Any]]] = {}
    for unit in report["units"]:
        for row in unit["names"]:
            uses.setdefault(row["name"], []).append(row)
    lines += [
        f"| `{name}` | {rows[0]['kind']} | {rows[0]['replacement'] or 'none is known'} "
        f"| {rows[0]['since'] or 'any'} | {len(rows)} |"
        for name, rows in sorted(uses.items(), key=lambda item: (item[1][0]["kind"], item[0]))
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Print the report as Markdown, or as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path(), help="the kernel")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    kernel = Kernel(arguments.folder)
    report = make_report(kernel.folder.name, kernel.folder, kernel.evaluate("plan", PLANS))
    print(json.dumps(report, indent=1, ensure_ascii=False) if arguments.json else table_of(report))


if __name__ == "__main__":
    main()
