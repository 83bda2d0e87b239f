"""Lists the Torch names in a kernel's units that are not in the stable ABI, with their replacements.

The environment has `request`, a file with JSON, and `names` and `replacements`, the tables beside this file.
It writes `report.json` and `report.md` to `$out`.
"""

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Callable, Optional

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|(?<!include )"(?:\\.|[^"\\\n])*"', re.DOTALL)
QUALIFIED = re.compile(r"\b(?:at|c10|torch)(?:::[A-Za-z_]\w*)+")
MACRO = re.compile(r"\b(?:AT|C10|TORCH|PYBIND11)_[A-Z0-9_]+\b")
METHOD = re.compile(r"(?:\.|->)(\w+)(?:<[^;()]*>)?\(")
INCLUDE = re.compile(r'#\s*include\s*[<"]((?:ATen|c10|torch|caffe2)/[^>"]+)[>"]')
CONSTANT = re.compile(r"(?:at|c10|torch)::k[A-Z]\w*")
STABLE_NAMES = ("torch::stable", "torch::headeronly")
STABLE_HEADERS = ("torch/csrc/stable/", "torch/headeronly/", "torch/csrc/inductor/aoti_torch/c/")
# Macros of kernel-builder.
OWN_MACROS = {"TORCH_EXTENSION_NAME", "TORCH_TARGET_VERSION"}
# The replacement of a name, and the release that it came with; null if none is known, and if every release has it.
Replacement = tuple[Optional[str], Optional[str]]
HEADERS = "<torch/csrc/stable/…> and <torch/headeronly/…>"


def read(name: str) -> Any:
    """Return the data of a JSON file that a variable names."""
    return json.loads(Path(os.environ[name]).read_text())


class Tables:
    """The names of the stable ABI, and the replacements of others."""

    def __init__(self) -> None:
        self.stable, self.known = read("names"), read("replacements")
        self.operators = set(self.stable["operators"].split())

    @staticmethod
    def entry(found: "dict[str, Any]") -> "Replacement":
        """Return an entry of the table of replacements."""
        return found["to"], found["since"]

    def of_name(self, name: str) -> "Replacement":
        """Return the replacement of a name in a namespace."""
        space, _, rest = name.partition("::")
        if name in self.known["names"]:
            return self.entry(self.known["names"][name])
        if any(name == each or name.startswith(f"{each}::") for each in self.known["without"]):
            return None, None
        if rest in self.stable["functions"] and space != "c10":
            return f"torch::stable::{rest}", self.stable["functions"][rest]
        # `at::ScalarType::Float` is a member of a known type.
        parent = name.rpartition("::")[0]
        if parent in self.known["names"] or parent.partition("::")[2] in self.stable["headeronly"]:
            to, since = self.of_name(parent)
            return (to and f"{to}::{name.rpartition('::')[2]}"), since
        if rest in self.stable["headeronly"]:
            return f"torch::headeronly::{rest}", None
        if CONSTANT.fullmatch(name):
            return "torch::headeronly::ScalarType", None
        if space != "c10" and rest in self.operators:
            return f'torch_call_dispatcher("aten::{rest}", …)', "2.10"
        return None, None

    def of_macro(self, name: str) -> "Replacement":
        """Return the replacement of a macro."""
        if name in self.known["names"]:
            return self.entry(self.known["names"][name])
        for prefix, found in self.known["prefixes"].items():
            if name.startswith(prefix):
                return self.entry(found)
        return None, None

    def of_method(self, name: str) -> "Replacement":
        """Return the replacement of a method of a tensor."""
        if name in self.known["methods"]:
            return self.entry(self.known["methods"][name])
        return f"torch::stable::{name}(tensor, …)", self.stable["functions"][name]


@cache
def list_names(path: str, tables: Tables) -> "list[dict[str, Any]]":
    """Return the names in a file that are not stable. Many units reach the same headers, so each file is read once."""
    text = Path(path).read_text(errors="replace")
    includes = [name for name in INCLUDE.findall(text) if not name.startswith(STABLE_HEADERS)]
    code = NOISE.sub(" ", text)
    header: Replacement = (HEADERS, None)
    rows: list[tuple[Counter[str], str, Callable[[str], Replacement]]] = [
        (Counter(includes), "header", lambda _: header)
    ]
    names = Counter(name for name in QUALIFIED.findall(code) if not name.startswith(STABLE_NAMES))
    # `namespace at::native {` and `using namespace torch` name no declaration.
    for name in re.findall(r"namespace\s+([\w:]+)", code):
        names.pop(name, None)
    rows.append((names, "name", tables.of_name))
    macros = Counter(
        name for name in MACRO.findall(code) if name not in OWN_MACROS and name not in tables.stable["macros"]
    )
    rows.append((macros, "macro", tables.of_macro))
    # The receiver of a call is unknown, so these count only in files that name Torch's tensors.
    if "at::Tensor" in names or "torch::Tensor" in names:
        replaced = {*tables.known["methods"], *tables.stable["functions"]} - set(tables.stable["methods"])
        rows.append((Counter(m for m in METHOD.findall(code) if m in replaced), "method", tables.of_method))
    return [
        {"name": name, "kind": kind, "uses": uses, "replacement": replacement, "since": since}
        for counted, kind, replace in rows
        for name, uses in sorted(counted.items())
        for replacement, since in [replace(name)]
    ]


def newest(versions: "list[str]") -> "str | None":
    """Return the newest release."""
    return max(versions, key=lambda version: [*map(int, version.split("."))], default=None)


def describe(unit: "dict[str, Any]", tables: Tables) -> "dict[str, Any]":
    """Return the names of a unit and of the kernel's headers that it reaches."""
    found: dict[str, Any] = {}
    for path in unit["files"].values():
        for row in list_names(path, tables):
            uses = found.get(row["name"], {"uses": 0})["uses"]
            found[row["name"]] = {**row, "uses": uses + row["uses"]}
    names = sorted(found.values(), key=lambda row: (row["kind"], row["name"]))
    return {
        "source": unit["source"],
        "backends": unit["backends"],
        "names": names,
        "withoutReplacement": [row["name"] for row in names if row["replacement"] is None],
        "since": newest([row["since"] for row in names if row["since"]]),
    }


def table_of(report: "dict[str, Any]") -> str:
    """Return the report as Markdown."""
    now, then = report["variants"]["now"], report["variants"]["stable"]
    lines = [
        f"# The stable ABI for {report['kernel']}",
        "",
        f"| | now | on the stable ABI |\n|---|---|---|\n| variants | {now} | {then} |",
        f"| compiles of units | {report['compiles']['now']} | {report['compiles']['stable']} |",
        "",
        "| unit | names to replace | without a known replacement | needs Torch |\n|---|---|---|---|",
    ]
    lines += [
        f"| {unit['source']} | {len(unit['names'])} | {', '.join(unit['withoutReplacement']) or 'none'} "
        f"| {unit['since'] or 'any'} |"
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
    """Write the report."""
    request, tables, out = read("request"), Tables(), Path(os.environ["out"])
    report = {**request, "namesOf": tables.stable["torch"]}
    report["units"] = [describe(unit, tables) for unit in request["units"]]
    out.mkdir()
    (out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    (out / "report.md").write_text(table_of(report))


if __name__ == "__main__":
    main()
