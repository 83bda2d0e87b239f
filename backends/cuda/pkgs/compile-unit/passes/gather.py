"""Combine the passes of a unit in one object, `$out`, which holds the fat binary.

The code of every target should have exactly the kernels that the host registers. nvcc does not
check this, so a difference is a warning in the output `$findings`. If lean headers can be the
reason, because passes used different headers or the host pass found lost kernels, passes are first
compiled again with Torch's full headers.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path

import findings
from listing import registered, with_most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

env = os.environ
passes = [Path(path) for path in env["passes"].split()]
# Header of a fat binary: magic number, version, size of the header, size of the content.
HEADER = struct.Struct("<IHHQ")
# The header of an ELF file: the place of its table of sections, and the number of sections.
ELF = struct.Struct("<40xQ12xH")
# A section: its kind, place, size, and the section of its names.
SECTION = struct.Struct("<4xI16xQQI20x")
# A symbol: the place of its name, its kind, and flags.
SYMBOL = struct.Struct("<IBB18x")
SYMBOLS, FUNCTION, ENTRY = 2, 2, 0x10
packing = env["packing"].split("\n")


def describe(path: Path) -> dict[str, Any]:
    """Return the facts that a pass stores about itself."""
    return dict(json.loads((path / "pass.json").read_text()))


def compiled(path: Path) -> set[str]:
    """Return the kernels in a target's code, which are the functions marked as entries."""
    code = (path / "cubin").read_bytes()
    start, count = ELF.unpack_from(code)
    sections = [SECTION.unpack_from(code, start + number * SECTION.size) for number in range(count)]
    tables = [(place, size, sections[link][1]) for kind, place, size, link in sections if kind == SYMBOLS]
    return {
        code[names + name : code.index(b"\0", names + name)].decode()
        for place, size, names in tables
        for name, kind, flags in SYMBOL.iter_unpack(code[place : place + size])
        if kind & 15 == FUNCTION and flags & ENTRY
    }


def run(calls: Iterable[list[str]]) -> None:
    """Run programs, as many at once as there are cores."""
    cores, running = int(env["NIX_BUILD_CORES"]) or len(os.sched_getaffinity(0)), 0

    def wait() -> None:
        if os.wait()[1]:
            sys.exit(1)

    for argv in calls:
        if running == cores:
            wait()
            running -= 1
        os.posix_spawnp(argv[0], argv, env)
        running += 1
    for _ in range(running):
        wait()


def packed(group: list[Path]) -> Path:
    """Return the file for the packed fat binary entries of passes."""
    return Path(f"{group[0].name}.fatbin")


def pack(group: list[Path]) -> list[str]:
    """Return the call that packs the entries of passes."""
    images = [
        f"--image3=kind={kind},sm={describe(path)['arch']},file={path / file}"
        for path in group
        for kind, file in (("elf", "cubin"), ("ptx", "ptx"))
        if (path / file).exists()
    ]
    return ["fatbinary", f"--create={packed(group)}", "-64", *described[0]["options"], *packing, *images]


def compare(passes: list[Path], lister: Path) -> list[dict[str, str]]:
    """Return a problem for each pass whose kernels differ from those that the host registers."""
    kernels, listed = registered(lister), describe(lister)
    found = []
    for path in passes:
        own = compiled(path)
        missing, extra = sorted(kernels - own), sorted(own - kernels)
        if missing or extra:
            facts = describe(path)
            besides = f"with {', '.join(extra) or 'nothing'} besides"
            other = f"compared with sm_{listed['arch']}, compiled with {listed['headers']} headers"
            found.append(
                {
                    "at": f"{env['source']} for sm_{facts['arch']}, compiled with {facts['headers']} headers",
                    "found": f"without {', '.join(missing) or 'nothing'}; {besides}, {other}",
                    "want": "the same kernels for every target",
                    "fix": "nothing, if what one of them lacks is not launched there; else let only what is in a "
                    "kernel depend on __CUDA_ARCH__ (docs/troubleshooting/parts-of-a-unit.md)",
                }
            )
    return found


# The host pass was compiled with the kernel list of one of these passes.
lister = with_most([Path(path) for path in env["listedBy"].split()])
lost = json.loads(Path(env["hostReport"]).read_text())[0].get("lost") if env["hostReport"] else None
why = ""
if lost:
    why = f"with lean ones the device code lacks {', '.join(lost)}"
elif len({describe(path)["headers"] for path in passes}) > 1 and compare(passes, lister):
    why = "with lean ones the targets have different kernels"
if why:
    import device_pass
    import steps

    print(f"{env['source']}: {why}; compiled again with Torch's own headers", flush=True)
    again = Path("again").resolve()
    steps.lay_out()
    places = {path: again / describe(path)["arch"] if describe(path)["headers"] == "lean" else path for path in passes}
    for path, place in places.items():
        if place != path:
            device_pass.compile_again(path, place)
    passes, lister = [places[path] for path in passes], places[lister]
differences = compare(passes, lister)
described = [describe(path) for path in passes]

# One call of `fatbinary` compresses passes one by one, to the same bytes; with `--concat`, several as one block.
groups = [passes] if "--concat" in packing else [[path] for path in passes]
run(map(pack, groups))
entries = b"".join(packed(group).read_bytes()[HEADER.size :] for group in groups)
Path("unit.fatbin").write_bytes(HEADER.pack(0xBA55ED50, 1, HEADER.size, len(entries)) + entries)
symbol = env["fatbinSymbol"]
Path("unit.s").write_text(
    f'.section .nv_fatbin, "a"\n.balign 8\n.globl {symbol}\n.hidden {symbol}\n{symbol}:\n.incbin "unit.fatbin"\n'
    '.section .note.GNU-stack,"",%progbits\n'
)
run([["as", "unit.s", "-o", env["out"]]])
report = [
    {"unit": env["source"], "part": f"sm_{facts['arch']}", "headers": facts["headers"], **({"why": why} if why else {})}
    for facts in described
]
Path(env["report"]).write_text(json.dumps(report) + "\n")
said = "".join((path / "messages").read_text() for path in passes)
if said:
    import subprocess

    said = subprocess.run(["c++filt"], input=said, stdout=subprocess.PIPE, text=True, check=True).stdout
headline = "the passes of a unit do not fit together"
findings.store([findings.describe(headline, differences)] if differences else [], said)
