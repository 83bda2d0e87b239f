"""Renews pins of Debian packages from the machine's own apt.

The release suite itself is preferred to its updates: it is frozen, so its files stay on every
mirror. SHA-1 is what Debian's snapshot archive names a file by; apt does not know it, so a new
file is downloaded once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.mirrors import apt
from kernel_builder.mirrors.coordinates import quote_complaints
from kernel_builder.nix.systems import TABLE
from lock.pins import Pins


def renew_debs(data: Mapping[str, Any], folder: Path, *, keep: bool) -> Pins:
    """Return new pins for every pinned architecture; with `keep`, of the same versions."""
    if not apt.is_present():
        problem = Problem(
            at="the PATH",
            found="no program called apt-get",
            want=f"an apt whose sources have Debian {data['suite']}",
            fix=f"run this on a Debian {data['suite']} machine or in its container",
        )
        raise KernelBuilderError("Debian packages cannot be pinned here", [problem])
    return {
        architecture: _renew(architecture, data, folder / architecture, keep=keep)
        for architecture in sorted(data["pins"])
    }


def _renew(
    architecture: str, data: Mapping[str, Any], folder: Path, *, keep: bool
) -> dict[str, dict[str, Any]]:
    names = list_wanted(data["want"], architecture)
    suite = data["suite"].partition("/")[0]
    view = apt.open_view([architecture], folder)
    output = view.update([data["suite"]])
    listed: dict[str, list[Listed]] = {}
    for name, version, offered in _list_offers(view, names):
        listed.setdefault(name, []).append(Listed(version, offered))
    old = data["pins"].get(architecture, {}) if keep else {}
    chosen = {
        name: choose_version(listed.get(name, []), suite, old.get(name, {}).get("version"))
        for name in names
    }
    lacking = [name for name, version in chosen.items() if not version]
    if lacking:
        problem = Problem(
            at=f"apt's sources, {architecture}",
            found=f"no {', '.join(lacking)} in {data['suite']}{quote_complaints('apt', output)}",
            want="every package of the list `want`",
            fix=f"correct the names, or give apt sources of Debian {data['suite']} that it reaches",
        )
        raise KernelBuilderError("Debian packages cannot be pinned", [problem])
    specifications = [f"{name}={version}" for name, version in chosen.items()]
    records = {
        record["Package"]: record
        for record in _show_records(view, specifications)
        if chosen.get(record["Package"]) == record["Version"]
    }
    pins = {name: _read_record(record) for name, record in records.items()}
    _complete(view, pins, records, data["pins"].get(architecture, {}), folder)
    return pins


def _list_offers(view: apt.View, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return name, version and suite of what the package lists offer, best first."""
    offers = []
    for line in run(view.argv("apt-cache", "madison", "--", *names)).stdout.splitlines():
        # The origin is "ADDRESS SUITE/COMPONENT ARCHITECTURE Packages".
        name, version, origin = (part.strip() for part in line.split("|"))
        offers.append((name, version, origin.split()[1].split("/")[0]))
    return offers


def _show_records(view: apt.View, specifications: Sequence[str]) -> list[dict[str, str]]:
    """Return the records of `package=version` as fields."""
    text = run(view.argv("apt-cache", "show", "--", *specifications)).stdout
    records = []
    for paragraph in text.strip().split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line[:1] not in ("", " ")]
        records.append(dict(line.split(": ", 1) for line in lines if ": " in line))
    return records


@dataclass(frozen=True)
class Listed:
    """A version that package lists offer."""

    version: str
    suite: str


def list_wanted(want: Sequence[str], architecture: str) -> list[str]:
    """Return the packages for an architecture.

    `name:architecture` names one only for it; `@triple@` is the name of its compiler.
    """
    triples = {each.get("debian"): each.get("triple") for each in TABLE.values()}
    # Names of packages have no underscore.
    triple = str(triples[architecture]).replace("_", "-")
    pairs = [entry.partition(":") for entry in want]
    names = [name for name, _, only in pairs if only in ("", architecture)]
    return [name.replace("@triple@", triple) for name in names]


def choose_version(listed: Sequence[Listed], suite: str, kept: str | None = None) -> str:
    """Return the kept version, else that of the release or its updates, else an empty string."""
    if any(one.version == kept for one in listed):
        return kept or ""
    release = [one.version for one in listed if one.suite == suite]
    updates = [one.version for one in listed if one.suite.startswith(f"{suite}-")]
    return next(iter([*release, *updates]), "")


def _read_record(record: Mapping[str, str]) -> dict[str, Any]:
    return {
        "version": record["Version"],
        "file": PurePosixPath(record["Filename"]).name,
        "sha256": record["SHA256"],
    }


def _complete(
    view: apt.View,
    pins: dict[str, dict[str, Any]],
    records: Mapping[str, Mapping[str, str]],
    old: Mapping[str, Mapping[str, Any]],
    folder: Path,
) -> None:
    """Add SHA-1 to the pins: from the old pin of the same file, else from the file itself."""
    new = []
    for name, pin in pins.items():
        before = old.get(name, {})
        if before.get("sha256") == pin["sha256"] and before.get("sha1"):
            pin["sha1"] = before["sha1"]
        else:
            new.append(name)
    if not new:
        return
    specifications = [f"{name}={pins[name]['version']}" for name in new]
    view.download(specifications, folder)
    for name in new:
        pin = pins[name]
        version = pin["version"].replace(":", "%3a")
        file = folder / f"{name}_{version}_{records[name]['Architecture']}.deb"
        content = file.read_bytes() if file.is_file() else b""
        if hashlib.sha256(content).hexdigest() != pin["sha256"]:
            problem = Problem(
                at=f"{name} {pin['version']}",
                found="apt does not bring the file that its lists name",
                want=f"sha256 {pin['sha256']}",
                fix="run this again; a mirror may be in the middle of an update",
            )
            raise KernelBuilderError("Debian packages cannot be pinned", [problem])
        pin["sha1"] = hashlib.sha1(content).hexdigest()
