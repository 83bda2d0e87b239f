"""Finds mistakes in the operators that a kernel registers in Torch, and in those that it calls."""

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from kernel_builder.import_check.problems import REGISTERED_AT, Place
from kernel_builder.import_check.stand_ins import IN_TORCH
from kernel_builder.messages.problem import Problem

# The namespace of a build ends with a digest of its content. Kernels that this one depends on have
# such namespaces, and their files may have the same names as this kernel's.
OF_A_BUILD = re.compile(r"_\w{1,200}_[0-9a-f]{16}")
FALLBACK = re.compile(r"^(\w+): (?:\w+ )?registered at ([^/\n][^\n]*?:\d+)", re.MULTILINE)
IMPLEMENTED = re.compile(r"^(\w+)(?:\[alias\])?( \(inactive\))?: registered at (.+?:\d+)", re.M)
IN_PYTHON = "add_op_namespace_prefix(…), or torch.library.Library(ops.name, …)"
IN_CPP = "the macro of registration.h with TORCH_EXTENSION_NAME: its name ends with _EXPAND"


def watch_registrations(place: Place, namespace: str) -> "list[Problem]":
    """Return a list that gets a problem for each registration in another namespace from now on.

    `namespace` is that of the build. Packages that the kernel imports may register anything, so the
    file that registers counts.
    """
    import torch

    found: list[Problem] = []
    make: Any = torch._C._dispatch_library

    # Every function of `torch.library` that registers something makes a Library, which asks for it.
    # Torch keeps the place: the line of the kernel, instead of one of `torch.library`.
    def make_and_watch(kind: str, ns: str, key: str, *_: Any) -> Any:
        frame = sys._getframe(1)
        while frame.f_back and IN_TORCH.match(frame.f_globals["__name__"]):
            frame = frame.f_back
        file = frame.f_code.co_filename
        if ns != namespace and place.has(file):
            at = place.show_frames([(file, frame.f_lineno, "", "")])
            found.append(_describe_foreign(at, ns, IN_PYTHON))
        return make(kind, ns, key, file, frame.f_lineno)

    torch._C._dispatch_library = make_and_watch
    return found


def _describe_foreign(at: str, space: str, use: str) -> Problem:
    want = "the namespace of this build; every other build would register there, too"
    return Problem(at, f"a registration in the namespace {space!r}", want, f"write {use}")


def check_registered(
    namespace: str, sources: Collection[str], key: "str | None"
) -> "tuple[dict[str, Problem], list[Problem], dict[str, Problem]]":
    """Return problems of C++: operators in other namespaces, implementations for those, no code.

    `sources` are the names of the C++ files. The dispatcher cannot call an operator without code
    for the dispatch key. The first and the last problems are by the names of operators.
    """
    import torch

    changed: list[Problem] = []
    foreign, lacking = {}, {}
    for full in sorted(torch._C._dispatch_get_all_op_names()):
        dump = torch._C._dispatch_dump(full)
        places = dict.fromkeys(
            at for at in REGISTERED_AT.findall(dump) if at.rpartition(":")[0] in sources
        )
        space, _, name = full.partition("::")
        if not places or (space != namespace and OF_A_BUILD.fullmatch(space)):
            continue
        first = next(iter(places))
        if space != namespace and f"debug: registered at {first}\n" in dump:
            foreign[name] = _describe_foreign(first, space, IN_CPP)
        elif space != namespace:
            changed += [_describe_changed(at, full) for at in places]
        has = torch._C._dispatch_has_computed_kernel_for_dispatch_key
        if space == namespace and key and not has(full, key):
            found = f"the operator {name}, which has no implementation for {key}"
            want = f"an implementation for {key} of every operator that this backend defines"
            fix = f'write ops.impl("{name}", c10::k{key}, &FUNCTION), or give `def` the function;'
            other = "if only another backend has it, define it behind `#if defined(BACKEND_KERNEL)`"
            lacking[name] = Problem(first, found, want, f"{fix}\n{other}")
    return foreign, changed, lacking


def find_repeated(known: Iterable[str], sources: Collection[str], place: Place) -> "list[Problem]":
    """Return a problem for each implementation of C++ that a later one replaces.

    `known` are full names of operators. Torch warns the first time in a process alone.
    """
    import torch

    problems = []
    want = "one for each operator and dispatch key: Torch calls the one that comes last"
    fix = "delete the others, or put each of them behind `#if defined(BACKEND_KERNEL)`"
    for full in known:
        listed = IMPLEMENTED.findall(torch._C._dispatch_dump(full))
        last = {key: at for key, replaced, at in listed if not replaced}
        for key, replaced, at in dict.fromkeys(listed):
            if replaced and at.rpartition(":")[0] in sources:
                found = f"more than one implementation of {full.partition('::')[2]} for {key}"
                places = dict.fromkeys(map(place.show_registered, [at, last.get(key, at)]))
                problems.append(Problem("\n".join(places), found, want, fix))
    return problems


def find_fallbacks(sources: Collection[str]) -> "list[Problem]":
    """Return a problem for each fallback of C++, which is for all operators of a dispatch key."""
    import torch

    # An operator without any code has the fallback of each key in its table.
    library = torch.library.Library("kernel_builder_import_check", "DEF")
    library.define("nothing() -> ()")
    table = torch._C._dispatch_dump_table("kernel_builder_import_check::nothing")
    problems = []
    for key, at in FALLBACK.findall(table):
        if at.rpartition(":")[0] in sources:
            found = f"a fallback for all operators under {key}"
            want = (
                "no change of Torch's own operators: it would be one for the user's whole process"
            )
            fix = f"register operators of this build for {key} alone"
            problems.append(Problem(at, found, want, fix))
    return problems


def list_without_code(schemas: Iterable[str], key: "str | None") -> "list[str] | None":
    """Return the names of the operators without code for the dispatch key; None without a key."""
    import torch

    has = torch._C._dispatch_has_computed_kernel_for_dispatch_key
    lacking = (full.partition("::")[2] for full in schemas if key and not has(full, key))
    return sorted(lacking) if key else None


def _describe_changed(at: str, full: str) -> Problem:
    space, _, name = full.partition("::")
    found = f"an implementation of {full}, which this kernel does not define"
    owner = "Torch's own" if space == "aten" else f"others' ({space})"
    want = f"no change of {owner} operators: it would be one for the user's whole process"
    call = f'ops.def("{name}_…(…)", …) in TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops)'
    return Problem(at, found, want, f"define an operator of this build, and call that one: {call}")


def find_unregistered(
    calls: "Mapping[str, Any]", ops: Any, registered: Sequence[str]
) -> "tuple[list[Problem], list[Problem]]":
    """Return a problem for each call that `ops` lacks, and for each of those that may never run.

    `calls` have the places by name, as the registration check writes them; `registered` are
    schemas. A name may be that of an overload, `answer.out`.
    """
    names = sorted({schema.partition("(")[0] for schema in registered})
    errors: list[Problem] = []
    warnings: list[Problem] = []
    for name, call in calls.items():
        base, _, overload = name.partition(".")
        if overload and hasattr(ops, base):
            has, kind = hasattr(getattr(ops, base), overload), f"overloads of {base}"
            known = [
                each.partition(".")[2] or "default"
                for each in names
                if each.partition(".")[0] == base
            ]
        else:
            # The operator without its overload has a problem of its own.
            has, kind = bool(overload) or hasattr(ops, base), "kernel's operators"
            known = sorted({each.partition(".")[0] for each in names})
        if not has:
            found = f"ops.{name}, which neither C++ nor Python registers"
            want = f"one of the {kind}: {', '.join(known) or 'it has none'}"
            near = get_close_matches(overload or base, known, 1)
            fix = f'did you mean "{near[0]}"?' if near else "register it, or remove the call"
            problems = warnings if call["conditional"] else errors
            problems.append(Problem(call["at"], found, want, fix))
    return errors, warnings
