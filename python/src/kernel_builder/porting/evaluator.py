"""Evaluates a Python file by its syntax tree, and runs nothing of it.

Both branches of a test with an unknown value are read, and lists hold what either adds.
"""

import ast
import posixpath
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from kernel_builder.porting.known_functions import UNKNOWN, call_known
from kernel_builder.porting.project import Project, Word

MAX_STEPS: Final = 100_000
# Functions that a file does not define, by their names: of positional and named arguments, and of
# the line of the call.
Functions = Mapping[str, Callable[[Sequence[Any], dict[str, Any], int], None]]
Find = Callable[[str], Any]
_ORDER: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Evaluator(ast.NodeVisitor):
    """Evaluates a file of a project, with functions and with values of other names.

    `find` gets the text of a name or a call that the file does not define. The visit of an
    expression returns its value, that of a statement True if it surely returns.
    """

    def __init__(self, project: Project, file: str, functions: Functions, find: Find) -> None:
        self._project, self._file = project, file
        self._functions, self._find_value = functions, find
        self._lines = project.read(file).encode().splitlines()
        # The variables of the module and of each call; the result of a call is that named "return".
        self._scopes: list[dict[str, Any]] = [{}]
        self._steps = self._unsure = 0

    def evaluate(self) -> None:
        """Evaluate the file; a note says what cannot be read."""
        try:
            self._run(ast.parse(self._project.read(self._file), self._file).body)
        except (SyntaxError, ValueError, TypeError, LookupError) as error:
            line = getattr(error, "lineno", 0) or 0
            self._project.leave(self._file, line, f"it cannot be read as Python: {error}")
        except (TimeoutError, RecursionError, MemoryError):
            self._project.leave(self._file, 0, "it is too much work: only its start was read")

    def visit(self, node: ast.AST) -> Any:
        self._pay(1)
        value = super().visit(node)
        if isinstance(value, str) and not isinstance(value, Word):
            self._pay(len(value) // 100)
            return Word(value, getattr(node, "lineno", 0))
        return value

    def _pay(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TimeoutError

    def generic_visit(self, node: ast.AST) -> Any:
        return UNKNOWN if isinstance(node, ast.expr) else False

    # Statements.

    def _run(self, body: Sequence[ast.stmt]) -> bool:
        return any(self.visit(node) is True for node in body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scopes[-1][node.name] = node

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        value = self.visit(node.value) if node.value else UNKNOWN
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._assign(target, value)

    visit_AnnAssign = visit_Assign  # noqa: N815  (names of ast)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old, new = self.visit(node.target), self.visit(node.value)
        if isinstance(old, list):
            self._extend(old, new)
        else:
            self._assign(node.target, self._add(old, new))

    def visit_Expr(self, node: ast.Expr) -> None:
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> bool:
        self._scopes[-1]["return"] = self.visit(node.value) if node.value else None
        return not self._unsure

    def visit_If(self, node: ast.If) -> bool:
        test = self.visit(node.test)
        if test is not UNKNOWN:
            return self._run(node.body if test else node.orelse)
        self._unsure += 1
        self._run([*node.body, *node.orelse])
        self._unsure -= 1
        return False

    def visit_For(self, node: ast.For) -> bool:
        items = self.visit(node.iter)
        for item in items if isinstance(items, list) else [UNKNOWN]:
            self._assign(node.target, item)
            if self._run(node.body):
                return True
        return False

    def visit_Try(self, node: ast.Try) -> bool:
        return self._run([*node.body, *node.orelse, *node.finalbody])

    def _assign(self, target: ast.expr, value: Any) -> None:
        place, key = self._scopes[-1], getattr(target, "id", None)
        if isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, list) and len(value) == len(target.elts)
            for at, each in enumerate(target.elts):
                self._assign(each, value[at] if known else UNKNOWN)
        elif isinstance(target, ast.Subscript):
            place, key = self.visit(target.value), self.visit(target.slice)
        if isinstance(place, dict) and isinstance(key, str):
            old = place.get(key)
            is_both = self._unsure and isinstance(old, list) and isinstance(value, list)
            place[key] = self._add(old, value) if is_both else value

    # Expressions.

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts = [self.visit(each) for each in node.values]
        is_text = all(isinstance(each, str) for each in parts)
        return call_known(self._project, "join", "", [parts], self._pay) if is_text else UNKNOWN

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        value = self.visit(node.value)
        return str(value) if type(value) is int else value

    def visit_Name(self, node: ast.Name) -> Any:
        for scope in (self._scopes[-1], self._scopes[0], self._functions):
            if node.id in scope:
                return scope[node.id]
        return self._find_outside(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        place = self.visit(node.value)
        if isinstance(place, str):
            return posixpath.dirname(place) if node.attr == "parent" else UNKNOWN
        return self._functions.get(node.attr) or self._find_outside(node)

    def _find_outside(self, node: ast.expr) -> Any:
        """Return the value of a name that the file does not define."""
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        text = self._lines[node.lineno - 1][node.col_offset : end][:200]
        return self._find_value(text.decode(errors="replace"))

    def visit_List(self, node: ast.List | ast.Set | ast.Tuple) -> list[Any]:
        found: list[Any] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                self._extend(found, self.visit(each.value))
            else:
                found.append(self.visit(each))
        return found

    visit_Set = visit_Tuple = visit_List  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> dict[str, Any]:
        pairs = [(self.visit(k), self.visit(v)) for k, v in zip(node.keys, node.values) if k]
        return {key: value for key, value in pairs if isinstance(key, str)}

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return posixpath.join(left, right)
        if isinstance(node.op, ast.Sub) and isinstance(left, list) and isinstance(right, list):
            gone = {each for each in right if isinstance(each, str)}
            return [each for each in left if not isinstance(each, str) or each not in gone]
        return self._add(left, right) if isinstance(node.op, ast.Add) else UNKNOWN

    def _add(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        lists = [each for each in (left, right) if isinstance(each, list)]
        self._pay(sum(map(len, lists)) // 20)
        return [*chain(*lists)] if lists else UNKNOWN

    def _extend(self, place: list[Any], items: Any) -> None:
        if isinstance(items, list):
            self._pay(len(items) // 20)
            place += items

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        items, found = self.visit(node.generators[0].iter), []
        for item in items if isinstance(items, list) else []:
            self._assign(node.generators[0].target, item)
            if all(self.visit(test) for test in node.generators[0].ifs):
                found.append(self.visit(node.elt))
        return found

    visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, right, op = self.visit(node.left), self.visit(node.comparators[0]), node.ops[0]
        known = right is not UNKNOWN and isinstance(left, (str, int, type(None)))
        if not known or len(node.ops) > 1 or isinstance(op, _ORDER):
            return UNKNOWN
        # Things that a machine lacks are False here.
        left = None if left is False and right is None else left
        is_same = left in right if isinstance(op, (ast.In, ast.NotIn)) else left == right
        return is_same != isinstance(op, (ast.NotEq, ast.IsNot, ast.NotIn))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        values, is_and = [self.visit(each) for each in node.values], isinstance(node.op, ast.And)
        decisive = [each for each in values if each is not UNKNOWN and bool(each) != is_and]
        return decisive[0] if decisive else UNKNOWN if UNKNOWN in values else values[-1]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not) and value is not UNKNOWN:
            return not value
        return -value if isinstance(node.op, ast.USub) and isinstance(value, int) else UNKNOWN

    def visit_Slice(self, node: ast.Slice) -> slice:
        ends = [self.visit(each) if each else None for each in (node.lower, node.upper)]
        return slice(*(each if isinstance(each, int) else None for each in ends))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        place, key = self.visit(node.value), self.visit(node.slice)
        try:
            return place[key]
        except (LookupError, TypeError):
            return UNKNOWN

    # Calls.

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            name, place = node.func.attr, self.visit(node.func.value)
            function = self._functions.get(name)
        else:
            name, place = getattr(node.func, "id", ""), UNKNOWN
            function = self.visit(node.func)
        args = self.visit_List(ast.List(elts=node.args))
        words: dict[str, Any] = {}
        for each in node.keywords:
            value = self.visit(each.value)
            words |= {each.arg: value} if each.arg else value if isinstance(value, dict) else {}
        if isinstance(function, ast.FunctionDef):
            return self._enter(function, args, words)
        if callable(function):
            return function(args, words, node.lineno)
        if name == "getenv":
            place, name = self._find_value("os.environ"), "get"
        if isinstance(place, list) and name in ("append", "extend"):
            return self._extend(place, args if name == "append" else args and args[0])
        try:
            value = call_known(self._project, name, place, args, self._pay)
        except (LookupError, TypeError, ValueError):
            value = UNKNOWN
        is_own = name == "get" or isinstance(place, (str, list, dict))
        return value if is_own or value is not UNKNOWN else self._find_outside(node)

    def _enter(self, function: ast.FunctionDef, args: Sequence[Any], words: dict[str, Any]) -> Any:
        names = [each.arg for each in function.args.args]
        defaults = map(self.visit, reversed(function.args.defaults))
        scope = dict(zip(reversed(names), defaults))
        self._scopes.append(scope | dict(zip(names, args)) | words)
        unsure, self._unsure = self._unsure, 0
        self._run(function.body)
        self._unsure = unsure
        return self._scopes.pop().get("return")
