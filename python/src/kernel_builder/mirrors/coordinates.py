"""Pinned sources: what a fixed-output derivation says about where its content comes from.

A derivation may be a stranger's. Its coordinates become words or lines for pip, apt, Nix and curl,
where a line break or a leading dash would be another option, so each one has to match its pattern
before any of these programs starts.
"""

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from kernel_builder.hub import REPOSITORY
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation

_URL: Final = r"https?://[A-Za-z0-9[][!-~]*|file:///[!-~]*"
_FIELDS: Final[Mapping[str, str]] = {
    "name": r"[A-Za-z0-9+_?=-][A-Za-z0-9+._?=-]{0,210}",
    "out": r"/[!-~]+/[0-9a-z]{32}-[!-~]+",
    "outputHash": r"[0-9a-fA-F]{64}|sha256-[A-Za-z0-9+/]{43}=",
}
# The pattern of each further field by its `sourceKind`. A question mark: it may be missing.
KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "archive": {
        "file": r"[A-Za-z0-9_][A-Za-z0-9._+@=-]*",
        "url": _URL,
        "repo?": r"[A-Za-z0-9_][A-Za-z0-9._-]*",
        "rev?": r"[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/+-]*",
    },
    # Debian's policy, 5.6.
    "deb": {
        "package": r"[a-z0-9][a-z0-9.+-]+",
        "version": r"([0-9]+:)?[0-9][A-Za-z0-9.+~-]*",
        "architecture": r"[a-z][a-z0-9]+",
        # A suite, and a component that is not `main`.
        "suite": r"[a-z][a-z0-9-]*(/[a-z][a-z-]*)?",
        "url?": _URL,
    },
    "kernel": {"repository": REPOSITORY, "commit": r"[0-9a-f]{40}"},
    "vendor": {"url": _URL},
    # PEP 503 and PEP 440.
    "wheel": {
        "project": r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?",
        "version": r"[A-Za-z0-9][A-Za-z0-9.!+_-]*",
        "file": r"[A-Za-z0-9][A-Za-z0-9._+!-]*\.whl",
        "url?": _URL,
    },
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
    repository: str = ""
    commit: str = ""

    @property
    def label(self) -> str:
        """The name that messages use."""
        return self.file or self.name


class Unasked(str):
    """The reason why no index was asked for a source."""


# For sources that came together: their files, why there is none, or None if it is in the store.
Group = Mapping[Source, Path | str | None]
Outcomes = Iterator[Group]
# It gets each line of a program's output.
Show = Callable[[str], object]


def quote_complaints(program: str, output: str) -> str:
    """Return the first and the last two complaints of pip or apt, a line for each, if any."""
    # As root, apt says so of a folder that its downloader cannot enter.
    mark = r"^(?:(?:ERROR|WARNING|E|W): (?!Download is performed un).*|.*No space left on device.*)"
    lines = re.findall(mark, output, re.MULTILINE)
    shown = dict.fromkeys([*lines[:1], *lines[-2:]])
    return "".join(f"\n{program} says: {line}" for line in shown)


def read_source(derivation: Derivation) -> Source:
    """Return the source of a derivation that has a `sourceKind`.

    Raises KernelBuilderError if a coordinate is missing or does not match its pattern.
    """
    kind = derivation.environment["sourceKind"]
    fields = {"out": derivation.outputs.get("out", "")}
    wrong = {}
    for field, pattern in {**_FIELDS, **KINDS.get(kind, {})}.items():
        name = field.rstrip("?")
        text = fields.setdefault(name, derivation.environment.get(name, ""))
        if (text or name == field) and not re.fullmatch(pattern, text, re.ASCII):
            found = f"{name} = {json.dumps(text)}" if text else f"no {name}"
            wrong[found] = f"a match of {pattern}"
    if kind not in KINDS:
        wrong = {f"sourceKind {json.dumps(kind)}": f"one of {', '.join(KINDS)}"}
    elif kind == "wheel" and not wrong and not _is_wheel_of(**fields):
        want = f"a wheel of {fields['project']} {fields['version']}"
        wrong = {f"file = {json.dumps(fields['file'])}": want}
    if wrong:
        fix = (
            "use fetchArchive, fetchDeb, fetchKernel, fetchVendor or fetchWheel, which set the "
            "fields; or update kernel-builder. Do not build a stranger's kernel that does this"
        )
        problems = [Problem(derivation.path, found, want, fix) for found, want in wrong.items()]
        raise KernelBuilderError("the coordinates of a source cannot be read", problems)
    store_path, sha256 = fields.pop("out"), fields.pop("outputHash").lower()
    if sha256.startswith("sha256-"):
        sha256 = base64.b64decode(derivation.environment["outputHash"][len("sha256-") :]).hex()
    return Source(kind, derivation.path, store_path=store_path, sha256=sha256, **fields)


def _is_wheel_of(project: str, version: str, file: str, **_: str) -> bool:
    """Return whether the file name of a wheel names its project and its version."""
    try:
        named, numbered, *_rest = parse_wheel_filename(file)
        return named == canonicalize_name(project) and numbered == Version(version)
    except ValueError:
        return False


def collect_sources(derivations: Iterable[Derivation]) -> list[Source]:
    """Return the sources among derivations, sorted by label."""
    sources = [read_source(each) for each in derivations if "sourceKind" in each.environment]
    return sorted(sources, key=lambda source: source.label)
