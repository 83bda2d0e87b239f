"""Run the check `$module` of `$packages`; the build fails if the check finds a problem."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

env = os.environ
modules = Path("modules").resolve()
for name, place in json.loads(env["packages"]).items():
    (modules / name).parent.mkdir(parents=True, exist_ok=True)
    (modules / name).symlink_to(place)
sys.path.insert(0, str(modules))
# A check may write results there.
Path(env["out"]).mkdir()
status = import_module(f"{env['module']}.__main__").main(json.loads(Path(env["argumentsPath"]).read_text()))
if status:
    # End without exit handlers: libraries print messages at exit, which would follow the problem.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
