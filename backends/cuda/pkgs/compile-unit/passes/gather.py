"""Combine the passes of a unit in one object, `$out`, which holds the fat binary.

The code of every target should have exactly the kernels that the host registers. nvcc does not
check this, so a difference is a warning. If lean headers can be the reason, because passes used
different headers or the host pass found lost kernels, passes are first compiled again with
Torch's full headers.
"""

import json
import os
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import device_pass
import steps
from listing import registered, with_most

env = os.environ
passes = [Path(path) for path in env["passes"].split()]
# Header of a fat binary: magic number, version, size of the header, size of the content.
HEADER = struct.Struct("<IHHQ")
packing = env["packing"].split("\n")


def describe(path: Path) -> "dict[str, Any]":
    """Return the facts that a pass stores about itself."""
    return dict(json.loads((path / "pass.json").read_text()))


def compiled(path: Path) -> "set[str]":
    """Return the kernels in a target's code, which are the functions marked as entries."""
    listing = subprocess.run(
        ["readelf", "--symbols", "--wide", str(path / "cubin")], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return {line.split()[-1] for line in listing.splitlines() if " FUNC " in line and "[<other>: 10]" in line}


def pack(group: "list[Path]") -> bytes:
    """Return the packed fat binary entries of passes."""
    packed = Path(f"{group[0].name}.fatbin")
    images = [
        f"--image3=kind={kind},sm={describe(path)['arch']},file={path / file}"
        for path in group
        for kind, file in (("elf", "cubin"), ("ptx", "ptx"))
        if (path / file).exists()
    ]
    subprocess.run(["fatbinary", f"--create={packed}", "-64", *described[0]["options"], *packing, *images], check=True)
    return packed.read_bytes()[HEADER.size :]


def compare(passes: "list[Path]", lister: Path) -> "list[str]":
    """Return a text for each pass whose kernels differ from those that the host registers."""
    kernels, listed = registered(lister), describe(lister)
    found = []
    for path in passes:
        own = compiled(path)
        missing, extra = sorted(kernels - own), sorted(own - kernels)
        if missing or extra:
            facts = describe(path)
            found.append(
                f"at     {env['source']} for sm_{facts['arch']}, compiled with {facts['headers']} headers\n"
                f"found  without {', '.join(missing) or 'nothing'}; with {', '.join(extra) or 'nothing'} besides, "
                f"compared with sm_{listed['arch']}, compiled with {listed['headers']} headers\n"
                "want   the same kernels for every target\n"
            )
    return found


# The host pass was compiled with the kernel list of one of these passes.
lister = with_most([Path(path) for path in env["listedBy"].split()])
(host,) = json.loads(Path(env["hostReport"]).read_text())
why = ""
if "lost" in host:
    why = f"with lean ones the device code lacks {', '.join(host['lost'])}"
elif len({describe(path)["headers"] for path in passes}) > 1 and compare(passes, lister):
    why = "with lean ones the targets have different kernels"
if why:
    print(f"{env['source']}: {why}; compiled again with Torch's own headers", flush=True)
    again = Path("again").resolve()
    steps.lay_out()
    places = {path: again / describe(path)["arch"] if describe(path)["headers"] == "lean" else path for path in passes}
    for path, place in places.items():
        if place != path:
            device_pass.compile_again(path, place)
    passes, lister = [places[path] for path in passes], places[lister]
for found in compare(passes, lister):
    print(
        f"warning: the passes of a unit do not fit together\n\n{found}"
        "fix    nothing, if what one of them lacks is not launched there; "
        "else let only what is in a kernel depend on __CUDA_ARCH__",
        flush=True,
    )
described = [describe(path) for path in passes]

# One call of `fatbinary` compresses passes one by one, to the same bytes; with `--concat`, several as one block.
groups = [passes] if "--concat" in packing else [[path] for path in passes]
with ThreadPoolExecutor(int(env["NIX_BUILD_CORES"]) or None) as workers:
    entries = b"".join(workers.map(pack, groups))
Path("unit.fatbin").write_bytes(HEADER.pack(0xBA55ED50, 1, HEADER.size, len(entries)) + entries)
symbol = env["fatbinSymbol"]
Path("unit.s").write_text(
    f'.section .nv_fatbin, "a"\n.balign 8\n.globl {symbol}\n.hidden {symbol}\n{symbol}:\n.incbin "unit.fatbin"\n'
    '.section .note.GNU-stack,"",%progbits\n'
)
subprocess.run(["as", "unit.s", "-o", env["out"]], check=True)
report = [
    {"unit": env["source"], "part": f"sm_{facts['arch']}", "headers": facts["headers"], **({"why": why} if why else {})}
    for facts in described
]
Path(env["report"]).write_text(json.dumps(report) + "\n")
