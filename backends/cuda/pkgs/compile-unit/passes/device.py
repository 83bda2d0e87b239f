"""Compile a unit's device code for one target, into the folder `$out`."""

from __future__ import annotations

import os

import device_pass
import steps

env = os.environ
found: dict[str, steps.Step] = {}


def compile_with(headers: str, output: steps.Output) -> bool:
    """Run the pass."""
    made = device_pass.compile_pass(steps.targets(), headers, output)
    found.update(made or {})
    return made is not None


steps.lay_out()
tried = [steps.PLAIN] if "optionalFlags" in env else []
if env["torchHeaders"] == "lean":
    tried = steps.with_all_macros(steps.smallest_sets())
headers = steps.with_fallback(f"sm_{env['arch']}", tried, compile_with)
device_pass.keep(found, env["arch"], headers, env["out"], target=steps.targets(), ptx=bool(env["ptx"]))
