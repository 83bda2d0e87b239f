"""Collects the problems of a kernel's operators, and the facts about them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder.import_check import boxed, compiling, ffi, operators, schemas, uses
from kernel_builder.import_check.problems import FAILED, Place
from kernel_builder.messages.problem import Problem

FOREIGN = (
    "operators would be shared with other builds: "
    "their names do not come from add_op_namespace_prefix"
)
CHANGED = "the kernel changes operators that are not its own"
DANGLING = "operators are implemented that nothing defines"
UNREGISTERED = "the kernel calls operators that it does not have"
UNREGISTERED_THERE = "the kernel would call operators that it does not have, under a condition"
UNIMPLEMENTED = "operators have no implementation for the backend of this variant"
USELESS = "no operator has an implementation for the backend of this variant"
UNCALLABLE = "Torch cannot call Python functions as the schemas of their operators say"
SEVERAL = "the kernel's operators are not right"
REPEATED = "operators have several implementations for one dispatch key"
# Problems under a headline.
Group = tuple[str, "list[Problem]"]


@dataclass(frozen=True)
class Watched:
    """The registrations of an import: foreign names in Python, functions of Python, and of C++.

    `shared` are the names that TVM FFI has before it.
    """

    place: Place
    options: "dict[str, Any]"
    namespace: str
    foreign: "list[Problem]"
    functions: "list[schemas.Implementation]"
    stable: "list[boxed.Registration]"
    shared: "set[str]"


def watch(place: Place, options: "dict[str, Any]", namespace: str) -> Watched:
    """Watch the registrations of the import that follows."""
    folder, foreign = options.get("boxed"), operators.watch_registrations(place, namespace)
    functions = schemas.watch_implementations(place)
    stable = boxed.watch_boxed(Path(folder)) if folder else []
    return Watched(place, options, namespace, foreign, functions, stable, ffi.list_names())


def check_operators(
    watched: Watched, ops: Any, raised: "list[Problem]"
) -> "tuple[list[Group], list[Group], dict[str, Any]]":
    """Return the errors, the warnings and the facts of the operators that the import registered.

    `raised` is the problem of the import itself, which may not have registered all of them.
    """
    place, options, namespace = watched.place, watched.options, watched.namespace
    sources, key = options.get("sources", ()), options.get("dispatch_key")
    in_cpp, changed, empty = operators.check_registered(namespace, sources, key)
    known = compiling.list_schemas(namespace)
    registered = sorted(str(schema).partition("::")[2] for schema in known.values())
    # An operator in another namespace is what an import does not find.
    failed = [each for each in raised if schemas.find_absent(each, namespace) not in in_cpp]
    texts = json.loads(Path(options["schemas"]).read_text()) if "schemas" in options else {}
    # After an import that failed, the definition may be what is missing.
    dangling, meant = (
        ([], set()) if raised else schemas.find_dangling(namespace, registered, place, texts)
    )
    # An operator that a misspelt implementation is meant for does not lack one.
    lacking = [empty[name] for name in empty if (name, key) not in meant]
    without, unfaked = operators.list_without_code(known, key), compiling.list_without_fake(known)
    errors = [
        (FOREIGN, [*dict.fromkeys([*watched.foreign, *in_cpp.values()])]),
        (CHANGED, changed + operators.find_fallbacks(sources)),
        (FAILED, [schemas.suggest_operator(each, namespace) for each in failed]),
    ]
    repeated = operators.find_repeated(known, sources, place)
    warnings = [(UNIMPLEMENTED, lacking), (REPEATED, repeated)]
    if not raised:
        called = json.loads(Path(options["calls"]).read_text()) if "calls" in options else {}
        functions = ffi.list_functions(place, ops) if watched.shared else []
        unknown, uncertain = operators.find_unregistered(
            called.get("unknown", {}), ops, registered + functions
        )
        unfit, unfit_there = uses.find_unfit(called.get("uses", ()), known)
        warnings += [(UNREGISTERED_THERE, uncertain), (uses.UNFIT_THERE, unfit_there)]
        errors += [
            (DANGLING, dangling),
            (boxed.MISMATCH, boxed.check_boxed(watched.stable, options.get("boxed"), known)),
            (UNREGISTERED, unknown),
            (uses.UNFIT, unfit),
            (USELESS, lacking if without and len(without) == len(registered) else []),
        ]
    warnings += [
        (UNCALLABLE, schemas.check_parameters(watched.functions, known, place)),
        (compiling.DEAD, compiling.find_dead(known, place)),
        (compiling.ALIASED, compiling.find_aliased(known, place)),
        (compiling.UNTRACED, compiling.find_without_fake(unfaked, known, place)),
    ]
    facts = {
        "operators": registered,
        "operators-without-code": without,
        "operators-without-fake": unfaked,
        "shared": ffi.list_shared(watched.shared, namespace),
    }
    return [group for group in errors if group[1]], warnings, facts
