"""Compares the implementations of operators with their definitions and schemas."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

# A line of a dump of Torch's dispatcher: the dispatch key, and the place of the registration.
REGISTRATION = re.compile(r"^([^:\n]+): registered at (.+?:\d+)(?: :: .*)?$", re.MULTILINE)
# Messages of Torch about an operator that does not exist.
ABSENT = re.compile(
    r"(?:operator |Could not find schema for )(?P<space>\w+)::(?P<name>[\w.]+)(?: does not exist)?"
    r"|'_OpNamespace' '(?P<in>\w+)' object has no attribute '(?P<attribute>\w+)'"
)

# Types of defaults that schemas have as Python has them.
PLAIN = (bool, float, int, str, type(None))
# The operators that get gradients, each with an object that has their functions after the import.
GRADIENTS: Any = []


@dataclass(frozen=True)
class Implementation:
    """A Python function that the kernel registers: for an operator, as `kind` says."""

    operator: str
    kind: str
    function: "Callable[..., Any]"
    takes_keyset: bool = False


def watch_implementations(place: Place) -> "list[Implementation]":
    """Return a list that gets each implementation that the kernel's Python code registers."""
    import torch

    found: list[Implementation] = []
    library: Any = torch.library.Library
    names = {"impl": "implementation", "_register_fake": "fake implementation"}
    # The second one is private: other versions of Torch may lack it.
    for name, kind in names.items():
        if original := getattr(library, name, None):
            setattr(library, name, _watch(original, kind, place, found))
    grad: Any = torch._library.autograd
    make = grad.make_autograd_impl
    grad.make_autograd_impl = lambda op, info: GRADIENTS.append((op, info)) or make(op, info)
    return found


def _list_gradients(place: Place) -> "Iterator[tuple[Implementation, Any]]":
    """Yield the functions of `register_autograd`, each with a schema of how Torch calls it."""
    import torch

    for op, info in GRADIENTS:
        results = "".join(f", Tensor grad_{at}" for at in range(len(op._schema.returns)))
        more = ", Tensor keyword_only_inputs" * any(it.kwarg_only for it in op._schema.arguments)
        setup = f"setup_context(*, Tensor ctx, Tensor inputs{more}, Tensor output)"
        calls = {f"backward(Tensor ctx{results})": info._backward_fn, setup: info._setup_context_fn}
        for text, function in calls.items():
            if _is_of_kernel(function, place):
                found = Implementation(op._schema.name, text.partition("(")[0], function)
                yield found, torch._C.parse_schema(f"autograd::{text} -> ()")


def _watch(
    original: "Callable[..., Any]", kind: str, place: Place, found: "list[Implementation]"
) -> "Callable[..., Any]":
    def register(self: Any, op_name: Any, fn: Any, *arguments: Any, **keywords: Any) -> Any:
        name = getattr(op_name, "_name", None) or f"{self.ns}::{str(op_name).rpartition('::')[2]}"
        function = inspect.unwrap(fn) if callable(fn) else fn
        if _is_of_kernel(function, place):
            with_keyset = bool(keywords.get("with_keyset"))
            found.append(Implementation(name, kind, function, with_keyset))
        if kind != "implementation" and not arguments:
            # Torch looks for the caller, and this function is a frame more.
            keywords["_stacklevel"] = keywords.get("_stacklevel", 1) + 1
        return original(self, op_name, fn, *arguments, **keywords)

    return register


def _is_of_kernel(function: Any, place: Place) -> bool:
    code: Any = getattr(function, "__code__", None)
    return code is not None and place.has(code.co_filename)


def _list_custom() -> "dict[str, Any]":
    """Return the operators that `custom_op` defined, by name. Their list is private to Torch."""
    return dict(getattr(sys.modules.get("torch._library.custom_ops"), "OPDEFS", {}))


def locate(full: str, place: Place) -> str:
    """Return the line of an operator's definition, or the folder if nothing says it."""
    import torch

    places = dict(REGISTRATION.findall(torch._C._dispatch_dump(full)))
    return place.show_registered(places.get("debug", "/:0"))


def find_absent(problem: Problem, namespace: str) -> str:
    """Return the operator of a build that an import did not find; empty if it failed otherwise."""
    match = ABSENT.search(problem.found)
    if not match or (match["space"] or match["in"]) != namespace:
        return ""
    return str(match["name"] or match["attribute"])


def suggest_operator(problem: Problem, namespace: str) -> Problem:
    """Return the problem of an import with the operator that its text may mean, if it lacks one."""
    import torch

    if f"Tried to instantiate class '{namespace}." in problem.found:
        want = "a class that C++ registers: ops.class_<…>(NAME)"
        found = problem.found.replace(f"{namespace}.", "")
        return replace(problem, found=found, want=want, fix="correct the name, or register it")
    called = find_absent(problem, namespace)
    if not called:
        return problem
    has_schema, all_names = torch._C._dispatch_has_kernel, torch._C._dispatch_get_all_op_names()
    known = sorted(full for full in all_names if full.startswith(f"{namespace}::"))
    defined = [full.partition("::")[2] for full in known if has_schema(full)]
    near = get_close_matches(called, defined, 1)
    fix = f'did you mean "{near[0]}"?' if near else "correct the name, or define the operator"
    want = f"one of the kernel's operators: {', '.join(defined) or 'it has none'}"
    found = problem.found.replace(f"{namespace}::", "")
    return replace(problem, found=found, want=want, fix=fix)


def find_dangling(
    namespace: str, registered: "Sequence[str]", place: Place, texts: "dict[str, list[str]]"
) -> "tuple[list[Problem], set[tuple[str, str]]]":
    """Return a problem for each implementation of an operator that nothing defines.

    Torch keeps them, since another library may define the operator later. The second result has the
    operators that are probably meant, each with the dispatch key. `texts` has places in C++.
    """
    import torch

    find = getattr(torch._C, "_dispatch_find_dangling_impls", list)
    defined = sorted({schema.partition("(")[0] for schema in registered})
    problems, meant = [], set()
    for dump in find():
        space, _, name = dump.partition("\n")[0].replace("name: ", "").partition("::")
        if space != namespace:
            continue
        keys, places = zip(*REGISTRATION.findall(dump))
        near = get_close_matches(name, defined, 1)
        meant |= {(other, key) for other in near for key in keys}
        fix = f'did you mean "{near[0]}"?' if near else "correct the name, or define the operator"
        at = "\n".join(texts.get(name) or dict.fromkeys(map(place.show_registered, places)))
        found = f'impl("{name}", …) for {", ".join(dict.fromkeys(keys))}, which nothing defines'
        want = f"an operator that `def` defines: {', '.join(defined) or 'there is none'}"
        problems.append(Problem(at, found, want, fix))
    return problems, meant


def check_parameters(
    registered: "Sequence[Implementation]", schemas: "dict[str, Any]", place: Place
) -> "list[Problem]":
    """Return a problem for each Python function that Torch cannot call as a schema says.

    `schemas` are those of the build's operators, by name.
    """
    # Torch calls a function of its own, which calls the one that is given to `register_fake` later.
    fakes = (
        Implementation(name, "fake implementation", inspect.unwrap(custom._abstract_fn))
        for name, custom in _list_custom().items()
        if _is_of_kernel(getattr(custom, "_abstract_fn", None), place)
    )
    functions = [(each, schemas.get(each.operator)) for each in [*registered, *fakes]]
    problems = []
    for each, schema in [*functions, *_list_gradients(place)]:
        reason = schema and _find_mismatch(each, schema)
        if not reason:
            continue
        code, name = each.function.__code__, each.operator.partition("::")[2]
        at = place.show_frames([(code.co_filename, code.co_firstlineno, "", "")])
        parameters = inspect.signature(each.function)
        shown = f"({', '.join(parameters.parameters)})"
        found = f"the {each.kind} of {name} has the parameters {shown}: {reason}"
        want = f"the parameters of the schema {str(schema).partition('::')[2]}"
        first = ["keyset"] if each.takes_keyset else []
        wanted = ", ".join([*first, *_list_parameters(schema)])
        fix = f"write def {code.co_name}({wanted}), or correct the schema"
        problems.append(Problem(at, found, want, fix))
    return problems


def _find_mismatch(each: Implementation, schema: Any) -> str:
    """Return why Torch cannot call the function, or an empty string.

    Torch passes arguments by position, and those after `*` by name. It leaves out those that have
    the value of their default.
    """
    signature = inspect.signature(each.function)
    first = [None] if each.takes_keyset else []
    positional = [it for it in schema.arguments if not it.kwarg_only]
    named = [it for it in schema.arguments if it.kwarg_only]
    try:
        signature.bind(*first, *positional, **{it.name: it for it in named})
    except TypeError as error:
        return str(error)
    while positional and positional[-1].has_default_value():
        positional.pop()
    needed = {it.name: it for it in named if not it.has_default_value()}
    try:
        signature.bind(*first, *positional, **needed)
    except TypeError as error:
        return f"{error}, where a call has the default of the schema"
    names = [it.name for it in schema.arguments if not it.kwarg_only]
    stated = [*signature.parameters][len(first) : len(first) + len(names)]
    if stated != names and sorted(stated) == sorted(names):
        return "their order differs"
    values = {it.name: it.default_value for it in schema.arguments if it.has_default_value()}
    for name, other in signature.parameters.items():
        if name in values and isinstance(other.default, PLAIN) and other.default != values[name]:
            return f"{name} is {other.default!r} where a call has the default of the schema"
    return ""


def _list_parameters(schema: Any) -> "list[str]":
    shown, is_named = [], False
    for each in schema.arguments:
        if each.kwarg_only and not is_named:
            shown.append("*")
            is_named = True
        default = f"={each.default_value!r}" if each.has_default_value() else ""
        shown.append(f"{each.name}{default}")
    return shown
