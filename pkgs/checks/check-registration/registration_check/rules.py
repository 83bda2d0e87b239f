"""Finds calls, as decorators or plain, that register an operator under a name of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from checking.problem import Problem

from registration_check.functions import LIBRARIES, METHODS, PREFIX, parameter_of
from registration_check.scopes import Scope, walk
from registration_check.values import Evaluator, Library, Path, Text, argument

LENGTH_SHOWN = 100


@dataclass(frozen=True)
class Module:
    """One Python file: its path in the package, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def dotted(self) -> str:
        """Its name below the package, `__init__` included."""
        return self.path[: -len(".py")].replace("/", ".")

    @property
    def dots(self) -> str:
        """How it names the package in a relative import."""
        return "." * (self.path.count("/") + 1)


def find_problems(modules: list[Module], shown_as: str, *, in_functions: bool = False) -> Iterator[Problem]:
    """Yield the calls that would share an operator with another build: those of importing the
    modules, or those in functions, which may never be called.
    """
    walked = {module.dotted: list(walk(module.tree)) for module in modules}
    evaluator = Evaluator({name: pairs[0][1] for name, pairs in walked.items()})
    for module in modules:
        later = set(_nodes_in_functions(module.tree))
        for node, scope in walked[module.dotted]:
            if isinstance(node, ast.Call) and (node in later) == in_functions:
                problem = next(_judge(node, scope, evaluator, module), None)
                if problem:
                    found, want, fix = problem
                    yield Problem(f"{shown_as}/{module.path}:{node.lineno}", found, want, fix)


def _nodes_in_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what runs when a function is called; its decorators and defaults run before."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in node.body:
                yield from ast.walk(statement)
        elif isinstance(node, ast.Lambda):
            yield from ast.walk(node.body)


def _judge(call: ast.Call, scope: Scope, evaluator: Evaluator, module: Module) -> Iterator[tuple[str, str, str]]:
    """Yield what is found, wanted and to be done about one call."""
    for function in evaluator.values(call.func, scope):
        if not isinstance(function, Path):
            continue
        if function.value == "functools.partial" and call.args:
            inner = ast.Call(func=call.args[0], args=call.args[1:], keywords=call.keywords)
            yield from _judge(ast.copy_location(inner, call), scope, evaluator, module)
        parameter = parameter_of(function.value)
        if parameter:
            name = argument(call, 0, parameter)
            for value in evaluator.values(name, scope):
                if isinstance(value, Library) and value.namespace:
                    yield _on_library(call, value, module)
                elif isinstance(value, Text) and (value.is_whole or "::" in value.value):
                    yield _literal(call, value, module)
        elif function.value in LIBRARIES:
            for value in evaluator.values(call, scope):
                if isinstance(value, Library) and value.namespace:
                    yield _library(call, value, module)
    if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        name = argument(call, 0, METHODS[call.func.attr])
        for receiver in evaluator.values(call.func.value, scope):
            for value in evaluator.values(name, scope):
                if isinstance(receiver, Library) and isinstance(value, Text):
                    if receiver.namespace:
                        yield _on_library(call, receiver, module)
                    elif "::" in value.value.partition("(")[0]:
                        yield _literal(call, value, module)


def _literal(call: ast.Call, value: Text, module: Module) -> tuple[str, str, str]:
    name = value.value.rpartition("::")[2].partition("(")[0]
    text = f'"{name}"' if value.is_whole and name else "…"
    found = _source(call, module)
    # A name that comes from elsewhere is shown as well.
    if value.value not in found:
        found += f"\nwhose name is {value.value!r}" if value.is_whole else f"\nwhose name begins with {value.value!r}"
    return (
        found,
        f"a name in the namespace of this build, from {PREFIX}",
        f"write {ast.unparse(call.func)}({PREFIX}({text}), …)\nwith `{_import(module, PREFIX)}`",
    )


def _library(call: ast.Call, library: Library, module: Module) -> tuple[str, str, str]:
    return (
        _source(call, module),
        f"the namespace of this build; every other build would register in {library.namespace!r} too",
        f'write {ast.unparse(call.func)}(ops.name, "FRAGMENT")\nwith `{_import(module, "ops")}`',
    )


def _on_library(call: ast.Call, library: Library, module: Module) -> tuple[str, str, str]:
    return (
        f"{_source(call, module)}\non a library with the namespace {library.namespace!r}",
        "a registration in the namespace of this build",
        f'make the library with Library(ops.name, "FRAGMENT")\nand `{_import(module, "ops")}`',
    )


def _import(module: Module, name: str) -> str:
    return f"from {module.dots}_ops import {name}"


def _source(call: ast.Call, module: Module) -> str:
    """Return the call as it stands there, on one line."""
    text = " ".join((ast.get_source_segment(module.text, call) or "").split())
    return text if len(text) <= LENGTH_SHOWN else text[: LENGTH_SHOWN - 1] + "…"
