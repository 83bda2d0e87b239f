"""Compares the operators that the Python files call with those that there are."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

# Functions that need an operator, and do not define one.
USES = re.compile(r"(^|\.)(register_\w+|impl|impl_abstract|opcheck)$")
PREFIX = "add_op_namespace_prefix"
# Exceptions of an operator that does not exist.
CATCHES = {"AttributeError", "RuntimeError", "NotImplementedError", "Exception", "BaseException"}

CPP_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*[\s\S]*?\*/')
# The name at the beginning of a string: `"answer(int a) -> int"`, `"answer"`, `"ns::answer"`.
CPP_STRING = re.compile(r'"(?:\w+::)?([A-Za-z]\w*)(?=[(."\s])')
# A macro that makes a string of its argument.
CPP_STRINGIZE = re.compile(r"#\s*define\b(?:[^\n]*\\\n)*[^\n]*[^#\n]#\s*[A-Za-z_]")


def read_tree(file: Path) -> "ast.Module | None":
    """Return the syntax of a Python file, or None for one that this Python cannot read."""
    try:
        # Bytes may begin with a line that names their coding.
        return ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return None


def list_calls(tree: ast.Module) -> "dict[str, int]":
    """Return the operators that a file names as `ops.NAME`, each with its first line.

    A call that catches the error of an operator that does not exist does not count.
    """
    names, modules = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            is_ops = (node.module or "").rpartition(".")[2] == "_ops"
            bound = {alias.name: alias.asname or alias.name for alias in node.names}
            names |= {bound["ops"]} if is_ops and "ops" in bound else set()
            modules |= {bound["_ops"]} if not node.module and "_ops" in bound else set()
    found: dict[str, int] = {}
    if names or modules:
        for node in _walk(tree, names | modules):
            if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
                owner = ast.unparse(node.value)
                if owner in names or owner in {f"{module}.ops" for module in modules}:
                    found.setdefault(node.attr, node.lineno)
    return found


def _walk(node: ast.AST, names: "set[str]") -> "Iterator[ast.AST]":
    """Yield the nodes below one, without functions that have `names` of their own."""
    yield node
    for child in ast.iter_child_nodes(node):
        is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if is_function and names & _list_bound(child):
            continue
        if isinstance(child, ast.Try) and _catches(child.handlers):
            for each in [*child.handlers, *child.orelse, *child.finalbody]:
                yield from _walk(each, names)
            continue
        yield from _walk(child, names)


def _list_bound(function: ast.AST) -> "set[str]":
    nodes = list(ast.walk(function))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    stored = (node for node in nodes if isinstance(node, ast.Name))
    return arguments | {node.id for node in stored if isinstance(node.ctx, ast.Store)}


def _catches(handlers: "Iterable[ast.ExceptHandler]") -> bool:
    kinds = [ast.unparse(each.type) if each.type else "Exception" for each in handlers]
    return any(CATCHES & set(re.findall(r"\w+", kind)) for kind in kinds)


def list_defined(tree: ast.Module) -> "set[str]":
    """Return the names that a file may define later, or asks for with `hasattr(ops, NAME)`."""
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and USES.search(ast.unparse(node.func)):
            used |= {id(each) for each in (node, *node.args)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and id(node) not in used:
            arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
            texts = [text for argument in arguments for text in _read_texts(argument)]
            found |= {re.split(r"[.(]", text.rpartition("::")[2])[0].strip() for text in texts}
    return found


def _read_texts(node: ast.expr) -> "Iterator[str]":
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from _read_texts(part)


def list_cpp(texts: "Iterable[str]") -> "set[str]":
    """Return the names that C++ code may define: for this backend, or behind `#if` for another."""
    found: set[str] = set()
    for text in texts:
        code = CPP_COMMENT.sub(lambda match: match[1] or " ", text)
        found |= set(CPP_STRING.findall(code))
        if CPP_STRINGIZE.search(code):
            found |= set(re.findall(r"\w+", code))
    return found


def find_unregistered(
    place: Place, missing: Sequence[str], registered: Sequence[str], sources: Iterable[str]
) -> "list[Problem]":
    """Return a problem for each call of an operator that nothing defines.

    `missing` are called names that the import did not register, `registered` those that it did,
    and `sources` paths of C++ files. A name that the kernel's code defines for another backend, or
    later, is no mistake: kernels have wrappers of operators that only another backend has.
    """
    trees = {file: read_tree(file) for file in sorted(place.folder.rglob("*.py"))}
    known = list_cpp(Path(source).read_text(errors="replace") for source in sources)
    known = known.union(*(list_defined(tree) for tree in trees.values() if tree))
    problems = []
    for file, tree in trees.items():
        for name, line in list_calls(tree).items() if tree else ():
            if name in missing and name not in known:
                near = get_close_matches(name, registered, 1)
                at = f"{place.shown_as}/{file.relative_to(place.folder)}:{line}"
                found = f"ops.{name}, which neither C++ nor Python registers"
                want = f"one of the kernel's operators: {', '.join(registered) or 'it has none'}"
                otherwise = "register it, or remove the call"
                fix = f'did you mean "{near[0]}"?' if near else otherwise
                problems.append(Problem(at, found, want, fix))
    return problems


def describe_unimplemented(operators: "Iterable[tuple[str, str]]", key: str) -> "list[Problem]":
    """Return a problem for each operator (name, place) without an implementation for `key`."""
    return [
        Problem(
            at,
            f"the operator {name}, which has no implementation for {key}",
            f"an implementation for {key} of every operator that this backend defines",
            f'write ops.impl("{name}", torch::k{key}, &FUNCTION), or give `def` the function;\n'
            "if only another backend has it, define it behind `#if defined(BACKEND_KERNEL)`",
        )
        for name, at in operators
    ]
