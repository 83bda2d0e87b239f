"""Run the check in the folder `$package`; what it finds ends the build."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

env = os.environ
modules = Path("modules").resolve()
modules.mkdir()


def link(folder: str) -> str:
    """Make a folder of the store importable and return its name, which is without the hash there."""
    name = Path(folder).name.split("-", 1)[1]
    (modules / name).symlink_to(folder)
    return name


link(env["checking"])
check = link(env["package"])
sys.path.insert(0, str(modules))
# A check may leave there what it has learnt.
Path(env["out"]).mkdir()
status = import_module(f"{check}.__main__").main(json.loads(env["arguments"]))
if status:
    # What libraries say when a process ends would stand below the reason.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
