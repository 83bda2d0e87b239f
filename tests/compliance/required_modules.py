"""Print the modules that packages and all that they require bring, as this Python's metadata says.

Packages that this Python lacks are left out: no import of a kernel loads them.
"""

import json
import re
import sys
from importlib import metadata

from packaging.requirements import Requirement


def collect(project: str, found: "dict[str, set[str]]") -> None:
    """Add the modules of a project, and of those that it requires."""
    name = re.sub(r"[-_.]+", "-", project).lower()
    if name in found:
        return
    found[name] = set()
    try:
        files, requires = metadata.files(name) or [], metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for file in files:
        top = file.parts[0]
        if len(file.parts) > 1 and re.fullmatch(r"\w+", top):
            found[name].add(top)
        elif len(file.parts) == 1 and file.suffix == ".py":
            found[name].add(file.stem)
    for requirement in map(Requirement, requires):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            collect(requirement.name, found)


modules: "dict[str, set[str]]" = {}
for argument in sys.argv[1:]:
    collect(argument, modules)
print(json.dumps(sorted(set().union(*modules.values()))))
