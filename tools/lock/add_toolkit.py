"""`tools/bin/add-toolkit`: adds a release of CUDA from the indexes of the machine's pip."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import click
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.mirrors.coordinates import Source
from kernel_builder.mirrors.wheels import fetch_wheels
from kernel_builder.nix.systems import find_system
from lock.nvcc_options import FILE as OPTIONS
from lock.nvcc_options import merge, read_help
from lock.pins import dump, write_whole
from lock.start import start
from lock.torch_wheels import LINUX
from lock.wheels import ask, need_pip, renew_wheels

RELEASES: Final = "backends/cuda/releases"
# NVIDIA's list of the projects of a release, each with its version.
INDEX: Final = "cuda-toolkit"
# The wheels whose programs and headers say what the compiler can do.
COMPILER: Final = ("nvidia-cuda-nvcc", "nvidia-cuda-crt")
LEFT: Final = f"""
left to do by hand:
- `default` in the new file, which is the list of the release before it
- {Path(OPTIONS).parent}/option-effects.json, for each new option (docs/extending.md, A toolkit)
- a Torch that is built with it (`add-torch`)
- `tests/run docs eval-fail golden --renew`, tests/cuda/test_options.py, docs/guide/cuda.md,
  CHANGELOG.md
- a kernel built with it for each new capability"""


def refuse(at: str, found: str, want: str, fix: str) -> KernelBuilderError:
    """Return the error of this program with one problem."""
    problem = Problem(at=at, found=found, want=want, fix=fix)
    return KernelBuilderError("the toolkit cannot be added", [problem])


def read_versions(lines: Sequence[str]) -> dict[str, str]:
    """Return the version of each project in the requirements of a release.

    NVIDIA writes `==13.5.37.*`. A range begins with the version of the release.
    """
    versions = {}
    for line in map(Requirement, lines):
        for specifier in line.specifier:
            if specifier.operator in ("==", ">="):
                versions[str(canonicalize_name(line.name))] = specifier.version.removesuffix(".*")
    return versions


def find_release(pip: Sequence[str], release: str, python: str, folder: Path) -> dict[str, str]:
    """Return the version of each project of a release, of its newest update."""
    say(f"asking pip for {INDEX} {release}")
    answer = ask(pip, ["--no-deps", f"{INDEX}=={release}.*"], LINUX[0], python, folder)
    if isinstance(answer, str):
        fix = f"correct the version (`pip index versions {INDEX}`), or give pip an index with it"
        raise refuse(f"pip, for {INDEX}=={release}.*", answer, "a release of CUDA 13 or newer", fix)
    return read_versions(answer[INDEX]["metadata"].get("requires_dist") or [])


def unpack(pins: Mapping[str, Any], folder: Path) -> Path:
    """Fetch this machine's wheels of the compiler; return the folder with `bin` and `include`."""
    own = pins.get(find_system())
    if own is None:
        raise refuse("this machine", find_system(), " or ".join(pins), "use such a machine")
    wheels = [
        Source(
            kind="wheel",
            derivation="",
            name=name,
            store_path="",
            project=name,
            **{key: own[name][key] for key in ("version", "file", "sha256")},
        )
        for name in COMPILER
    ]
    groups = fetch_wheels(wheels, folder, lambda _: None)
    for wheel, file in chain.from_iterable(group.items() for group in groups):
        if not isinstance(file, Path):
            raise refuse(wheel.file, str(file), "the wheel", "give pip an index that has it")
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder / "tree")
    programs = [file.parent for file in (folder / "tree").rglob("ptxas")]
    for program in [file for place in programs for file in place.iterdir() if file.is_file()]:
        program.chmod(0o755)
    if len(programs) != 1:
        raise refuse(COMPILER[0], f"{len(programs)} programs ptxas", "one", "look at the wheel")
    return programs[0].parent


def list_targets(text: str) -> list[str]:
    """Return the capabilities in the help of ptxas: "10.7a" for `sm_107a`."""
    names = set(re.findall(r"'sm_(\d+)(\d)([af]?)'", text))
    return [f"{major}.{minor}{suffix}" for major, minor, suffix in sorted(names, key=_order)]


def _order(name: tuple[str, str, str]) -> tuple[int, int, str]:
    return int(name[0]), int(name[1]), name[2]


def find_newest_gcc(text: str) -> int:
    """Return the newest gcc that host_config.h accepts."""
    found = re.search(r"^#if __GNUC__ > (\d+)$", text, re.MULTILINE)
    if not found:
        raise refuse(
            "host_config.h", "no limit of __GNUC__", "`#if __GNUC__ > 16`", "look at the file"
        )
    return int(found[1])


@click.command("add-toolkit")
@click.argument("release")
def command(release: str) -> None:
    """Pin the CUDA toolkit of a RELEASE, such as 13.5, from the indexes of this machine's pip.

    The file of the release before it says which projects are wanted, and what NVIDIA does not
    state. The rest comes from the wheels: capabilities from ptxas, options from nvcc, the newest
    gcc from the headers. Both programs run on this machine. Files are written only if everything
    was found.
    """
    if not re.fullmatch(r"\d+\.\d+", release):
        raise refuse("RELEASE", json.dumps(release), "a release such as 13.5", "leave updates out")
    root = find_root()
    known = sorted((root / RELEASES).glob("*.json"), key=lambda file: Version(file.stem))
    if release in [file.stem for file in known]:
        click.echo(f"{RELEASES}/{release}.json: already there")
        return
    older = [file for file in known if Version(file.stem) < Version(release)]
    last = json.loads((older or known)[-1].read_text())
    if last["kind"] != "wheel":
        raise refuse(release, "no wheels of CUDA 12", "CUDA 13 or newer", "write the file by hand")
    pip = need_pip()
    with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
        folder = Path(name)
        versions = find_release(pip, release, last["python"], folder)
        projects = [Requirement(each).name for each in last["want"]]
        lacking = [project for project in projects if project not in versions]
        if lacking:
            raise refuse(INDEX, f"no {', '.join(lacking)}", "them", "change `want` by hand")
        want = [f"{project}=={versions[project]}" for project in projects]
        data = {**last, "want": want, "pins": {system: {} for system in last["pins"]}}
        say(f"asking pip for {len(want)} projects on {len(last['pins'])} systems")
        data["pins"] = renew_wheels(data, folder, keep=False)
        compiler = unpack(data["pins"], folder)
        data["supported"] = list_targets(run([str(compiler / "bin/ptxas"), "--help"]).stdout)
        header = compiler / "include/crt/host_config.h"
        data["gcc"] = {**last["gcc"], "newest": find_newest_gcc(header.read_text())}
        options = json.loads((root / OPTIONS).read_text())
        merged = merge(options, dict([read_help(str(compiler / "bin/nvcc"))]))
    write_whole(root / RELEASES / f"{release}.json", dump(data))
    write_whole(root / OPTIONS, dump(merged))
    # Nix sees only files that git tracks.
    run(["git", "-C", str(root), "add", "--intent-to-add", "--", f"{RELEASES}/{release}.json"])
    new = {
        "capabilities": [one for one in data["supported"] if one not in last["supported"]],
        "options of nvcc": sorted(merged["options"].keys() - options["options"].keys()),
    }
    click.echo(f"wrote {RELEASES}/{release}.json and {OPTIONS}")
    for noun, names in new.items():
        click.echo(f"new {noun}: {', '.join(names) or 'none'}")
    click.echo(LEFT)


if __name__ == "__main__":
    start(command)
