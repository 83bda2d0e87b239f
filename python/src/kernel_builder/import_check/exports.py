"""Finds names in `__all__` that a module does not have: `from MODULE import *` would fail."""

import ast
from difflib import get_close_matches

from kernel_builder.import_check.names import lacks, list_modules
from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

LACKING = "`__all__` lists names that the module does not have"
WANT = "names of the module: `from MODULE import *` fails for all others"
FIX = "define it, import it, or remove it from `__all__`"


def check_exports(package: str, place: Place) -> "tuple[str, list[Problem]]":
    """Return a problem for each name in `__all__` that its module lacks."""
    found = []
    for module, file in list_modules(package, place):
        names = [*(vars(module).get("__all__") or ())]
        for name in [str(each) for each in names if lacks(module, str(each))]:
            lines = [
                each.lineno
                for each in ast.walk(ast.parse(file.read_bytes()))
                if isinstance(each, ast.Constant) and each.value == name
            ]
            at = place.show_frames([(str(file), line, "", "") for line in lines[-1:]])
            near = get_close_matches(name, [each for each in dir(module) if each not in names])
            fix = f"did you mean {near[0]!r}? Else {FIX}" if near else FIX
            found.append(Problem(at, f"the name {name!r}", WANT, fix))
    return LACKING, found
