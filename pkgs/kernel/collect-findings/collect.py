"""Collect in `$out` what the steps of a variant warn about, or merge that of several variants: `id` and `findings`.

A finding has a `headline`, `problems`, and `shown`, the number of problems that are enough for a terminal;
none is all. `text` is for a terminal. A step's folder has `findings.json`, a list of findings, and `messages`, the text
of compilers. The code of a kernel runs in the import check, so nothing in its folder is taken as it is.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

env = os.environ
# The form of all messages of the project.
module = Path("modules/kernel_builder/messages/problem.py").resolve()
module.parent.mkdir(parents=True)
module.symlink_to(env["problem"])
sys.path.insert(0, str(module.parents[2]))
from kernel_builder.messages.problem import INDENT, Problem, render  # noqa: E402

FIELDS = ("at", "found", "want", "fix")
# Limits for one step. A longer file is no list of findings, and a longer list is cut.
FILE_BYTES, PROBLEMS, CHARACTERS = 1 << 22, 500, 4000
COMPILERS_SHOWN = 3
VARIANTS_SHOWN = 3
COMPILERS = "compilers warn about the kernel's code"
UNREADABLE = "look for code of the kernel that writes into the outputs of a build"
BOUNDS = "launch bounds of kernels are ignored"

# Colours, and the links of gcc to its manual.
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)")
# A reference to a store path would bring a compiler along with each copy of the findings.
_STORE = re.compile(r"/nix/store/[0-9a-z]{32}-")
_WARNING = re.compile(r"(?P<place>\S.*?): warning(?: #[\w-]+)?: (?P<text>.+)")
_OF_PROGRAM = re.compile(r"(?P<program>nvcc|ptxas|nvlink|fatbinary)(?: [^;]*;)? warning *: (?P<text>.*)")
_PLACE = re.compile(r"(?P<file>[^:()]+)[:(](?P<line>\d+)(?:[:,](?P<column>\d+))?\)?")
# The place of a check's problem.
_AT = re.compile(r"(?P<file>[^\s:()]+\.\w+):(?P<line>\d+)\b")
# The front end's output is no file of the kernel. Files of packages are named with their folders.
_FOREIGN = re.compile(r"[/<]|.*\.cudafe1\.")
_NUMBER = re.compile(r"warning #(\d+)")
_OPTION = re.compile(r"\[-W(?!error)([^\]=]+)=?\]$")
_BOUNDS = re.compile(r"for entry (?P<kernel>(?:(?!for entry ).)+?) is out of range\. (?P<what>\S+) will be ignored")


def read_findings(folder: Path) -> "Iterator[dict[str, Any]]":
    """Yield the findings of a step, with limits; other data is a finding itself."""
    file = folder / "findings.json"
    if not file.is_file():
        return
    try:
        read = json.loads(file.read_bytes()) if file.stat().st_size <= FILE_BYTES else None
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, list):
        step = tidy(str(folder))
        problem = dict(zip(FIELDS, (step, "something else, or too long a list", "a list of findings", UNREADABLE)))
        yield {"headline": "what a step warns about cannot be read", "problems": [problem]}
        return
    for each in read:
        problems = each.get("problems") if isinstance(each, dict) else None
        if isinstance(problems, list):
            found = [read_problem(problem) for problem in problems[:PROBLEMS] if isinstance(problem, dict)]
            yield {"headline": tidy(each.get("headline")), "problems": found}


def read_problem(data: "Mapping[str, Any]") -> "dict[str, Any]":
    """Return the known fields of a problem."""
    problem: dict[str, Any] = {field: tidy(data.get(field)) for field in FIELDS}
    if data.get("file"):
        numbers = {name: data[name] for name in ("line", "column") if type(data.get(name)) is int}
        problem.update(file=tidy(data["file"]), **numbers)
    elif place := _AT.match(problem["at"]):
        problem.update(file=place["file"], line=int(place["line"]))
    return problem


def tidy(text: object) -> str:
    """Return a text of limited length without escapes and hashes of store paths."""
    return _STORE.sub("", _ESCAPES.sub("", str(text or "")))[:CHARACTERS]


def read_messages(unit: str, text: str) -> "Iterator[tuple[str, dict[str, Any]]]":
    """Yield the warnings in a compiler's messages that are about the kernel: headline and problem."""
    for line in _ESCAPES.sub("", text).splitlines():
        if warning := _WARNING.match(line):
            place = _PLACE.fullmatch(warning["place"])
            if place and not _FOREIGN.match(place["file"]):
                yield COMPILERS, describe_warning(unit, line, warning["text"], place.groupdict(""))
            elif not place:
                yield COMPILERS, describe_warning(unit, line, warning["text"], {})
        elif said := _OF_PROGRAM.match(line):
            if bounds := _BOUNDS.search(said["text"]):
                yield BOUNDS, describe_bounds(unit, bounds.groupdict())
            else:
                yield COMPILERS, describe_warning(unit, line, f"{said['program']}: {said['text']}", {})


def describe_warning(unit: str, line: str, text: str, place: "Mapping[str, str]") -> "dict[str, Any]":
    """Return a compiler's warning about a unit as a problem; `place` is empty if the compiler names none."""
    fix = "correct the code"
    if option := _OPTION.search(text):
        fix += f', or add "-Wno-{option[1]}" to the flags of the component'
    elif number := _NUMBER.search(line):
        fix += f', or add "--diag-suppress={number[1]}" to the flags of the component'
    file = place.get("file", unit)
    at = f"{file}:{place['line']}" if place else unit
    numbers = {name: int(place[name]) for name in ("line", "column") if place and place[name]}
    want = "code that compiles without a warning"
    return {"at": tidy(at), "found": tidy(text), "want": want, "fix": fix, "file": tidy(file), **numbers}


def describe_bounds(unit: str, bounds: "Mapping[str, str]") -> "dict[str, Any]":
    """Return launch bounds that ptxas ignores as a problem."""
    return {
        "at": unit,
        "found": f"{tidy(bounds['kernel'])}: threads per multiprocessor are out of range, {bounds['what']} is ignored",
        "want": "__launch_bounds__ that every target can keep",
        "fix": "lower minBlocksPerMultiprocessor, or state it for the targets that have so many threads "
        "(docs/troubleshooting/parts-of-a-unit.md)",
        "file": unit,
    }


def collect(steps: "list[dict[str, str]]") -> "Iterator[dict[str, Any]]":
    """Yield the findings of all steps."""
    for step in steps:
        folder = Path(step["path"])
        yield from read_findings(folder)
        if (file := folder / "messages").is_file():
            text = file.read_bytes()[:FILE_BYTES].decode(errors="replace")
            unit = step["name"].removesuffix(" (device code)")
            for headline, problem in read_messages(unit, text):
                yield {"headline": headline, "problems": [problem], "shown": COMPILERS_SHOWN}


def read_variants(variants: "dict[str, str]") -> "Iterator[dict[str, Any]]":
    """Yield the findings of variants, whose problems name the variant."""
    for name, path in variants.items():
        for finding in json.loads(Path(path).read_bytes())["findings"]:
            yield {**finding, "variant": name}


def merge(findings: "Iterable[dict[str, Any]]") -> "list[dict[str, Any]]":
    """Return findings with each headline and each problem once: several steps compile a unit."""
    merged: dict[str, dict[str, Any]] = {}
    for finding in findings:
        known = merged.setdefault(finding["headline"], {**finding, "problems": {}})
        for problem in finding["problems"]:
            if len(known["problems"]) < PROBLEMS:
                named: dict[str, list[str]] = {"variants": []} if "variant" in finding else {}
                of = known["problems"].setdefault(json.dumps(problem), {**problem, **named})
                of.get("variants", []).extend([finding["variant"]] if named else [])
    return [{**each, "problems": [*each["problems"].values()]} for each in merged.values()]


def add_text(finding: "dict[str, Any]", variants: int) -> "dict[str, Any]":
    """Return a finding with its `text` for a terminal. Problems that not all of so many variants have name some."""
    problems = []
    for each in finding["problems"][: finding.get("shown")]:
        names = each.get("variants", [])
        few = names[:VARIANTS_SHOWN] if len(names) < variants else []
        few += [f"and {len(names) - VARIANTS_SHOWN} more"] if few and len(names) > VARIANTS_SHOWN else []
        problems.append(Problem.read({**each, "at": "\n".join([each["at"], *few])}))
    rest = len(finding["problems"]) - len(problems)
    more = f"\n\n{INDENT}and {rest} more, which --json lists" if rest else ""
    finding.pop("variant", None)
    return {**finding, "text": render(finding["headline"], problems) + more}


def main() -> None:
    """Write the findings of the steps of a variant, or those of several variants."""
    if "variantsPath" in env:
        variants = json.loads(Path(env["variantsPath"]).read_text())
        found = [add_text(each, len(variants)) for each in merge(read_variants(variants))]
    else:
        found = [add_text(each, 0) for each in merge(collect(json.loads(Path(env["stepsPath"]).read_text())))]
    Path(env["out"]).write_text(json.dumps({"id": env.get("id"), "findings": found}) + "\n")


main()
