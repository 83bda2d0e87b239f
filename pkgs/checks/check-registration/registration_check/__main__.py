"""Run the registration check: `python3 -m registration_check [--shown-as NAME] FOLDER`.

It reads Python files and runs nothing of them. It finds calls of `torch.library` whose name is a
string in the call, and gives their lines; the import check sees all other registrations. It also
finds what no import of the kernel meets: syntax and names that the oldest Python does not know,
imports in functions that cannot work, and files that hide modules of others. In a build,
`$out/calls.json` gets the calls for the import check, and `$out/schemas.json` what may be schemas.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from checking.problem import Problem, tell, warn

from registration_check.calls import find_unknown, list_uses
from registration_check.files import File, read_files
from registration_check.hiding import HIDDEN, find_hiding
from registration_check.imports import (
    Known,
    Package,
    find_broken_imports,
    find_covered,
    find_undeclared,
    find_unreadable,
)
from registration_check.newer import HEADLINE as NEWER
from registration_check.newer import find_newer
from registration_check.schemas import list_schemas

PREFIX = "add_op_namespace_prefix"
HEADLINE = f"operators would be shared with other builds: their names do not come from {PREFIX}"
BROKEN = "some Python code of the kernel cannot run"
# Functions of torch.library that register something. Their first parameter is its name, or a namespace.
FUNCTIONS = {
    "custom_op",
    "define",
    "impl",
    "impl_abstract",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_torch_dispatch",
    "register_vmap",
    "triton_op",
}
LIBRARIES = {"Library", "_scoped_library"}


def find_registrations(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls that would share a name with other builds, each with the string that is its name."""
    imported = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "torch.library"
        for alias in node.names
    }
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        written = ast.unparse(call.func)
        module, _, name = written.rpartition(".")
        if (name if module == "torch.library" else imported.get(written)) not in FUNCTIONS | LIBRARIES:
            continue
        argument = call.args[0]
        text = argument.values[0] if isinstance(argument, ast.JoinedStr) and argument.values else argument
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and (text is argument or "::" in text.value):
            yield call, text.value


def explain_registration(call: ast.Call, name: str, path: str, shown_as: str) -> Problem:
    """Return the problem for a registration in the file at `path`."""
    function = ast.unparse(call.func)
    source = f"from {'.' * (path.count('/') + 1)}_ops import"
    want = f"the namespace of this build; every other build would register {name!r}, too"
    if "::" in name or not function.endswith(tuple(LIBRARIES)):
        fix = f"write {function}({PREFIX}(…), …)\nwith `{source} {PREFIX}`"
    else:
        fix = f'write {function}(ops.name, "FRAGMENT")\nwith `{source} ops`'
    return Problem(f"{shown_as}/{path}:{call.lineno}", f"{function}({ast.unparse(call.args[0])}, …)", want, fix)


def check_file(file: File, shown_as: str) -> tuple[list[Problem], list[Problem]]:
    """Return the problems of a Python file, and those of its functions, which may never be called."""
    if file.tree is None:
        return [], []
    functions = (node for node in ast.walk(file.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    later = {node for function in functions for statement in function.body for node in ast.walk(statement)}
    found: tuple[list[Problem], list[Problem]] = ([], [])
    for call, name in find_registrations(file.tree):
        found[call in later].append(explain_registration(call, name, file.path, shown_as))
    return found


def main(arguments: list[str]) -> int:
    """Check the Python code below a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="registration_check", description=__doc__)
    parser.add_argument("--shown-as", help="the folder's name in messages (default: the folder)")
    parser.add_argument("--declared", help="JSON list of the modules that users have, besides Python's own")
    parser.add_argument("--assumed", default="[]", help="JSON list of those that the import check has, too")
    parser.add_argument("--allowed", default="[]", help="JSON list of those that python-depends may bring")
    parser.add_argument("--sources", default="{}", help="JSON object: C++ files that may define operators, by name")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    shown_as = options.shown_as or str(options.folder)
    files = read_files(options.folder, shown_as)
    package = Package(options.folder, files, shown_as)
    pairs = [check_file(file, shown_as) for file in files]
    unreadable, unused = find_unreadable(package)
    warn(f"if these functions are called, {HEADLINE}", [each for _, later in pairs for each in later])
    warn("Python cannot read these files, which nothing imports", unused)
    warn("Python never imports these files", find_covered(package))
    if options.declared is not None:
        declared, known = json.loads(options.declared), Known(json.loads(options.assumed), json.loads(options.allowed))
        warn("users may lack these packages", find_undeclared(package, declared, known))
        warn(HIDDEN, find_hiding(package, declared))
    warn(NEWER, find_newer(package))
    broken, idle = find_broken_imports(package)
    warn("these imports fail if the code around them runs", idle)
    shared = [each for now, _ in pairs for each in now]
    broken = [*unreadable, *broken]
    status = tell(HEADLINE if shared and not broken else BROKEN, [*broken, *shared])
    if out := os.environ.get("out"):
        sources = {name: Path(file) for name, file in json.loads(options.sources).items()}
        calls = {"unknown": find_unknown(files, sources.values()), "uses": list_uses(files)}
        Path(out, "calls.json").write_text(json.dumps(calls))
        Path(out, "schemas.json").write_text(json.dumps(list_schemas(sources)))
    if not status:
        print(f"registration: {len(files)} Python files, every operator in the build's own namespace")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
