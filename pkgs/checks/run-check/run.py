"""Run the check `$module` of the folder `$package`; the build fails if the check finds a problem."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

env = os.environ
modules = Path("modules").resolve()
modules.mkdir()


def link(folder: str) -> None:
    """Make a folder of the store importable under its name without the hash."""
    (modules / Path(folder).name.split("-", 1)[1]).symlink_to(folder)


link(env["checking"])
link(env["package"])
sys.path.insert(0, str(modules))
# A check may write results there.
Path(env["out"]).mkdir()
status = import_module(f"{env['module']}.__main__").main(json.loads(env["arguments"]))
if status:
    # End without exit handlers: libraries print messages at exit, which would follow the problem.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
