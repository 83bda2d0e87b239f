"""Runs a project's build description in the sandbox, and reads its record: a stranger's JSON."""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.kernel.builder import evaluate_package, find_root
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_path, nix_string
from kernel_builder.porting.project import Project
from kernel_builder.variants.make import make_path

COMPILERS: Final = ("cxx", "nvcc", "sycl")
# Words of an extension that build.toml has no key for.
WORDS: Final = (
    "libraries", "library_dirs", "runtime_library_dirs", "extra_objects", "extra_link_args"
)  # fmt: skip
MAX_TEXT: Final = 4096
MAX_TEXTS: Final = 20_000


@dataclass
class Extension:
    """An extension as the build description asks for it, on a machine with one backend."""

    kind: str
    name: str
    file: str
    line: int
    sources: list[str]
    include: list[str]
    # Flags by the compiler, with the macros.
    flags: dict[str, list[str]]
    words: dict[str, list[str]]


@dataclass
class Run:
    """One run of a build description: `given` says what was turned on for it."""

    file: str
    backend: str
    given: str
    error: str
    extensions: list[Extension]
    unused: list[Extension]
    setup: Mapping[str, Any]
    names: dict[str, list[str]] = field(default_factory=dict)


def read_devices() -> dict[str, str]:
    """Return Torch's name of the device of each backend that compiles code."""
    files = sorted(find_root().glob("backends/*/checks.json"))
    checks = {file.parent.name: json.loads(read_file(file)) for file in files}
    return {name: each["dispatch-key"] for name, each in checks.items() if "dispatch-key" in each}


def record_project(
    project: Project, arguments: Sequence[str], variables: Mapping[str, str]
) -> list[Run]:
    """Run the project's build descriptions in the sandbox, and return what they asked for.

    Raises KernelBuilderError if the sandbox cannot run them.
    """
    given = {"arguments": [*arguments], "environment": {**variables}}
    request = json.dumps({"backends": [*read_devices()], "given": given})
    say("running the project's build description in the sandbox, as on machines with each backend")
    has = {"CMake": ("CMakeLists.txt",), "CUDA": (".cu", ".cuh")}
    found = [key for key, ends in has.items() if any(each.endswith(ends) for each in project.files)]
    more = "".join(f"has{key} = true; " for key in found)
    with tempfile.TemporaryDirectory(prefix="project-") as folder:
        project.copy(Path(folder))
        place = f'builtins.path {{ path = {nix_path(Path(folder))}; name = "project"; }}'
        words = f'{{ project = "${{{place}}}"; request = {nix_string(request)}; {more}}}'
        outline = evaluate_package("recordProject", f"f: ({nix.OUTLINE}) (f {words})")
    path = make_path(outline, "the project's build description cannot be run")
    return read_record(Path(path, "record.json"))


def read_record(file: Path) -> list[Run]:
    """Return the runs of a record. Raises KernelBuilderError if it has another form."""
    try:
        runs = read_list(json.loads(read_file(file))["runs"])
        return [_read_run(each) for each in runs]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fix = "draft the kernel by hand, as docs/guide/porting.md says"
        problem = Problem(str(file), f"{type(error).__name__}", "the record of its runs", fix)
        message = "the project's build description wrote another record"
        raise KernelBuilderError(message, [problem]) from error


def _read_run(each: Any) -> Run:
    names = {
        key: [read_text(one["name"]) for one in read_list(each.get(f"read_{key}", []))]
        for key in ("options", "variables")
    }
    names |= {key: _texts(each.get(key, [])) for key in ("missing", "queries")}
    setup = each.get("setup") or {}
    return Run(
        read_text(each["file"]), read_text(each["backend"]), read_text(each["given"]),
        read_text(each["error"]),
        [_read_extension(one) for one in read_list(each.get("extensions") or [])],
        [_read_extension(one) for one in read_list(each.get("unused") or [])],
        setup if isinstance(setup, dict) else {}, names,
    )  # fmt: skip


def _read_extension(each: Any) -> Extension:
    place = re.fullmatch(r"(.+):(\d{1,7})", read_text(each.get("place") or ""))
    macros = [
        f"-D{'='.join(read_text(one) for one in read_list(pair) if one is not None)}"
        for pair in each["define_macros"]
    ]
    macros += [f"-U{name}" for name in _texts(each["undef_macros"])]
    flags = {key: _texts(words) for key, words in each["flags"].items() if key in COMPILERS}
    return Extension(
        read_text(each["kind"]), read_text(each["name"]), place[1] if place else "setup.py",
        int(place[2]) if place else 0, _texts(each["sources"]), _texts(each["include_dirs"]),
        {compiler: [*macros, *flags.get(compiler, [])] for compiler in COMPILERS},
        {key: _texts(each[key]) for key in WORDS if each.get(key)},
    )  # fmt: skip


def read_text(value: Any) -> str:
    """Return a short text for a terminal. Raises ValueError for others."""
    text = str(value) if isinstance(value, int) else value
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise ValueError("no short text")
    return "".join(each if each.isprintable() else "?" for each in text)


def read_list(value: Any) -> list[Any]:
    """Return a list. Raises ValueError for anything else, or a long one."""
    if not isinstance(value, list) or len(value) > MAX_TEXTS:
        raise ValueError("no list")
    return value


def _texts(value: Any) -> list[str]:
    return [read_text(each) for each in read_list(value)]
