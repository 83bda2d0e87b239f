"""Gather the passes of a unit in one object, `$out`, which holds the fat binary.

Every kernel that the host registers must be in the code of every target, and none besides:
the passes may have been compiled with other headers than the host's part.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

env = os.environ
passes = [Path(path) for path in env["passes"].split()]
described = [json.loads((path / "pass.json").read_text()) for path in passes]


def registered(path: Path) -> "set[str]":
    """Return the kernels that the host registers, by their names in the device code."""
    return set(re.findall(r"__cudaRegisterEntry\([^;]*, (\w+), [^,;]*\);", (path / "stub.c").read_text()))


def compiled(path: Path) -> "set[str]":
    """Return the kernels in a target's code: the functions that are marked as entries."""
    listing = subprocess.run(
        ["readelf", "--symbols", "--wide", str(path / "cubin")], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return {line.split()[-1] for line in listing.splitlines() if " FUNC " in line and "[<other>: 10]" in line}


images = []
for path, facts in zip(passes, described):
    if registered(path) != registered(passes[0]) or compiled(path) != registered(path):
        missing = sorted(registered(passes[0]) - compiled(path))
        extra = sorted(compiled(path) - registered(passes[0]))
        sys.exit(
            "the passes of a unit do not fit together\n\n"
            f"at     sm_{facts['arch']}, compiled with {facts['headers']} headers\n"
            f"found  without {', '.join(missing) or 'nothing'}; with {', '.join(extra) or 'nothing'} besides\n"
            "want   the same kernels for every target\n"
            "fix    a kernel must not depend on __CUDA_ARCH__; only what is in it may"
        )
    arch = facts["arch"]
    images.append(f"--image3=kind=elf,sm={arch},file={path}/cubin")
    if (path / "ptx").exists():
        images.append(f"--image3=kind=ptx,sm={arch},file={path}/ptx")

subprocess.run(["fatbinary", "--create=unit.fatbin", "-64", *described[0]["options"], *images], check=True)
symbol = env["fatbinSymbol"]
Path("unit.s").write_text(
    f'.section .nv_fatbin, "a"\n.balign 8\n.globl {symbol}\n.hidden {symbol}\n{symbol}:\n.incbin "unit.fatbin"\n'
    '.section .note.GNU-stack,"",%progbits\n'
)
subprocess.run(["as", "unit.s", "-o", env["out"]], check=True)
report = [{"unit": env["source"], "part": f"sm_{facts['arch']}", "headers": facts["headers"]} for facts in described]
Path(env["report"]).write_text(json.dumps(report) + "\n")
