"""Renews pins of wheels from the machine's own pip: resolves, per system, and follows requirements.

pip decides the markers of requirements for the machine it runs on, so what it resolves may lack a
wheel of another system or hold one too many; the closure is therefore computed here, and what it
lacks is given to pip as one more requirement.

Torch is pinned where it is wanted and not because something needs it: an environment has the Torch
of its variant. pip is given an empty wheel in its place.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.environment import PIP
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.mirrors.wheels import NEUTRAL, find_pip
from kernel_builder.nix.systems import TABLE
from lock.pins import Pins

# The tags of a system with glibc 2.28, newest first: pip tries them in this order.
PLATFORMS: Final = (
    *(f"manylinux_2_{minor}" for minor in range(28, 4, -1)),
    "manylinux2014",
    "manylinux2010",
    "manylinux1",
    "linux",
)
# pip also takes wheels for older releases of macOS.
NEWEST_MACOS: Final = "macosx_26_0"
# More rounds than the longest chain of requirements that pip can have missed.
ROUNDS: Final = 20

# Every environment has these projects.
PROVIDED: Final = "torch"

Resolved = Mapping[str, Any]


def marker_environment(system: str, python: str) -> dict[str, str]:
    """Return the values of the marker variables for CPython on a system."""
    machine, os = TABLE[system]["machine"], TABLE[system]["os"]
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": os.capitalize(),
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": os,
    }


def applies(requirement: Requirement, environment: Mapping[str, str], extras: set[str]) -> bool:
    """Return whether a requirement applies without extras, or with one of these."""
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({**environment, "extra": extra}) for extra in ("", *sorted(extras))
    )


def list_platforms(system: str) -> list[str]:
    """Return the platform tags of a system, for `pip --platform`."""
    names = PLATFORMS if TABLE[system]["os"] == "linux" else [NEWEST_MACOS]
    return [f"{name}_{TABLE[system]['machine']}" for name in names]


def resolve_command(
    pip: Sequence[str], requirements: Sequence[str], system: str, python: str, folder: Path
) -> list[str]:
    """Return the command that resolves for another machine and installs nothing."""
    tag = f"cp{python.replace('.', '')}"
    return [
        *pip,
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--quiet",
        "--dry-run",
        "--ignore-installed",
        "--report",
        str(folder / "report.json"),
        "--target",
        str(folder / "never-filled"),
        "--find-links",
        str(folder),
        "--only-binary",
        ":all:",
        "--implementation",
        "cp",
        "--python-version",
        python,
        *(word for abi in (tag, "abi3", "none") for word in ("--abi", abi)),
        *(word for name in list_platforms(system) for word in ("--platform", name)),
        *requirements,
    ]


def need_pip() -> list[str]:
    """Return the command of pip; raise KernelBuilderError if there is none."""
    pip = find_pip()
    if pip is None:
        problem = Problem(
            at="the PATH",
            found="no pip",
            want="pip 22.2 or newer",
            fix="install it (`apt-get install python3-pip`), or name one in KERNEL_BUILDER_PIP",
        )
        raise KernelBuilderError("wheels cannot be pinned here", [problem])
    return pip


def renew_wheels(data: Mapping[str, Any], folder: Path, *, keep: bool) -> Pins:
    """Return new pins for every pinned system; with `keep`, of the same versions."""
    pip = need_pip()
    pins: Pins = {}
    for system in sorted(data["pins"]):
        place = folder / system
        place.mkdir()
        pins[system] = _renew(pip, system, data, place, keep=keep)
    return pins


def make_empty_wheel(project: str, version: str, folder: Path) -> str:
    """Write a wheel without modules into a folder; return a requirement that only it satisfies."""
    stem = f"{project}-{version}+provided"
    about = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}+provided\n"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{stem}.dist-info/METADATA", about)
        archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    return f"{project}=={version}+provided"


def _provide(want: Sequence[str], folder: Path) -> list[str]:
    """Return the requirement that replaces Torch for pip, unless Torch is wanted."""
    if any(canonicalize_name(Requirement(each).name) == PROVIDED for each in want):
        return []
    rows = json.loads((find_root() / "lib" / "matrix" / "matrix.json").read_text())
    newest = str(max(Version(row["torchVersion"]) for row in rows if "pre" not in row))
    return [make_empty_wheel(PROVIDED, newest, folder)]


def _renew(
    pip: Sequence[str], system: str, data: Mapping[str, Any], folder: Path, *, keep: bool
) -> dict[str, dict[str, Any]]:
    environment = marker_environment(system, data["python"])
    # pip evaluates markers for this machine, so requirements for other systems are left out here.
    want = [each for each in data["want"] if applies(Requirement(each), environment, set())]
    provided = _provide(want, folder)
    added = list(provided)
    if keep:
        old = data["pins"].get(system, {})
        added += [f"{name}==={pin['version']}" for name, pin in old.items()]
    for _ in range(ROUNDS):
        resolved = _resolve(pip, [*want, *added], system, data["python"], folder)
        depends = find_closure(want, resolved, environment, {PROVIDED} if provided else set())
        lacking = sorted(name for name in depends if name not in resolved)
        if not lacking:
            break
        added += lacking
    else:
        raise KernelBuilderError(f"internal error: no end to the requirements for {system}")
    return {
        name: {**read_pin(resolved[name]), "depends": sorted(depends[name])}
        for name in sorted(depends)
    }


def ask(
    pip: Sequence[str], requirements: Sequence[str], system: str, python: str, folder: Path
) -> Resolved | str:
    """Return the entries of pip's report by project, or pip's error text."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    argv = resolve_command(pip, requirements, system, python, folder)
    done = run(argv, environment=NEUTRAL, inherit=PIP)
    if done.status != 0 or not report.is_file():
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
        return "\n".join(errors) or done.stderr.strip() or "no report"
    entries = json.loads(report.read_text())["install"]
    return {canonicalize_name(entry["metadata"]["name"]): entry for entry in entries}


def _resolve(
    pip: Sequence[str], requirements: Sequence[str], system: str, python: str, folder: Path
) -> Resolved:
    answer = ask(pip, requirements, system, python, folder)
    if isinstance(answer, str):
        problem = Problem(
            at=f"pip, for CPython {python} on {system}",
            found=answer,
            want="wheels for every requirement of the list `want`",
            fix="correct the list, give pip an index that has them, or update pip (22.2 or newer)",
        )
        raise KernelBuilderError("wheels cannot be pinned", [problem])
    return answer


def find_closure(
    want: Sequence[str],
    resolved: Resolved,
    environment: Mapping[str, str],
    provided: AbstractSet[str] = frozenset(),
) -> dict[str, set[str]]:
    """Return each needed project with its dependencies, without provided projects.

    An extra that anything asks for counts for its project as a whole. A needed project that was
    not resolved is there with no dependencies.
    """
    extras: dict[str, set[str]] = {}
    while True:
        known = {name: set(asked) for name, asked in extras.items()}
        depends: dict[str, set[str]] = {}
        todo = list(map(Requirement, want))
        while todo:
            requirement = todo.pop()
            name = canonicalize_name(requirement.name)
            asked = extras.setdefault(name, set())
            asked |= {canonicalize_name(extra) for extra in requirement.extras}
            if name in depends:
                continue
            lines = resolved[name]["metadata"].get("requires_dist") if name in resolved else None
            needed = [
                each
                for each in map(Requirement, lines or [])
                if applies(each, environment, asked)
                and canonicalize_name(each.name) not in provided
            ]
            depends[name] = {str(canonicalize_name(each.name)) for each in needed} - {name}
            todo += needed
        if known == extras:
            return depends


def read_pin(entry: Any) -> dict[str, Any]:
    """Return the pin of an entry of pip's report."""
    archive = entry["download_info"].get("archive_info", {})
    sha256 = archive.get("hashes", {}).get("sha256") or archive["hash"].partition("=")[2]
    path = unquote(urlsplit(entry["download_info"]["url"]).path)
    return {
        "version": entry["metadata"]["version"],
        "file": PurePosixPath(path).name,
        "sha256": sha256,
    }
