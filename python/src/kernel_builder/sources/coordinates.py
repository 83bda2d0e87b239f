"""Pinned sources: what a fixed-output derivation says about where its content comes from.

A derivation may be a stranger's. Its coordinates become words or lines for pip, apt, Nix and curl,
where a line break or a leading dash would be another option, so each one has to match its pattern
before any of these programs starts.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Union

from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation

# The fields of each `sourceKind`: those that a derivation must have, and those that it may have.
KINDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "archive": (("file", "url"), ("repo", "rev")),
    "deb": (("package", "version", "architecture", "suite"), ("url",)),
    "vendor": (("url",), ()),
    "wheel": (("project", "version", "file"), ("url",)),
}

# A pattern for each field, by its kind where two kinds share the name.
RULES: Final[Mapping[str, str]] = {
    "name": r"[A-Za-z0-9+_?=-][A-Za-z0-9+._?=-]{0,210}",
    "out": r"/[!-~]+/[0-9a-z]{32}-[!-~]+",
    "outputHash": r"[0-9a-fA-F]{64}|sha256-[A-Za-z0-9+/]{43}=",
    "url": r"https?://[A-Za-z0-9[][!-~]*|file:///[!-~]*",
    # PEP 503 and PEP 440.
    "project": r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?",
    "wheel.version": r"[A-Za-z0-9][A-Za-z0-9.!+_-]*",
    "wheel.file": r"[A-Za-z0-9][A-Za-z0-9._+!-]*\.whl",
    # Debian's policy, 5.6.
    "package": r"[a-z0-9][a-z0-9.+-]+",
    "deb.version": r"([0-9]+:)?[0-9][A-Za-z0-9.+~-]*",
    "architecture": r"[a-z][a-z0-9]+",
    "suite": r"[a-z][a-z0-9-]*",
    "archive.file": r"[A-Za-z0-9_][A-Za-z0-9._+@=-]*",
    "repo": r"[A-Za-z0-9_][A-Za-z0-9._-]*",
    "rev": r"[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/+-]*",
}


@dataclass(frozen=True)
class Source:
    """A file or a tree that has to arrive in the store, with the coordinates of its kind.

    `sha256` is hexadecimal. `url` may be empty: then only pip or apt can get the source.
    """

    kind: str
    derivation: str
    name: str
    store_path: str
    sha256: str
    url: str = ""
    package: str = ""
    version: str = ""
    architecture: str = ""
    suite: str = ""
    project: str = ""
    file: str = ""
    repo: str = ""
    rev: str = ""

    @property
    def label(self) -> str:
        """The name that messages use."""
        if self.kind == "deb":
            return f"{self.package} {self.version} ({self.architecture})"
        return self.file or self.name

    @property
    def sri(self) -> str:
        """The hash as Nix writes that of a tree."""
        return "sha256-" + base64.b64encode(bytes.fromhex(self.sha256)).decode()


# The outcome of each source: its file, the reason why there is none, or None if it is added.
Outcomes = Mapping[Source, Union[Path, str, None]]
# Lines in which pip and apt say what went wrong. In a folder that its downloader cannot enter, apt
# goes on as root, and says so.
_COMPLAINT: Final = re.compile(
    r"(?:ERROR|WARNING|E|W): (?!Download is performed unsandboxed)|.*No space left on device"
)


def quote_complaints(program: str, output: str) -> str:
    """Return the first and the last two complaints of pip or apt, a line for each, if any."""
    complaints = [line.strip() for line in output.splitlines() if _COMPLAINT.match(line)]
    shown = dict.fromkeys([*complaints[:1], *complaints[-2:]])
    return "".join(f"\n{program} says: {line}" for line in shown)


def read_source(derivation: Derivation) -> Source:
    """Return the source of a derivation that has a `sourceKind`.

    Raises KernelBuilderError if a coordinate is missing or does not match its pattern.
    """
    kind = derivation.environment["sourceKind"]
    if kind not in KINDS:
        raise _refuse(derivation, {f"sourceKind {json.dumps(kind)}": f"one of {', '.join(KINDS)}"})
    required, optional = ("name", "outputHash", *KINDS[kind][0]), KINDS[kind][1]
    values = {
        field: derivation.environment[field]
        for field in (*required, *optional)
        if derivation.environment.get(field)
    }
    if missing := [field for field in required if field not in values]:
        raise _refuse(derivation, {f"no {field}": "all fields of its kind" for field in missing})
    values["out"] = derivation.outputs.get("out", "")
    rules = {field: RULES.get(f"{kind}.{field}") or RULES[field] for field in values}
    wrong = {
        f"{field} = {json.dumps(value)}": f"a match of {rules[field]}"
        for field, value in values.items()
        if not re.fullmatch(rules[field], value, re.ASCII)
    }
    if kind == "wheel" and not wrong and not _is_wheel_of(values):
        want = f"a wheel of {values['project']} {values['version']}"
        wrong[f"file = {json.dumps(values['file'])}"] = want
    if wrong:
        raise _refuse(derivation, wrong)
    store_path, sha256 = values.pop("out"), values.pop("outputHash")
    if sha256.startswith("sha256-"):
        sha256 = base64.b64decode(sha256[len("sha256-") :]).hex()
    return Source(
        kind=kind,
        derivation=derivation.path,
        store_path=store_path,
        sha256=sha256.lower(),
        **values,
    )


def _is_wheel_of(values: Mapping[str, str]) -> bool:
    """Return whether the file name of a wheel names its project and its version."""
    try:
        project, version, *_ = parse_wheel_filename(values["file"])
        return project == canonicalize_name(values["project"]) and (
            version == Version(values["version"])
        )
    except ValueError:
        return False


def _refuse(derivation: Derivation, wanted: Mapping[str, str]) -> KernelBuilderError:
    """Return the error about fields; `wanted` maps what was found to what is expected."""
    fix = (
        "use fetchArchive, fetchDeb, fetchVendor or fetchWheel, which set the fields; "
        "or update kernel-builder. Do not build a stranger's kernel that does this"
    )
    problems = [Problem(derivation.path, found, want, fix) for found, want in wanted.items()]
    return KernelBuilderError("the coordinates of a source cannot be read", problems)


def collect_sources(derivations: Iterable[Derivation]) -> list[Source]:
    """Return the sources among derivations, sorted by label."""
    sources = [read_source(each) for each in derivations if "sourceKind" in each.environment]
    return sorted(sources, key=lambda source: source.label)
