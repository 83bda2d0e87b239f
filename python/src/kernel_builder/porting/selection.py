"""Chooses the extensions of each backend from the runs of a project's build description."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from kernel_builder.porting.project import Project
from kernel_builder.porting.recording import Extension, Run, read_devices

APPLE: Final = (".mm", ".metal")
_OF_APPLE: Final = ("-framework", "-mmacosx-version-min", "-ObjC++")


def choose_extensions(
    project: Project, runs: Sequence[Run], wanted: Collection[str]
) -> dict[str, list[Extension]]:
    """Return the extensions of each backend that the project compiles something for.

    `wanted` limits the backends. Without any, ROCm is left out: it has the sources of CUDA.
    """
    # A description that fails on a machine says nothing about it, if no option and no variable
    # helps; there may be a second one.
    helped = {(run.backend, run.file) for run in runs if not run.error and _list_sources(run)}
    failed = [run for run in runs if run.error and run.given == "nothing"]
    failed = [run for run in failed if (run.backend, run.file) not in helped]
    unknown = {(run.backend, run.file) for run in failed}
    known_runs = [run for run in runs if (run.backend, run.file) not in unknown]
    plain = {name: [run for run in known_runs if run.backend == name] for name in read_devices()}
    # Of all machines: a variable may only ask for what another machine has by itself.
    known = {source for run in runs if run.given == "nothing" for source in _list_sources(run)}
    found = {name: _collect(project, each, known) for name, each in plain.items()}
    plain_flags = {word for each in found["cpu"] for word in each.flags["cxx"]}
    chosen = {}
    for backend, extensions in found.items():
        if extensions and _is_for(backend, extensions, plain_flags):
            # What CUDAExtension compiles with its own macros comes before the same for the CPU.
            chosen[backend] = sorted(extensions, key=lambda each: each.kind != "CUDAExtension")
    is_other = [*map(vars, chosen.get("rocm", []))] != [*map(vars, chosen.get("cuda", []))]
    if "rocm" in chosen and not wanted and is_other:
        first = chosen["rocm"][0]
        what = "it has extensions for ROCm, too: `--backends cuda,rocm` drafts them"
        project.leave(first.file, first.line, what)
    for run in failed:
        if not chosen or run.backend in chosen:
            fix = "give what it wants by --from-option or --from-env, or its root as --from"
            what = f"it ends in an error: {run.error}: {fix}"
            project.leave(run.file, 0, what, is_lost=True)
    _name_empty(project, runs)
    return {name: chosen[name] for name in chosen if name in (wanted or {*chosen} - {"rocm"})}


def _list_sources(run: Run) -> list[str]:
    return [source for each in run.extensions for source in each.sources]


def _collect(project: Project, runs: Sequence[Run], elsewhere: Collection[str]) -> list[Extension]:
    """Return the extensions of one backend, with those that options turn on."""
    found = [each for run in runs if run.given == "nothing" for each in run.extensions]
    for run in sorted(runs, key=lambda run: run.given):
        known = {*elsewhere, *(source for each in found for source in each.sources)}
        more = [each for each in run.extensions if not known.issuperset(each.sources)]
        has_others = bool(found)
        names = ", ".join(run.names.get(run.given, []))
        if run.error and run.given != "nothing" and (more or run.given == "options"):
            what = f"with {names}, it ends in an error: {run.error}: draft with fewer of them"
            project.leave(run.file, 0, what, is_lost=True)
        for each in more if run.given != "nothing" else ():
            if run.given == "variables" and has_others and each not in found:
                sources = ", ".join(each.sources)
                what = f"{each.name} ({sources}) is for those who set a variable: {names}"
                project.leave(each.file, each.line, f"{what} (--from-env)", is_lost=True)
            else:
                found.append(each)
                what = f"{each.name} is drafted: it is there with {names}"
                project.change(each.file, each.line, what)
    return found


def _is_for(backend: str, extensions: Iterable[Extension], known: Collection[str]) -> bool:
    """Say if the extensions of a run are for its backend; `known` are the flags for the CPU."""
    kinds = {each.kind for each in extensions}
    sources = [source for each in extensions for source in each.sources]
    flags = [word for each in extensions for word in each.flags["cxx"]]
    # A Mac's compiler takes -mmacosx-version-min for the CPU, too: it is no sign of Metal.
    flags = [word for word in flags if not word.startswith("-mmacosx") or word in known]
    links = [word for each in extensions for word in each.words.get("extra_link_args", ())]
    is_cuda = "CUDAExtension" in kinds or any(each.endswith((".cu", ".hip")) for each in sources)
    is_apple = any(each.startswith(_OF_APPLE) for each in (*flags, *links)) or any(
        each.endswith(APPLE) for each in sources
    )
    # Macros with names from _ on are for the C++ library, not for the project's code.
    is_new = any(re.match("-D[^_]", word) and word not in known for word in flags)
    answers = {
        "cpu": not (is_cuda or is_apple),
        "cuda": is_cuda,
        "metal": not is_cuda and (is_apple or is_new),
        "rocm": is_cuda,
        "xpu": "SyclExtension" in kinds or (is_new and not is_cuda and not is_apple),
    }
    return bool(sources) and answers.get(backend, False)


def _name_empty(project: Project, runs: Sequence[Run]) -> None:
    """Note extensions that have no sources on any machine, and that no CMakeLists.txt describes."""
    known = {each.name for run in runs for each in run.extensions if each.sources}
    is_cmake = any(run.file.endswith("CMakeLists.txt") and _list_sources(run) for run in runs)
    empty = [] if is_cmake else [each for run in runs for each in run.extensions]
    for each in {each.name: each for each in empty if each.name not in known}.values():
        what = f"the extension {each.name} has no files here: another program has its sources"
        project.leave(each.file, each.line, what, is_lost=True)
