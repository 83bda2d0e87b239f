"""Asks the compiler and Torch what a project's bindings register: pkgs/porting/read-bindings."""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_path, nix_string
from kernel_builder.porting.project import Project
from kernel_builder.porting.recording import Extension, read_list, read_text
from kernel_builder.variants.make import make_path

HINT: Final = re.compile(r"PYBIND11_MODULE|\b(py|pybind11)::module")
_SCHEMA: Final = re.compile(
    r"[\w.:]+\([^\n\"]*\) -> [^\n\"]*|[\w.:]+\(.*\"[^\"\\]*\".*\) -> [^\n\"]*"
)


@dataclass(frozen=True)
class Registered:
    """Something that a binding registers; `schema` is empty for what no operator can be."""

    kind: str
    name: str
    line: int
    schema: str
    marked: str
    operator: str
    function: str
    callable: str
    unknown: tuple[str, ...]
    is_plain: bool
    # Parameters whose default no schema has.
    lost: tuple[str, ...]


@dataclass(frozen=True)
class Binding:
    """What a file registers, why it could not be read, and the headers that it lacks."""

    registered: tuple[Registered, ...]
    failed: str
    absent: tuple[str, ...] = ()


# Types that Torch passes as they are.
_PLAIN: Final = re.compile(
    r"(const )?(at::Tensor|long|double|bool|std::vector<(at::Tensor|long|double)>"
    r"|std::optional<(at::Tensor|long|double|bool)>|at::(Scalar|Generator)|c10::(Scalar|Device|ScalarType))"
    r"( ?const)?( ?&)?|c10::ArrayRef<(at::Tensor|long)>|at::TensorList|at::IntArrayRef|void"
    r"|std::tuple<at::Tensor(, at::Tensor)*>"
)


def read_bindings(
    project: Project, backend: str, extensions: Sequence[Extension]
) -> dict[str, Binding]:
    """Return what each source registers that may be a binding, as one backend compiles it."""
    # Two modules may load the same extension.
    units = {
        (each.name, source): {
            "file": source,
            "flags": each.flags["cxx"],
            "include": each.include,
            "extension": each.name,
        }
        for each in extensions
        for source in dict.fromkeys(each.sources)
        if HINT.search(project.read(source))
    }
    if not units:
        return {}
    say(f"compiling the bindings alone, to read their types: {len(units)} files")
    with tempfile.TemporaryDirectory(prefix="project-") as folder:
        project.copy(Path(folder))
        place = f'builtins.path {{ path = {nix_path(Path(folder))}; name = "project"; }}'
        words = f'project = "${{{place}}}"; units = {nix_string(json.dumps([*units.values()]))};'
        words += f" backend = {nix_string(backend)};"
        outline = evaluate_package("readBindings", f"f: ({nix.OUTLINE}) (f {{ {words} }})")
    path = make_path(outline, "the project's bindings cannot be read")
    return read_results(Path(path, "bindings.json"))


def read_results(file: Path) -> dict[str, Binding]:
    """Return the results by file. Raises KernelBuilderError if the JSON has another form."""
    try:
        return {
            read_text(each["unit"]): Binding(
                tuple(_read(one) for one in read_list(each["registered"])),
                read_text(each["failed"] or ""),
                tuple(read_text(one) for one in read_list(each.get("absent") or [])),
            )
            for each in read_list(json.loads(read_file(file)))
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fix = "write the binding by hand, as docs/guide/porting.md says"
        problem = Problem(str(file), type(error).__name__, "the registrations of bindings", fix)
        message = "the project's bindings wrote another record"
        raise KernelBuilderError(message, [problem]) from error


def _read(each: Mapping[str, Any]) -> Registered:
    def text(key: str) -> str:
        return read_text(each.get(key) or "")

    types = [read_text(one.get("cpp") or "") for one in read_list(each.get("parameters") or [])]
    schema, place = text("schema"), re.search(r":(\d{1,7})$", text("place"))
    # It becomes a string of C++.
    schema = schema if _SCHEMA.fullmatch(schema) and "\\" not in schema else ""
    return Registered(
        text("kind"), text("name"), int(place[1]) if place else 0, schema, text("marked"),
        text("operator") or text("name"), text("function"), text("callable"),
        tuple(read_text(one) for one in read_list(each.get("unknown") or [])),
        all(_PLAIN.fullmatch(one) for one in [*types, text("result_cpp") or "void"]),
        tuple(read_text(one) for one in read_list(each.get("lost") or [])),
    )  # fmt: skip
