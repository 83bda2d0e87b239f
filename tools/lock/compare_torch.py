"""`tools/bin/compare-torch`: writes what differs for a kernel between two builds of Torch."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from kernel_builder import nix
from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.process import run
from kernel_builder.messages.terminal import say
from kernel_builder.nix.quoting import nix_path, nix_string
from kernel_builder.variants.make import make_path
from lock.start import start

# The headers of a build of Torch, the symbols of its libraries, and programs that read names.
_PARTS: Final = """{ set, build }: let torch = set.torchWheel build;
in [ torch.dev (set.listTorchSymbols torch) set.toolchain ]"""
# What a kernel may call: the namespaces of Torch's headers, and the C functions of the stable ABI.
_PUBLIC: Final = re.compile(r"(?:at|c10|torch)::|aoti_torch_|torch_")
# Parts of names that no other code should use.
_INNER: Final = re.compile(
    r"detail|impl::|internal|\{lambda|::_ops::|::native::|_autograd::|::generated::|structured_"
)
# A folder or namespace with more lines than these has one line with their number.
MANY: Final = 12


@dataclass(frozen=True)
class Torch:
    """The headers of a build by path, with their hashes, and the names that its libraries export.

    A name has the forms in which it is exported: with the types of its parameters.
    """

    build: str
    headers: Mapping[str, str]
    names: Mapping[str, set[str]]


def read_torch(build: str) -> Torch:
    """Build the parts of a Torch, and read them."""
    say(f"reading torch {build}")
    packages = f"(import {nix_path(find_root())}).packages.${{builtins.currentSystem}}"
    parts = f"({_PARTS}) {{ set = {packages}; build = {nix_string(build)}; }}"
    outlines = nix.evaluate(["--impure", "--expr", parts], f"map ({nix.OUTLINE})")
    headline = f"torch {build} cannot be had"
    headers, symbols, tools = (Path(make_path(each, headline)) for each in outlines)
    return Torch(build, hash_headers(headers / "include"), read_names(symbols, tools))


def hash_headers(folder: Path) -> dict[str, str]:
    """Return the hash of each header below a folder, by its path there."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def read_names(symbols: Path, tools: Path) -> dict[str, set[str]]:
    """Return the names that a kernel may call, from the lists of a wheel's symbols."""
    # c++filt takes its arguments from a file, too.
    files = [f"@{file}" for file in sorted(symbols.glob("lib[ct]*.so"))]
    plain = run([str(tools / "bin/c++filt"), *files]).stdout
    names: dict[str, set[str]] = {}
    for line in plain.splitlines():
        name = line.partition("(")[0].replace("[abi:cxx11]", "")
        # A template has the type of its result in front.
        if _PUBLIC.match(name) and not _INNER.search(line) and " " not in name:
            names.setdefault(name, set()).add(line)
    return names


def compare(old: Torch, new: Torch) -> Iterable[str]:
    """Yield the lines of a page about what a kernel finds in one Torch and not in the other."""
    gone = {path for path in old.headers if path not in new.headers}
    came = {path for path in new.headers if path not in old.headers}
    places: dict[str, list[str]] = {}
    for path in sorted(came):
        places.setdefault(new.headers[path], []).append(path)
    moved = {path: places[old.headers[path]][0] for path in gone if old.headers[path] in places}
    kept = old.headers.keys() & new.headers.keys()
    edited = [path for path in kept if old.headers[path] != new.headers[path]]
    yield f"# From Torch {old.build} to {new.build}\n"
    yield (
        "`tools/bin/compare-torch` writes this page from the wheels: their headers, and the names\n"
        'that their libraries export in the namespaces that a kernel calls. "Changed" names have\n'
        "lost a form: code that fits the new one compiles, and a library that was compiled before\n"
        "does not load.\n"
    )
    yield "| | before | now | gone | moved | changed | new |"
    yield "|---|---|---|---|---|---|---|"
    counts = len(old.headers), len(new.headers), len(gone) - len(moved), len(moved)
    yield f"| headers | {' | '.join(map(str, counts))} | {len(edited)} | {len(came) - len(moved)} |"
    lost = sorted(old.names.keys() - new.names.keys())
    more = sorted(new.names.keys() - old.names.keys())
    changed = sorted(
        name for name, forms in old.names.items() if name in new.names and forms - new.names[name]
    )
    names = f"{len(old.names)} | {len(new.names)} | {len(lost)} | | {len(changed)} | {len(more)}"
    yield f"| names | {names} |\n"
    yield from write_list("Headers that are gone", sorted(gone - moved.keys()))
    yield from write_list("Headers that moved", [f"{a} → {b}" for a, b in sorted(moved.items())])
    yield from write_list("Headers that are new", sorted(came - {*moved.values()}))
    yield from write_list("Names that are gone", lost)
    forms = [form for name in changed for form in sorted(old.names[name] - new.names[name])]
    yield from write_list("Names without this form", forms)
    yield from write_list("Names that are new", more)


def write_list(title: str, items: Sequence[str]) -> Iterable[str]:
    """Yield a section with items, those of a folder or namespace that has many in one line."""
    if not items:
        return
    yield f"## {title}\n"
    owners = Counter(map(find_owner, items))
    shown: set[str] = set()
    for item in items:
        owner = find_owner(item)
        if owners[owner] <= MANY:
            yield f"- `{item}`"
        elif owner not in shown:
            shown.add(owner)
            yield f"- `{owner}`: {owners[owner]}"
    yield ""


def find_owner(item: str) -> str:
    """Return the folder of a header, or the class or namespace of a name."""
    plain = re.sub(r"[<(].*", "", item)
    path = plain.rpartition("/")[0]
    return path or plain.rpartition("::")[0] or re.sub(r"(?<=torch)_.*", "_…", plain)


@click.command("compare-torch")
@click.argument("old")
@click.argument("new")
def command(old: str, new: str) -> None:
    """Print a page about what differs for a kernel between two builds, such as 2.14.1+cu130.

    Both have to be pinned (`tools/bin/add-torch`). Their wheels are fetched if the store has none.
    """
    click.echo("\n".join(compare(read_torch(old), read_torch(new))).rstrip())


if __name__ == "__main__":
    start(command)
