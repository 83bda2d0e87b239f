"""Finds what `torch.compile` cannot do with an operator, or does with it in silence.

A composite operator (CompositeImplicitAutograd) is replaced by the operators that it calls, so
`torch.compile` never looks at its schema.
"""

import re
from collections.abc import Sequence
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.import_check.schemas import locate
from kernel_builder.messages.problem import Problem

COMPOSITE = "CompositeImplicitAutograd"
# Kernels that compute the form of a result. `register_fake` registers the first of them.
OF_FORMS = ("Meta", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
# Names of operators in a message.
SHOWN = 3
DEAD = "torch.compile removes calls of operators that seem to do nothing"
UNTRACED = "torch.compile ends its graph at operators without a fake implementation"
ALIASED = "torch.compile refuses operators that return one of their arguments"


def list_schemas(namespace: str) -> "dict[str, Any]":
    """Return the schemas of a namespace by the full name of the operator, with its overload."""
    import torch

    found = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.partition("::")[0] == namespace:
            found[f"{schema.name}.{schema.overload_name}".rstrip(".")] = schema
    return found


def _has_kernel(full: str, *keys: str) -> bool:
    import torch

    has = torch._C._dispatch_has_kernel_for_dispatch_key
    return any(has(full, key) for key in keys)


def find_dead(schemas: "dict[str, Any]", place: Place) -> "list[Problem]":
    """Return a problem for each operator that returns nothing and states no change of a tensor.

    An operator without tensors is run when the graph is recorded, and is none of these.
    """
    problems = []
    for full, schema in schemas.items():
        is_writing = any(each.alias_info and each.alias_info.is_write for each in schema.arguments)
        takes = [each.name for each in schema.arguments if "Tensor" in str(each.type)]
        if (
            schema.returns
            or is_writing
            or not takes
            or _has_kernel(full, COMPOSITE)
            or _has_effect(full)
        ):
            continue
        text = str(schema).partition("::")[2]
        marked = re.sub(r"\bTensor\b(?!\()", "Tensor(a!)", text, count=1)
        found = f"{text}, which returns nothing and states no change"
        want = "a schema that marks with `!` the tensors that the operator writes"
        such = "write" if len(takes) == 1 else "mark each tensor that it writes, such as in"
        fix = f'{such} "{marked}"; with `custom_op`: mutates_args=("{takes[0]}",)'
        problems.append(Problem(locate(full, place), found, want, fix))
    return problems


def _has_effect(full: str) -> bool:
    """Return whether the kernel has told Torch of an effect. The registry is private to Torch."""
    try:
        from torch._library.simple_registry import singleton
    except ImportError:
        return False
    return bool(getattr(getattr(singleton.find(full), "effect", None), "effect", None))


def find_aliased(schemas: "dict[str, Any]", place: Place) -> "list[Problem]":
    """Return a problem for each operator whose result is an argument, or a view of one."""
    problems = []
    for full, schema in schemas.items():
        kept = [str(each.type) for each in schema.returns if not each.alias_info]
        if len(kept) == len(schema.returns) or _has_kernel(full, COMPOSITE):
            continue
        text = str(schema).partition("::")[2]
        taken = text.rpartition(" -> ")[0]
        is_view = all(not each.alias_info.is_write for each in schema.returns if each.alias_info)
        if is_view:
            kept = [str(each.type) for each in schema.returns]
            taken = re.sub(r"Tensor\(\w+( -> \*)?\)", "Tensor", taken)
        results = kept[0] if len(kept) == 1 else f"({', '.join(kept)})"
        how = "let it return a copy" if is_view else "return the argument in Python"
        want = "results without an alias: torch.compile raises for every user of this operator"
        fix = f'write "{taken} -> {results}", and {how}'
        problems.append(Problem(locate(full, place), text, want, fix))
    return problems


def list_without_fake(schemas: "dict[str, Any]") -> "list[str]":
    """Return the operators that return tensors whose form nothing computes for `torch.compile`."""
    return sorted(
        full.partition("::")[2]
        for full, schema in schemas.items()
        if any("Tensor" in str(each.type) for each in schema.returns)
        and not _has_kernel(full, COMPOSITE, *OF_FORMS)
    )


def find_without_fake(
    names: "Sequence[str]", schemas: "dict[str, Any]", place: Place
) -> "list[Problem]":
    """Return one problem for all operators without a fake implementation, the `names`."""
    if not names:
        return []
    full = next(each for each in schemas if each.partition("::")[2] == names[0])
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if names[SHOWN:] else "")
    want = "a function that returns empty tensors of the form of the results, for torch.compile"
    fix = f'register it: @torch.library.register_fake(add_op_namespace_prefix("{names[0]}"))'
    return [Problem(locate(full, place), shown, want, fix)]
