"""The rules of the tree. Each one takes a folder and yields what breaks it, as `file: what`."""

import ast
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.boundaries.script_rules import no_text_becomes_a_script
from tests.boundaries.source_tree import File, code_of, files_of, nix_files
from tests.boundaries.write_rules import files_are_written_in_one_place, scripts_write_to_own_places

ROOT = Path(__file__).resolve().parents[2]

# Words that stand here in pieces, so that this file does not break its own rules.
REGISTRIES = tuple(
    "".join(pieces)
    for pieces in (
        ("pypi", ".org"),
        ("python", "hosted.org"),
        ("deb", ".debian.org"),
        ("ftp", ".debian.org"),
        ("security", ".debian.org"),
        ("archive", ".ubuntu.com"),
        ("npm", "js.org"),
        ("npm", "js.com"),
        ("conda", ".anaconda.org"),
    )
)


def _matches(file: File, code: str, pattern: str, what: str) -> Iterator[str]:
    for found in re.finditer(pattern, code):
        yield f"{file.name}: {what}: {found[0].strip()}"


def lib_is_used_as_a_whole(root: Path) -> Iterator[str]:
    """Only default.nix imports lib, and nobody one of its files; its tests are part of it."""
    for file in nix_files(root):
        if not file.is_below("lib", "backends", "tests") and file.name != "default.nix":
            yield from _matches(
                file, file.code, r"(?<![\w}])\.{1,2}/(\.\./)*lib\b[\w./-]*", "imports"
            )


def lib_makes_no_derivation(root: Path) -> Iterator[str]:
    """Packages and their programs are in pkgs/ and in the folders of the backends."""
    for file in files_of(root):
        if file.is_below("lib") and (file.is_package or file.suffix in (".py", ".sh", ".cpp")):
            yield f"{file.name}: a package or a program in the library"
        elif file.is_below("lib") and file.suffix == ".nix":
            yield from _matches(
                file,
                file.code,
                r"\b(makeStep|runStep|callPackage|derivationStrict)\b|\bderivation [({]",
                "makes",
            )


def overlays_hold_no_data(root: Path) -> Iterator[str]:
    """overlays/ has no version and no hash: those are data in pkgs/."""
    for file in nix_files(root):
        if file.is_below("overlays"):
            for text in (file.code, *file.strings):
                # A folder may have a number in its name, as in `glibc-2.28`.
                yield from _matches(file, text, r"(?<![\w.-])\d+\.\d+[\w.+]*", "a version")
                yield from _matches(file, text, r"\bsha(256|512)-|\b[0-9a-f]{32,}\b", "a hash")


def packages_stand_alone(root: Path) -> Iterator[str]:
    """A package knows no flake and no place of a machine."""
    for file in nix_files(root):
        if file.is_package:
            # A set that names itself may be called so.
            if not re.search(r"\bself\s*=", file.code):
                yield from _matches(file, file.code, r"\bself\b", "the flake")
            yield from _matches(file, file.code, r"\binputs\.\w+|\bgetFlake\b", "a flake's inputs")
            yield from _matches(file, file.code, r"(?<![\w.}~/\"])~?/[A-Za-z][\w./-]*", "a path")
            for text in file.strings:
                # host-tools stands for the machine's programs, so it names their folders.
                if file.is_below("pkgs/darwin/host-tools"):
                    continue
                places = r"^/(bin|etc|home|lib|nix|opt|root|sbin|tmp|usr|var)\b.*"
                yield from _matches(file, text, places, "a place of a machine")


def exclusions_have_a_reason(root: Path) -> Iterator[str]:
    """Variants are left out in two places, which give the reasons: the bounds of a kernel in the
    decisions of the matrix, and whatever a package set cannot build in the obstacles.
    """
    deciding = {
        r"\badmits\b": ("lib/matrix/bounds.nix", "lib/matrix/decisions.nix"),
        r"\bvariant\.problems\s*[!=]=": (
            "lib/outputs/variant/obstacles.nix",
            "lib/matrix/selection/narrowing.nix",
        ),
        r"\bcannot(?:Build|Import|Test)\s*=[^=]": ("lib/outputs/variant/obstacles.nix",),
    }
    for file in files_of(root):
        if file.is_below("lib") and file.suffix == ".nix":
            for pattern, places in deciding.items():
                if file.name not in places:
                    yield from _matches(file, file.code, pattern, "leaves out variants")


# Packages that read a text which no plan has.
READERS: Final = {
    "pkgs/author/kernel-builder/default.nix": "the files of this repository",
    "pkgs/author/project-files/cmake.nix": "words that CMake would take apart",
    "pkgs/checks/symbol-lists-of.nix": "the name of a folder, which is all that is known of it",
    "pkgs/python/fetch-archive/default.nix": "the name of a release",
    "pkgs/sources/read-debs.nix": "file names of Debian's packages",
    "pkgs/torch/triton-beside/default.nix": "the version of a wheel",
    "pkgs/torch/wheel-python.nix": "the file name of a wheel",
}


def builders_do_not_parse(root: Path) -> Iterator[str]:
    """Packages take no name and no flag apart: a plan has what they need as a field."""
    words = "match|split|hasPrefix|hasSuffix|hasInfix|mentions"
    for file in nix_files(root):
        if file.is_package:
            # Strings stay, because the flag that is looked for is one.
            found = [
                *_matches(
                    file, file.uncommented, rf"\b({words})\b(?= )|\belem \"-[^\"]*\"", "parses"
                )
            ]
            if file.name not in READERS:
                yield from found
            elif not found:
                yield f"{file.name}: parses nothing, and is no exception"


# Packages whose programs are no compilers, or whose options are none of a unit or a link.
NO_COMPILERS: Final = {
    "backends/cuda/pkgs/toolkit": "a name of the package",
    "pkgs/author/kernel-shell": "a shell",
    "pkgs/author/project-files": "words that CMake would take apart",
    "pkgs/bootstrap": "shells that run steps",
    "pkgs/checks": "options of our own programs",
    "pkgs/darwin": "a shell",
    "pkgs/python": "an interpreter",
}


def flags_stand_in_tables(root: Path) -> Iterator[str]:
    """Tables of a backend have its flags, lib/plan/flags.nix those of all; others only pass on."""
    for file in nix_files(root):
        if (file.is_below("lib/plan") or file.is_package) and not (
            file.name == "lib/plan/flags.nix" or file.is_below(*NO_COMPILERS)
        ):
            yield from (
                f"{file.name}: states {text}"
                for text in file.strings
                if re.match("--?[A-Za-z]", text)
            )


def _starts_processes(text: str) -> bool:
    modules = {"subprocess", "pty", "multiprocessing"}
    calls = re.compile(
        r"system|popen|fork|posix_spawnp?|spawn[lv]\w*|exec[lv]\w*|create_subprocess\w*"
    )
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import) and modules & {name.name for name in node.names}:
            return True
        if isinstance(node, ast.ImportFrom):
            names = {name.name for name in node.names}
            if node.module in modules or (node.module == "os" and any(map(calls.fullmatch, names))):
                return True
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in {"os", "asyncio"}
            and calls.fullmatch(node.attr)
        ):
            return True
    return False


def one_module_starts_processes(root: Path) -> Iterator[str]:
    """In python/, one module starts processes.

    Programs of builds are left out: the child process of the import check, and what measures two
    builds. So is the watchdog, a copy of the command. Templates of a kernel's files are not part of
    the program.
    """
    package = "python/src/kernel_builder"
    programs = {"import_check/child.py", "machine/watchdog.py", "publishing/benchmark_runner.py"}
    starters = [
        file.name
        for file in files_of(root)
        if file.is_below("python/src")
        and not file.is_below(f"{package}/templates")
        and file.name.removeprefix(f"{package}/") not in programs
        and file.suffix == ".py"
        and _starts_processes(file.text or "")
    ]
    if len(starters) > 1:
        yield from (f"{name}: starts a process, and is not the only one" for name in starters)


# A word of build.toml, and what a stage after `config` reads instead.
SECTION_READERS: Final = {
    r"\bjoin \"\"": "resolves a path again",
    r"\bconfig\.(components|section)\b|\bentries\.(src|include)\b": "reads a section as written",
    r"\.(torch|torch-noarch|tvm-ffi)\.(src|include|[a-z]+-flags)\b": "reads a section as written",
    r"(?i)binding|\bsection\.backend [!=]= null": "asks for the binding",
    r"\b(at|name) [!=]= *(config\.)?framework\b": "asks for the binding",
}


def stages_read_sections(root: Path) -> Iterator[str]:
    """config ends in sections: no later stage reads `src` as build.toml has it, or treats the
    framework's section in another way than a section for all backends.
    """
    for file in nix_files(root):
        if file.is_below("lib", "backends", "pkgs") and not file.is_below("lib/config"):
            # Strings stay, because one of them is looked for.
            for pattern, what in SECTION_READERS.items():
                yield from _matches(file, file.uncommented, pattern, what)


CODE: Final = ("lib", "backends", "pkgs", "overlays", "python/src", "tools/lock")
# Files beside the table that name a system, and why.
NAMING: Final = {
    "backends/rocm/pkgs/compile-unit/steps/gather.sh": "clang's own name of any host",
    "lib/matrix/row.nix": "an example in a message",
    "lib/outputs/flake.nix": "dependencies of overlays are looked up on one system for all",
    "pkgs/cross/mac-toolchain/assemble.sh": "a toolchain for this system alone",
    "pkgs/cross/mac-toolchain/libc++.tbd": "a toolchain for this system alone",
    "pkgs/porting/record-project/recorder/facts.py": "what Python answers on a Mac",
}


def a_system_is_a_row(root: Path) -> Iterator[str]:
    """Code looks up a system, and the names of its processor, in lib/platforms/systems.json."""
    table = json.loads((ROOT / "lib/platforms/systems.json").read_text(encoding="utf-8"))
    spelled = ("binary", "debian", "loader", "machine", "triple")
    names = {*table, *(row[key] for row in table.values() for key in spelled if key in row)}
    words = "|".join(re.escape(name) for name in sorted(names, reverse=True))
    # A whole variant's name is an example in a message.
    name = rf"(?<![A-Za-z0-9])(?<!cxx11-cpu-)(?:{words})(?![A-Za-z0-9])"
    for file in files_of(root):
        # Rows and pins are data, and a backend states the systems of its vendor's software.
        is_backend = re.fullmatch(r"backends/\w+/default\.nix", file.name)
        if file.is_below(*CODE) and file.suffix not in (".json", ".md") and not is_backend:
            found = [*_matches(file, code_of(file), name, "names a system")]
            if file.name not in NAMING:
                yield from found
            elif not found:
                yield f"{file.name}: names no system, and is no exception"


def no_registry_is_named(root: Path) -> Iterator[str]:
    """No address of a package registry or of a machine: sources are named by what they are."""
    host = re.compile("|".join(re.escape(name) for name in REGISTRIES), re.IGNORECASE)
    # 127.0.0.1 is the server of a test.
    address = re.compile(r"https?://(?!127\.0\.0\.1\b)\d+\.\d+\.\d+\.\d+[^\s\"']*")
    for file in files_of(root):
        for pattern in (host, address):
            for found in pattern.finditer(file.text or ""):
                yield f"{file.name}: the address {found[0]}"


def examples_are_not_locked(root: Path) -> Iterator[str]:
    """No example is published with a lock: it would be built with a kernel-builder of old."""
    for file in files_of(root):
        is_lock = file.is_below("examples") and file.path.name == "flake.lock"
        # An old Nix writes one into the checkout of whoever builds an example.
        if is_lock and is_committed(root, file.name):
            yield f"{file.name}: a lock file"


def is_committed(root: Path, name: str) -> bool:
    """Whether a file is part of the newest commit; of a tree without git, every file is."""
    if not (root / ".git").exists():
        return True
    question = ["git", "-C", str(root), "cat-file", "-e", f"HEAD:{name}"]
    return subprocess.run(question, capture_output=True, check=False).returncode == 0


Rule = Callable[[Path], Iterator[str]]

RULES: Final[tuple[Rule, ...]] = (
    lib_is_used_as_a_whole,
    lib_makes_no_derivation,
    builders_do_not_parse,
    flags_stand_in_tables,
    overlays_hold_no_data,
    packages_stand_alone,
    exclusions_have_a_reason,
    one_module_starts_processes,
    stages_read_sections,
    a_system_is_a_row,
    no_registry_is_named,
    no_text_becomes_a_script,
    files_are_written_in_one_place,
    scripts_write_to_own_places,
    examples_are_not_locked,
)
