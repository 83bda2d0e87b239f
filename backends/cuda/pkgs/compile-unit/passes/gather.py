"""Combine the passes of a unit in one object, `$out`, which holds the fat binary.

The code of every target should have exactly the kernels that the host registers. nvcc does not
check this, so a difference is a warning in the output `$findings`. If lean headers can be the
reason, because passes used different headers or the host pass found lost kernels, passes are first
compiled again with Torch's full headers.
"""

from __future__ import annotations

import os
import struct
import sys

import findings
from files import read_bytes, read_text, write_bytes, write_text
from listing import read_fact, registered, with_most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

env = os.environ
passes = env["passes"].split()
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


def compiled(path: str) -> set[str]:
    """Return the kernels in a target's code, which are the functions marked as entries."""
    code = read_bytes(f"{path}/cubin")
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


def packed(group: list[str]) -> str:
    """Return the file for the packed fat binary entries of passes."""
    return f"{os.path.basename(group[0])}.fatbin"


def pack(group: list[str]) -> list[str]:
    """Return the call that packs the entries of passes."""
    images = [
        f"--image3=kind={kind},sm={read_fact(path, 'arch')},file={path}/{file}"
        for path in group
        for kind, file in (("elf", "cubin"), ("ptx", "ptx"))
        if os.path.exists(f"{path}/{file}")
    ]
    options = read_fact(passes[0], "options").splitlines()
    return ["fatbinary", f"--create={packed(group)}", "-64", *options, *packing, *images]


def name_part(path: str) -> str:
    """Return the name of a pass in messages."""
    return f"sm_{read_fact(path, 'arch')}"


def compare(passes: list[str], lister: str) -> list[dict[str, str]]:
    """Return a problem for each pass whose kernels differ from those that the host registers."""
    kernels = registered(lister)
    found = []
    for path in passes:
        own = compiled(path)
        missing, extra = sorted(kernels - own), sorted(own - kernels)
        if missing or extra:
            besides = f"with {', '.join(extra) or 'nothing'} besides"
            other = f"compared with {name_part(lister)}, compiled with {read_fact(lister, 'headers')} headers"
            found.append(
                {
                    "at": f"{env['source']} for {name_part(path)}, compiled with {read_fact(path, 'headers')} headers",
                    "found": f"without {', '.join(missing) or 'nothing'}; {besides}, {other}",
                    "want": "the same kernels for every target",
                    "fix": "nothing, if what one of them lacks is not launched there; else let only what is in a "
                    "kernel depend on __CUDA_ARCH__ (docs/troubleshooting/parts-of-a-unit.md)",
                }
            )
    return found


# The host pass was compiled with the kernel list of one of these passes.
lister = with_most(env["listedBy"].split())
lost = []
if env["hostReport"]:
    import json

    lost = json.loads(read_text(env["hostReport"]))[0].get("lost", [])
why = ""
if lost:
    why = f"with lean ones the device code lacks {', '.join(lost)}"
elif len({read_fact(path, "headers") for path in passes}) > 1 and compare(passes, lister):
    why = "with lean ones the targets have different kernels"
if why:
    import device_pass
    import steps

    print(f"{env['source']}: {why}; compiled again with Torch's own headers", flush=True)
    again = os.path.abspath("again")
    steps.lay_out()
    leans = [path for path in passes if read_fact(path, "headers") == "lean"]
    places = {path: f"{again}/{read_fact(path, 'arch')}" if path in leans else path for path in passes}
    for path, place in places.items():
        if place != path:
            device_pass.compile_again(path, place)
    passes, lister = [places[path] for path in passes], places[lister]
differences = compare(passes, lister)

# One call of `fatbinary` compresses passes one by one, to the same bytes; with `--concat`, several as one block.
groups = [passes] if "--concat" in packing else [[path] for path in passes]
run(map(pack, groups))
entries = b"".join(read_bytes(packed(group))[HEADER.size :] for group in groups)
write_bytes("unit.fatbin", HEADER.pack(0xBA55ED50, 1, HEADER.size, len(entries)) + entries)
symbol = env["fatbinSymbol"]
write_text(
    "unit.s",
    f'.section .nv_fatbin, "a"\n.balign 8\n.globl {symbol}\n.hidden {symbol}\n{symbol}:\n.incbin "unit.fatbin"\n'
    '.section .note.GNU-stack,"",%progbits\n',
)
run([["as", "unit.s", "-o", env["out"]]])
findings.report([(name_part(path), read_fact(path, "headers")) for path in passes], **({"why": why} if why else {}))
said = "".join(read_text(f"{path}/messages") for path in passes)
if said:
    import subprocess

    said = subprocess.run(["c++filt"], input=said, stdout=subprocess.PIPE, text=True, check=True).stdout
headline = "the passes of a unit do not fit together"
findings.store([findings.describe(headline, differences)] if differences else [], said)
