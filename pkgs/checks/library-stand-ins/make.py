"""Write a package of stand-ins to `$out`: for the libraries that those of `$torch` name, and those of `$packages`.

`$there` are folders of `listSymbols`, with a file for each library that needs no stand-in. Libraries of
`$runtime` are used unchanged.
"""

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

# The libraries that an import of Torch loads first. It loads others only to compute.
FIRST = ("libtorch_global_deps.so", "libtorch_python.so")
# In all of these libraries, 1 is the status of a failure.
FAILURE = "int {name}(void) {{ return 1; }}"
# Functions with these endings return a string.
TEXTS = ("String", "LastError")
EXPLANATION = 'const char *{name}(void) {{ return "there is only a stand-in for {library}"; }}'

out = Path(os.environ["out"])
runtime = {file.name: file for file in Path(os.environ["runtime"]).rglob("*.so*")}
torch = {file.name: file for file in Path(os.environ["torch"]).glob("*.so*")}
lists = [file for folder in os.environ["there"].split() for file in Path(folder).iterdir()]
defined = {line.partition("@")[0] for file in lists for line in file.read_text().splitlines()}
there = {file.name for file in lists}


def read_needs(file: Path) -> "dict[str, set[str]]":
    """Return the libraries that a library needs, each with the symbol versions that it needs."""
    listed = subprocess.run(["objdump", "-p", str(file)], check=True, capture_output=True, text=True).stdout
    needs: dict[str, set[str]] = {name: set() for name in re.findall(r"^  NEEDED +(.+)", listed, re.MULTILINE)}
    for library, versions in re.findall(r"^  required from (.+):\n((?:    0x.+\n)*)", listed, re.MULTILINE):
        needs.setdefault(library, set()).update(line.split()[-1] for line in versions.splitlines())
    return needs


def list_symbols(file: Path, which: str) -> "Iterator[tuple[str, str]]":
    """Yield the defined or undefined symbols of a library, each with its version or an empty string."""
    argv = ["nm", "-D", f"--{which}-only", "--no-weak", "--format=posix", str(file)]
    for line in subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines():
        symbol, kind, *_ = line.split()
        # Versions themselves are listed as symbols of this kind.
        if kind != "A":
            name, _, version = symbol.replace("@@", "@").partition("@")
            yield name, version


def write_stand_in(target: Path, versions: "dict[str, set[str]]") -> None:
    """Compile a library with the functions of each version. The empty version stands for none."""
    names = sorted(set().union(*versions.values()))
    texts = {name: EXPLANATION if name.endswith(TEXTS) else FAILURE for name in names}
    source, script = Path("stand-in.c"), Path("versions")
    source.write_text("".join(f"{text.format(name=name, library=target.name)}\n" for name, text in texts.items()))
    options = ["-O1", "-w", "-fno-builtin", "-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=none"]
    # The linker cannot name other versions. A loader takes a symbol without a version for any.
    named = sorted(version for version in versions if re.fullmatch(r"[.$\w]+", version, re.ASCII))
    nodes = [f"{version} {{ {'; '.join(sorted(versions[version]))}; }};\n" for version in named]
    if nodes:
        script.write_text("".join(nodes))
        options.append(f"-Wl,--version-script={script}")
    subprocess.run(["gcc", *options, f"-Wl,-soname,{target.name}", str(source), "-o", str(target)], check=True)


asked: "defaultdict[str, set[str]]" = defaultdict(set)
wanted: "defaultdict[str, set[str]]" = defaultdict(set)
pending = list(FIRST)
while pending:
    file = torch.pop(pending.pop(), None)
    if file is None:
        continue
    for library, versions in read_needs(file).items():
        asked[library] |= versions
        pending.append(library)
    for name, version in list_symbols(file, "undefined"):
        wanted[version].add(name)
# The files of libraries, without the links beside them.
linked = {
    file.name: file
    for package in os.environ["packages"].split()
    for file in Path(package, "lib").glob("*.so.*")
    if not file.is_symlink()
}
absent = sorted({*asked, *linked} - there)
# Symbols without a version could be in any library, except those of the interpreter.
loose = {name for name in wanted[""] - defined if not name.startswith(("Py", "_Py"))}

folder = out / "lib"
folder.mkdir(parents=True)
for library in absent:
    target = folder / library
    if library in runtime:
        target.symlink_to(runtime[library])
        continue
    symbols = {version: set(wanted[version]) for version in asked[library]}
    for name, version in list_symbols(linked[library], "defined") if library in linked else ():
        symbols.setdefault(version, set()).add(name)
    write_stand_in(target, symbols or {"": loose})

site = out / os.environ["sitePackages"]
site.mkdir(parents=True)
libraries = [str(folder / library) for library in absent]
(site / "library-stand-ins.pth").write_text(f"import ctypes; list(map(ctypes.CDLL, {libraries}))\n")
