"""Write the link-time stubs of glibc's libraries, capped at version `$cap`, to `$out/lib`.

glibc 2.34 took libpthread, libdl and others into libc. A symbol that moved is put back
into the library that had it (`$moved`): an older glibc has it nowhere else.

gcc calls functions of libmvec for loops over functions of libm. The headers that it reads are
newer than `$cap`, so it also calls functions that libmvec does not have there. An archive
defines these by calls of libm.
"""

import json
import os
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

env = os.environ
cap = tuple(map(int, env["cap"].split(".")))
libraries = Path(env["runtime"]) / "lib"
out = Path(env["out"]) / "lib"
moved = json.loads(Path(env["moved"]).read_text())

# Debian 12's glibc has libmvec for x86_64 only.
SOURCES = ("libc.so.6", "libm.so.6", "libmvec.so.1", "libresolv.so.2")
LINK_NAMES = ("libdl", "libm", "libmvec", "libpthread", "libresolv", "librt", "libutil", "libanl")


@dataclass(frozen=True)
class Symbol:
    """One version of one symbol that a library defines."""

    name: str
    version: str
    kind: str
    weak: bool
    size: int

    @property
    def release(self) -> "tuple[int, ...] | None":
        """The glibc release of the version, None for private ones."""
        match = re.fullmatch(r"GLIBC_(\d+(?:\.\d+)*)", self.version)
        return tuple(map(int, match.group(1).split("."))) if match else None


def defined(library: Path) -> "list[Symbol]":
    """Return every versioned symbol that `library` defines."""
    with library.open("rb") as stream:
        elf = ELFFile(stream)
        definitions = elf.get_section_by_name(".gnu.version_d")
        indices = elf.get_section_by_name(".gnu.version")
        symbols = elf.get_section_by_name(".dynsym")
        assert isinstance(definitions, GNUVerDefSection), f"{library} defines no versions"
        assert isinstance(indices, GNUVerSymSection), f"{library} has no versions of symbols"
        assert isinstance(symbols, SymbolTableSection), f"{library} has no symbols"
        versions = {definition.entry.vd_ndx: next(names).name for definition, names in definitions.iter_versions()}
        found = []
        for number, symbol in enumerate(symbols.iter_symbols()):
            index = indices.get_symbol(number).entry["ndx"]
            # A library lists its own version names too, as absolute symbols.
            if symbol["st_shndx"] in ("SHN_UNDEF", "SHN_ABS") or not isinstance(index, int):
                continue
            info = symbol["st_info"]
            found.append(
                Symbol(
                    symbol.name,
                    versions[index & 0x7FFF],
                    info["type"],
                    info["bind"] == "STB_WEAK",
                    symbol["st_size"],
                )
            )
        return found


def offered(library: str) -> "dict[str, list[Symbol]]":
    """Return the symbols that a glibc of version `$cap` has for `library`, by their library there."""
    by_name: dict[str, list[tuple[tuple[int, ...], Symbol]]] = defaultdict(list)
    for symbol in defined(libraries / library):
        if symbol.release:
            by_name[symbol.name].append((symbol.release, symbol))
    result: dict[str, list[Symbol]] = defaultdict(list)
    for name, symbols in sorted(by_name.items()):
        old = [(release, symbol) for release, symbol in symbols if release <= cap]
        if not old:
            continue
        home = library
        if len(old) < len(symbols):
            home = next(
                (
                    candidate
                    for candidate, patterns in moved.items()
                    if any(fnmatch(name, pattern) for pattern in patterns)
                ),
                library,
            )
        result[home].append(max(old, key=lambda each: each[0])[1])
    return result


def assembly(symbols: "list[Symbol]") -> str:
    """Return definitions of `symbols` that have their names, versions and kinds, and do nothing."""
    kinds = {"STT_OBJECT": "@object", "STT_TLS": "@tls_object"}
    lines = []
    for number, symbol in enumerate(symbols):
        label = f"stub_{number}"
        kind = kinds.get(symbol.kind, "@function")
        lines += {
            "@object": [".data"],
            "@tls_object": ['.section .tbss,"awT",%nobits'],
            "@function": [".text"],
        }[kind]
        lines += [
            f".{'weak' if symbol.weak else 'globl'} {label}",
            f".type {label},{kind.replace('@', '%')}",
            f".symver {label},{symbol.name}@@{symbol.version}",
            f"{label}:",
        ]
        if kind == "@function":
            lines += [".byte 0"]
        else:
            lines += [f".skip {max(symbol.size, 1)}", f".size {label},{symbol.size}"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",%progbits', ""])


def write_stub(library: str, symbols: "list[Symbol]") -> None:
    """Assemble and link one stub."""
    versions = sorted({symbol.version for symbol in symbols}, key=lambda name: tuple(map(int, name[6:].split("."))))
    Path(f"{library}.s").write_text(assembly(symbols))
    nodes = [f"{version} {{ {'local: stub_*;' if not i else ''} }};" for i, version in enumerate(versions)]
    Path(f"{library}.map").write_text("\n".join(nodes) + "\n")
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-nostdlib",
            "-Wl,--build-id=none",
            f"-Wl,--version-script={library}.map",
            f"-Wl,-soname,{library}",
            "-o",
            str(out / library),
            f"{library}.s",
        ],
        check=True,
    )
    print(f"{library}: {len(symbols)} symbols up to {versions[-1]}")


# A function of libmvec by the rules for names of vector functions: the processor, the number of elements, one `v` for
# each argument, and the function of libm.
VECTOR = re.compile(r"_ZGV([bcde])N(\d+)(v+)_(\w+)")
# The size of a vector in bytes and gcc's name of the processor.
PROCESSORS = {"b": (16, "sse2"), "c": (32, "avx"), "d": (32, "avx2"), "e": (64, "avx512f")}


def newer(library: str) -> "list[str]":
    """Return the names that `library` has only in versions after `$cap`."""
    found: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for symbol in defined(libraries / library):
        if symbol.release:
            found[symbol.name].append(symbol.release)
    return sorted(name for name, releases in found.items() if min(releases) > cap)


def vector_function(name: str) -> str:
    """Return a definition in C of a function of libmvec that calls libm once for each element."""
    match = VECTOR.fullmatch(name)
    assert match, f"{name} is no vector function with plain arguments"
    size, processor = PROCESSORS[match[1]]
    count, function = int(match[2]), match[4]
    element = {4: "float", 8: "double"}[size // count]
    arguments = [f"a{number}" for number in range(len(match[3]))]
    vector = f"{element} __attribute__((vector_size({size})))"
    elements = ", ".join(f"{argument}[i]" for argument in arguments)
    parameters = ", ".join(f"{vector} {argument}" for argument in arguments)
    return (
        f"{element} {function}({', '.join(element for _ in arguments)});\n"
        f'__attribute__((target("{processor}"))) {vector} {name}({parameters})\n'
        f"{{ {vector} result; for (int i = 0; i < {count}; i++) result[i] = {function}({elements}); return result; }}\n"
    )


def write_archive(name: str, source: Path) -> None:
    """Compile a file in C, and put the object into the archive `name`. Everything in it is hidden."""
    flags = ["-O2", "-fPIC", "-ffunction-sections", "-fvisibility=hidden", "-std=gnu17", "-Wall", "-Werror"]
    flags += [f"-DSTAT_VERSION={env['statVersion']}"]
    made = f"{source.stem}.o"
    subprocess.run(["gcc", *flags, "-c", str(source), "-o", made], check=True)
    subprocess.run([f"{env['toolchain']}/bin/ar", "rcD", str(out / name), made], check=True)


out.mkdir(parents=True)
stubs: "dict[str, list[Symbol]]" = defaultdict(list)
for source in SOURCES:
    if (libraries / source).exists():
        for home, symbols in offered(source).items():
            stubs[home] += symbols
for library, symbols in sorted(stubs.items()):
    write_stub(library, symbols)

write_archive("libreplacements.a", Path(env["replacements"]))

# The compiler looks for these names.
for name in LINK_NAMES:
    for stub in out.glob(f"{name}.so.*"):
        (out / f"{name}.so").symlink_to(stub.name)
if (out / "libmvec.so.1").exists():
    Path("vectors.c").write_text("\n".join(map(vector_function, newer("libmvec.so.1"))))
    write_archive("libvectors.a", Path("vectors.c"))
    # libm comes last: with --as-needed, the linker looks only for what was missing before.
    (out / "libm.so").unlink()
    (out / "libm.so").write_text(f"GROUP ( AS_NEEDED ( {out}/libmvec.so.1 ) {out}/libvectors.a {out}/libm.so.6 )\n")
nonshared = f"{env['toolchain']}/usr/lib/{env['triple']}/libc_nonshared.a"
loader = f"{env['toolchain']}/usr/lib/{env['triple']}/{env['loader']}"
# The compiler does not link libpthread and similar libraries: since 2.34 libc has their symbols.
split = " ".join(str(out / library) for library in sorted(moved) if (out / library).exists())
(out / "libc.so").write_text(
    f"GROUP ( {out}/libc.so.6 {out}/libreplacements.a {nonshared} AS_NEEDED ( {split} {loader} ) )\n"
)
