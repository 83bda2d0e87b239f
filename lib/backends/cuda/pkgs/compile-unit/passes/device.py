"""Compile a unit's device code for one target, into the folder `$out`."""

import os
from pathlib import Path
from typing import IO, Optional

import device_pass
import steps

env = os.environ
found: "dict[str, steps.Step]" = {}


def compile_with(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the pass."""
    made = device_pass.compile_pass(steps.targets(), headers, output)
    found.update(made or {})
    return made is not None


steps.lay_out()
tried = steps.with_all_macros(steps.smallest_sets()) if env["torchHeaders"] == "lean" else []
headers = steps.with_fallback(f"sm_{env['arch']}", tried, compile_with)
device_pass.keep(found, env["arch"], headers, Path(env["out"]), target=steps.targets(), ptx=bool(env["ptx"]))
