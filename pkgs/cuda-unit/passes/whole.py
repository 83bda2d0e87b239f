"""Compile a unit with device code in one go, for all targets: its flags do not let it be taken apart."""

import json
import os
import shutil
import sys

import steps

env = os.environ
targets = [word for one in json.loads(env["passes"]) for word in steps.target(one["name"], one["ptx"])]

steps.lay_out()
if not steps.run_all(steps.steps([*steps.compile_arguments("full"), *targets])):
    sys.exit(1)
shutil.copyfile(f"{steps.STEM}.o", env["out"])
