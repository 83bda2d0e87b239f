"""Pre-releases of Torch in the matrix: release candidates and nightlies, as pip knows them.

A row with `pre` has the release that it is named after as `torchVersion`, so its variants have the
names of that. The release, or a newer pre-release, replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from kernel_builder.messages.errors import KernelBuilderError, Problem
from lock.torch_wheels import Wheel


def check_version(version: str | None, *, pre: bool) -> None:
    """Raise KernelBuilderError for the version of a pre-release that was not asked for."""
    try:
        is_pre = version is not None and Version(version).is_prerelease
    except InvalidVersion:
        is_pre = False
    if is_pre and not pre:
        problem = Problem(
            at=str(version),
            found="a pre-release",
            want="a release, or a pre-release with --pre",
            fix=f"tools/bin/add-torch --pre {version}",
        )
        raise KernelBuilderError("no Torch can be added", [problem])


def check_wheels(wheels: Sequence[Wheel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Raise KernelBuilderError if the rows have the release, or a wheel is of another backend."""
    release = Version(wheels[0].release)
    released = (row["torchVersion"] for row in rows if "pre" not in row)
    same = [one for one in released if Version(one).release[:2] == release.release[:2]]
    labels = ((wheel, Version(wheel.pin["version"]).local) for wheel in wheels)
    others = [(wheel, label) for wheel, label in labels if label not in (None, wheel.compute)]
    if same:
        problem = Problem(
            at=f"Torch {release}",
            found=f"lib/matrix/matrix.json has Torch {same[0]}, whose variants have the same names",
            want="a pre-release of a Torch that the matrix lacks",
            fix="try it with `wheel` in torchVersions (docs/reference/variants.md)",
        )
    elif others:
        problem = Problem(
            at=others[0][0].pin["file"],
            found=f"a build for {others[0][1]}",
            want="a build for CUDA or the CPU; others are added by hand (docs/extending.md)",
            fix="give pip an index of another build, or name it: `add-torch --pre VERSION+cu132`",
        )
    else:
        return
    raise KernelBuilderError("the pre-release cannot be added", [problem])


def drop_pre_releases(
    root: Path, release: str, pins: dict[str, Any], rows: list[dict[str, Any]]
) -> tuple[set[str], dict[str, None]]:
    """Remove the pre-releases that a release or a newer pre-release replaces.

    Returns their builds, and their files of pins.
    """
    series = Version(release).release[:2]
    marked = {row["pre"] for row in rows if "pre" in row}
    gone = {one for one in marked if Version(one).release[:2] == series}
    rows[:] = [row for row in rows if row.get("pre") not in gone]
    builds = {build for build in pins if build.partition("+")[0] in gone}
    for build in builds:
        del pins[build]
    files = (root / "pkgs/torch").glob("*/locks/**/*.json")
    old = (file for file in files if file.stem.partition("+")[0] in gone)
    return builds, {str(file.relative_to(root)): None for file in old}


def list_rest(wheels: Sequence[Wheel]) -> list[str]:
    """Return the steps that remain to be done with a pre-release."""
    version = Version(wheels[0].release)
    major, minor = version.release[:2]
    return [
        "`tools/bin/compare-torch` with the Torch before it, and `tools/published_kernels/run "
        f"--variant '*torch{major}{minor}-*'`: what changes for kernels. Its variants are in no "
        "bundle, and `upload` refuses them",
        f"once Torch {version.base_version} is out, `tools/bin/add-torch {version.base_version}`: "
        "its rows, pins and locks replace these",
    ]
