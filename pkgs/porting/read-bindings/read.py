"""Reads bindings: compiles them with recording headers, imports them, and writes `$out/bindings.json`.

The interpreter has Torch. The units are strangers' code, so this runs in the sandbox only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from compiling import Compiler, Tools, Unit, run
from declarations import Declarations
from schemas import describe_function


class Symbols:
    """Names functions and places in the libraries of an extension."""

    def __init__(self, programs: Path, project: Path) -> None:
        self._programs, self._project = programs, project
        self._names: dict[str, dict[int, str]] = {}

    def _run(self, program: str, *words: str | Path, text: str = "") -> list[str]:
        command = [str(self._programs / program), *map(str, words)]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()

    def demangle(self, names: Sequence[str], *options: str) -> list[str]:
        """Return names as C++ has them: without parameters with the option `-p`."""
        return self._run("c++filt", *options, text="\n".join(names)) if names else []

    def name(self, address: Sequence[Any] | None) -> str | None:
        """Return the name of the function at an address, None if it is in another library."""
        if address is None or not str(address[0]).startswith(os.environ["TMPDIR"]):
            return None
        file = str(address[0])
        if file not in self._names:
            lines = [line.split() for line in self._run("nm", "--defined-only", file)]
            names = self.demangle([words[2] for words in lines], "-p")
            self._names[file] = {int(words[0], 16): name for words, name in zip(lines, names)}
        return self._names[file].get(int(address[1]))

    def shorten(self, file: str) -> str | None:
        """Return the path of a file in the project, None if it is outside of it."""
        path = os.path.relpath(self._project / file, self._project)
        return None if path.startswith("..") else path

    def place(self, library: str, trace: Sequence[Sequence[Any]]) -> str | None:
        """Return file and line of the innermost call that the project makes."""
        offsets = [hex(each[1]) for each in trace if each and each[0] == library]
        for line in self._run("addr2line", "-e", library, *offsets) if offsets else []:
            file, _, number = line.split(" ")[0].rpartition(":")
            path = self.shorten(file)
            if path and number.isdigit():
                return f"{path}:{number}"
        return None


def name_overloads(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give functions of one name the names of overloads. Functions with the same types are one, the first."""
    by_name: dict[tuple[str, str], list[dict[str, Any]]] = {}
    kept = []
    for each in found:
        same = by_name.setdefault((each["namespace"], each["name"]), [])
        types = [parameter["cpp"] for parameter in each["parameters"]]
        if any([parameter["cpp"] for parameter in other["parameters"]] == types for other in same):
            continue
        same.append(each)
        kept.append(each)
    for (space, name), same in by_name.items():
        below = "".join(f"{part}_" for part in space.split(".")[1:])
        for letter, each in zip(ascii_lowercase, same):
            each["operator"] = f"{below}{name}" + (f".{letter}" if len(same) > 1 else "")
            for key in ("schema", "marked"):
                each[key] = each[key] and f"{each['operator']}{each[key]}"
    return kept


def describe(lines: list[dict[str, Any]], library: str, symbols: Symbols, names: Declarations) -> list[dict[str, Any]]:
    """Return what an extension registers, in order."""
    found: list[dict[str, Any]] = []
    for line in (each for each in lines if each["kind"] == "function"):
        function, name = symbols.name(line["address"]), line["name"]
        types = [each["type"] for each in line["parameters"]]
        entry = describe_function(line, names.find(function, name, types))
        place = symbols.place(library, line["trace"])
        found.append({**entry, "function": function, "place": place, "name": name, "namespace": line["owner"]})
    return name_overloads(found)


def read_group(units: list[Unit], extension: dict[str, Any] | None, symbols: Symbols) -> list[dict[str, Any]]:
    """Return the result for each unit of an extension."""
    results: dict[str, dict[str, Any]] = {
        unit.file: {
            "unit": unit.file, "extension": unit.extension, "registered": [], "failed": unit.failed,
            "absent": [] if unit.failed else unit.absent, "called": [],
        }
        for unit in units
    }  # fmt: skip
    compiled = [each for each in results.values() if not each["failed"]]
    if not compiled or extension is None:
        return list(results.values())
    if "failed" in extension:
        for each in compiled:
            each["failed"] = extension["failed"]
        return list(results.values())
    record = Path(extension["record"])
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()] if record.exists() else []
    for entry in describe(lines, extension["library"], symbols, Declarations([unit.text for unit in units])):
        file = str(entry["place"]).rpartition(":")[0]
        results.get(file, compiled[0])["registered"].append(entry)
    called = symbols.demangle(sorted({line["name"] for line in lines if line["kind"] == "called"}))
    errors = [line["message"] for line in lines if line["kind"] == "error"]
    errors += [f"{name} defines more, in a file that was not read" for name in called if "pybind11::module_" in name]
    for each in compiled:
        each.update(called=called, failed=errors[0] if errors else None)
    return list(results.values())


def main() -> None:
    """Read the units of `$units`, a list in JSON."""
    env, folder = os.environ, Path(os.environ["TMPDIR"])
    if env["NIX_BUILD_TOP"] != "/build":
        sys.exit("error: a project's binding runs in the sandbox alone, and Nix builds without it here")
    project = Path(env["project"])
    tools = Tools(
        compiler=Path(env["toolchain"]) / "bin/g++", stand_ins=Path(env["standIns"]), torch=Path(env["torchHeaders"]),
        lean=tuple(Path(env["lean"], name) for name in ("tensors", "operators")), libraries=Path(env["torchLibraries"]),
        # The headers of CCCL are in a folder of their own from CUDA 13 on.
        system=tuple(Path(each, name) for each in env["systemHeaders"].split() for name in (".", "cccl")),
    )  # fmt: skip
    units = [
        Unit(each["file"], tuple(each.get("flags", ())), tuple(each.get("include", ())), each.get("extension", ""))
        for each in json.loads(Path(env["unitsPath"]).read_text(encoding="utf-8"))
    ]
    compiler = Compiler(tools, project, folder)
    with ThreadPoolExecutor(int(env.get("NIX_BUILD_CORES") or 0) or len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compiler.compile, units, range(len(units))))
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.extension, []).append(unit)
    extensions: dict[str, dict[str, Any]] = {}
    for number, (name, group) in enumerate(groups.items()):
        if any(unit.object for unit in group):
            library, failed = compiler.link(group, number)
            extensions[name] = {"failed": failed}
            if library:
                nm = Path(env["toolchain"]) / "bin/nm"
                listed = run([nm, "-D", "--defined-only", "--format=just-symbols", library])
                modules = [each[len("PyInit_") :] for each in listed.stdout.split() if each.startswith("PyInit_")]
                record = str(folder / f"{number}.jsonl")
                extensions[name] = {"library": str(library), "modules": modules, "record": record}
    compiled = [each for each in extensions.values() if "library" in each]
    words = [sys.executable, "-B", str(Path(__file__).with_name("running.py"))]
    subprocess.run(words, input=json.dumps(compiled), text=True, check=True)
    symbols = Symbols(Path(env["toolchain"]) / "bin", project)
    results = [each for name, group in groups.items() for each in read_group(group, extensions.get(name), symbols)]
    out = Path(env["out"])
    out.mkdir(parents=True)
    (out / "bindings.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
