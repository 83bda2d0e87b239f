"""`add-test-package`: pin packages of Python's index for the tests of one kernel.

The lock lies beside build.toml. It has the form of the library's own pins, and their program
fills it: the machine's own pip says what the index has.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from kernel_builder.kernel.builder import find_root
from kernel_builder.kernel.folder import find_kernel
from kernel_builder.machine.environment import PIP
from kernel_builder.machine.files import find_below, read_file, write_below
from kernel_builder.machine.git import find_git_root, stage_files
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import Problem, UsageError, read_error
from kernel_builder.messages.terminal import print_result, say
from kernel_builder.nix.systems import find_system

# lib/outputs/variant/author.nix reads it.
LOCK: Final = "test-packages.lock"
# Each environment has the one of its variant.
TORCH: Final = "torch"
# The call of a template, or one that names packages and nothing else.
_INPUTS: Final = re.compile(
    r'^( *)(# )?pythonCheckInputs = (\w+): \[((?: *"[\w.-]+")*) *\];$', re.MULTILINE
)
# The program of maintainers, from the checkout or the package that builds.
_START: Final = """import runpy, sys
sys.path[:0] = [sys.argv.pop(1), sys.argv.pop(1)]
runpy.run_module("lock", run_name="__main__", alter_sys=True)"""


@click.command(short_help="Pin a package that the tests import.")
@click.argument("packages", metavar="PACKAGE...", nargs=-1, required=True)
@click.option(
    "--kernel", "folder", metavar="DIR", default=".", type=click.Path(path_type=Path),
    help="The kernel (default: this folder).",
)  # fmt: skip
def add_test_package(packages: Sequence[str], folder: Path) -> None:
    """Pin packages of Python's index, and what they need, for the tests of a kernel.

    A PACKAGE is a name, or a requirement such as 'pandas>=2.2'. The lock test-packages.lock is
    written beside build.toml, from the indexes of this machine's pip, and flake.nix names the
    package in `pythonCheckInputs`. Packages that kernel-builder has pinned need no lock.

    \b
      kernel-builder add-test-package pandas
      kernel-builder testshell -- pytest tests
    """
    kernel, system = find_kernel(folder), find_system()
    requested = {str(canonicalize_name(_read(each).name)): each for each in packages}
    pinned = json.loads((find_root() / "pkgs/python/python-packages/pins.json").read_text("utf-8"))
    there = [name for name in requested if name in pinned["pins"].get(system, {})]
    want = [each for name, each in requested.items() if name not in there]
    added: dict[str, str] = {}
    if want:
        data = _read_lock(kernel, pinned["python"], system)
        new = {canonicalize_name(Requirement(each).name) for each in want}
        kept = [
            each for each in data["want"] if canonicalize_name(Requirement(each).name) not in new
        ]
        before = data["pins"][system]
        text = renew({**data, "want": sorted([*kept, *want])})
        after = json.loads(text)["pins"][system]
        added = {name: pin["version"] for name, pin in after.items() if pin != before.get(name)}
        write_below(kernel, LOCK, text.encode())
        if find_git_root(kernel):
            stage_files(kernel, [LOCK])
    shown = [f"{LOCK}: {name} {version}" for name, version in added.items()]
    shown += [f"{name} is pinned by kernel-builder already" for name in there]
    line = _name_in_flake(kernel, list(requested))
    print_result({"lock": LOCK, "added": added, "pinned": there}, "\n".join(shown))
    say(line)


def _read(text: str) -> Requirement:
    """Return a requirement. Raises UsageError for text that is none, and for Torch."""
    want, fix = "a name of Python's index, or a requirement", "write it as pip takes it"
    try:
        found = Requirement(text)
    except InvalidRequirement:
        raise UsageError("this is no package", [Problem("PACKAGE", text, want, fix)]) from None
    if canonicalize_name(found.name) == TORCH or found.url:
        found_text = "an address" if found.url else "Torch, which each variant brings"
        raise UsageError("this is not pinned", [Problem(text, found_text, want, "leave it out")])
    return found


def _read_lock(kernel: Path, python: str, system: str) -> dict[str, Any]:
    """Return the lock of a kernel, or an empty one, with an entry for the system."""
    place = find_below(kernel, LOCK)
    data: dict[str, Any] = {"kind": "wheel", "want": [], "pins": {}}
    if place.exists():
        data = json.loads(read_file(place))
    return {
        **data,
        "python": python,
        "pins": {**data["pins"], system: data["pins"].get(system, {})},
    }


def renew(data: dict[str, Any]) -> str:
    """Return the text of a lock with pins for all that it wants; pinned versions stay."""
    root = find_root()
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        file = Path(folder) / LOCK
        write_below(Path(folder), LOCK, json.dumps(data).encode())
        paths = [str(root / "python" / "src"), str(root / "tools")]
        argv = [sys.executable, "-I", "-B", "-c", _START, *paths, "--keep", str(file)]
        done = run(argv, inherit=PIP)
        if done.status:
            raise read_error(done.stderr, "the packages cannot be pinned")
        return file.read_text(encoding="utf-8")


def _name_in_flake(kernel: Path, names: Sequence[str]) -> str:
    """Name packages in flake.nix, if it has a plain list; return what was done or is left to do."""
    place = find_below(kernel, "flake.nix")
    text = read_file(place).decode() if place.exists() else ""
    found = _INPUTS.search(text)
    if not found:
        listed = " ".join(f'"{name}"' for name in names)
        return f"next: name it in flake.nix: pythonCheckInputs = pkgs: [ {listed} ];"
    margin, comment, argument, old = found.groups()
    # What a comment lists is an example.
    known = [] if comment else re.findall(r'"([^"]+)"', old)
    listed = " ".join(f'"{name}"' for name in dict.fromkeys([*known, *names]))
    line = f"pythonCheckInputs = {argument}: [ {listed} ];"
    new = text[: found.start()] + margin + line + text[found.end() :]
    if new != text:
        write_below(kernel, "flake.nix", new.encode())
    return f"flake.nix: {line}"
