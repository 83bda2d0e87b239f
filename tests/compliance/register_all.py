"""Imports files that register operators and prints as JSON what the import check sees of each.

`python3 register_all.py < TEXTS` takes texts by name; each runs in a process of its own.
"""

import builtins
import json
import os
import sys
import tempfile
from pathlib import Path

from torch.utils._python_dispatch import TorchDispatchMode

from kernel_builder.import_check.operators import watch_registrations
from kernel_builder.import_check.problems import Place

OPS = """\
import torch
ops = torch.ops._tiny_cpu_0


def add_op_namespace_prefix(name):
    return f"_tiny_cpu_0::{name}"


torch_add_op_namespace_prefix = add_op_namespace_prefix
"""


def see(text: str) -> "list[str]":
    """Return the places of foreign registrations, and the exception if there is one."""
    folder = Path(tempfile.mkdtemp(dir=Path.cwd())) / "tiny"
    folder.mkdir()
    (folder / "__init__.py").write_text(text)
    (folder / "_ops.py").write_text(OPS)
    sys.path.insert(0, str(folder.parent))
    vars(builtins).update(f=lambda x: x, backward=lambda _, x: x, name="op", Mode=TorchDispatchMode)
    problems = watch_registrations(Place(folder, "tiny"), "_tiny_cpu_0")
    raised = []
    try:
        __import__("tiny")
    except Exception as error:
        raised = [repr(error)]
    return [problem.at for problem in problems] + raised


seen = {}
for case, source in json.load(sys.stdin).items():
    answer, end = os.pipe()
    if os.fork() == 0:
        os.write(end, json.dumps(see(source)).encode())
        os._exit(0)
    os.close(end)
    with os.fdopen(answer) as stream:
        seen[case] = json.loads(stream.read())
    os.wait()
print(json.dumps(seen))
