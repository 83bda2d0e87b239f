"""`tools/bin/add-torch`: adds a Torch from the indexes of the machine's pip."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from pathlib import Path
from typing import Any, Final

import click
from packaging.version import Version

from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.process import run, stream
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain, say
from lock import pre_releases
from lock.pins import dump, write_whole
from lock.start import start
from lock.torch_wheels import LINUX, MAC, Wheel, find_torch
from lock.wheels import need_pip, renew_wheels

# The Python of pinned wheels if a Torch has none for the first Python of the package set.
OTHER_PYTHON: Final = "3.13"

PINS: Final = "lib/matrix/torch-pins.json"
REASONS: Final = "docs/pins-without-row.json"
ROWS: Final = "lib/matrix/matrix.json"
STATUS: Final = "docs/reference/status.json"
RELEASES: Final = "backends/cuda/releases"
RENEW: Final = ("docs", "eval-fail", "golden", "--renew", "-q")


def has_wheels(root: Path, toolkit: str) -> bool:
    """Return whether a toolkit is pinned as wheels; raise KernelBuilderError if it is unknown."""
    release = root / RELEASES / f"{toolkit}.json"
    if not release.exists():
        problem = Problem(
            at=f"CUDA {toolkit}, which its wheel is built with",
            found=f"no {RELEASES}/{toolkit}.json",
            want="a toolkit that is known",
            fix="add the toolkit first (docs/extending.md, A toolkit), and run this again",
        )
        raise KernelBuilderError("the Torch cannot be added yet", [problem])
    return bool(json.loads(release.read_text()).get("kind") == "wheel")


def write_row(release: str, backend: str, toolkit: str | None, *, pre: bool) -> dict[str, Any]:
    """Return the keys of a row without its systems; "2.16.0" is written as "2.16"."""
    name = {f"{backend}Version": toolkit} if toolkit else {backend: True}
    version = re.sub(r"^(\d+\.\d+)\.0$", r"\1", Version(release).base_version)
    mark = {"pre": release} if pre else {}
    return {"torchVersion": version, **name, "bundleBuild": not pre, **mark}


def order(row: Mapping[str, Any]) -> tuple[Version, str, Version]:
    """Return the key that rows are sorted by. It is different for each row."""
    (name,) = {*row} - {"torchVersion", "bundleBuild", "systems", "pre"}
    toolkit = row[name] if name.endswith("Version") else "0"
    return Version(row["torchVersion"]), name.removesuffix("Version"), Version(toolkit)


def place(row: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Insert a row in order, or add its systems to the row with the same key."""
    systems = [*row["systems"]]
    for old in [one for one in rows if order(one) == order(row)]:
        systems += old["systems"]
        rows.remove(old)
    row["systems"] = [system for system in (*LINUX, MAC) if system in systems]
    rows.insert(next((i for i, one in enumerate(rows) if order(one) > order(row)), len(rows)), row)


def lock(wheels: Sequence[Wheel], want: str, folder: Path) -> dict[str, Any]:
    """Return the content of a pin file for the systems of the wheels."""
    say(f"asking pip for {want}, and what it loads")
    data = {"kind": "wheel", "python": wheels[0].python, "want": [want]}
    pins: Mapping[str, Any] = {wheel.system: {} for wheel in wheels}
    with tempfile.TemporaryDirectory(dir=folder) as own:
        return {**data, "pins": renew_wheels({**data, "pins": pins}, Path(own), keep=False)}


def inner(locked: Mapping[str, Any]) -> str:
    """Return the folder of a pin file beside those for the first Python."""
    return f"{OTHER_PYTHON}/" if locked["python"] == OTHER_PYTHON else ""


def write_record(build: str, system: str) -> dict[str, Any]:
    """Return the record of docs/reference/status.json for a build on a system.

    tests/graph/test_status.py instantiates every row, so that much is true of a new one.
    """
    backend = re.sub(r"^cu\d+$", "cuda", build.partition("+")[2])
    done = {"state": "instantiated", "builds": [build], "date": str(date.today())}
    what = {"what": "a kernel of the tests", "see": "tests/graph/test_status.py"}
    return {"backend": backend, "system": system, **done, **what}


def write_status(
    text: str,
    replaced: Mapping[str, str],
    new: Sequence[Mapping[str, Any]],
    dropped: AbstractSet[str],
) -> str:
    """Return the text of docs/reference/status.json with new records, without dropped builds.

    No more is known of a build that replaces another than that it is instantiated.
    """
    records = [*new]
    for record in json.loads(text):
        builds = [build for build in record["builds"] if build not in dropped]
        if record["state"] in ("missing", "instantiated"):
            builds = [replaced.get(build, build) for build in builds]
        kept = [build for build in builds if build not in replaced]
        gone = [replaced[build] for build in builds if build in replaced]
        records += [{**record, "builds": kept}] if kept else []
        records += [write_record(build, record["system"]) for build in gone]
    lines = ",\n  ".join(json.dumps(record, ensure_ascii=False) for record in records)
    return f"[\n  {lines}\n]\n"


def find_series(release: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of other patch releases, whose variants have the same names."""
    version = Version(release)
    versions = [(Version(row["torchVersion"]), row) for row in rows]
    return [
        row for one, row in versions if one.release[:2] == version.release[:2] and one != version
    ]


def find_replaced(
    release: str, series: Sequence[Mapping[str, Any]], pins: Mapping[str, Any]
) -> dict[str, str]:
    """Return the builds that a patch release replaces, each with its own.

    Without one of them it replaces none: backends would have no common Torch.
    """
    earlier = {Version(row["torchVersion"]) for row in series}
    builds = {
        build: f"{release}+{build.partition('+')[2]}"
        for build in pins
        if Version(build.partition("+")[0]) in earlier
    }
    is_newer = all(one < Version(release) for one in earlier)
    is_whole = all({*pins[old]} <= {*pins.get(new, {})} for old, new in builds.items())
    return builds if is_newer and is_whole else {}


def write_reason(kind: str, release: str) -> str:
    """Return the reason for a pin without a row."""
    whole = re.sub(r"^\d+\.\d+$", r"\g<0>.0", release)
    return f"{kind}, for a torchVersions that names it: its variants have the names of {whole}"


def prepare(
    root: Path, wheels: Sequence[Wheel], folder: Path, *, pre: bool
) -> dict[str, str | None]:
    """Return the new text of each file to write, or None for a file to delete."""
    pins, reasons, rows = (json.loads((root / name).read_text()) for name in (PINS, REASONS, ROWS))
    release = wheels[0].release
    dropped, old = pre_releases.drop_pre_releases(root, release, pins, rows)
    files: dict[str, str | None] = {**old}
    linux = [wheel for wheel in wheels if wheel.system in LINUX]
    groups: dict[str, list[Wheel]] = {}
    for wheel in wheels:
        for build in {wheel.build, wheel.build if wheel in linux else f"{release}+metal"}:
            groups.setdefault(build, []).append(wheel)
            pins.setdefault(build, {})[wheel.system] = wheel.pin
    series = find_series(release, rows)
    replaced = find_replaced(release, series, pins)
    if series and not replaced:
        patch = write_reason("a patch release", series[0]["torchVersion"])
        reasons.update(dict.fromkeys(groups, patch))
    else:
        for row in series:
            row["torchVersion"] = release
        earlier = write_reason("an earlier release", release)
        reasons = {build: reason for build, reason in reasons.items() if build not in groups}
        reasons.update(dict.fromkeys(replaced, earlier))
    records = []
    for build, group in sorted(groups.items()):
        toolkit = group[0].toolkit
        if toolkit is not None and has_wheels(root, toolkit):
            locked = lock(group, f"torch==={group[0].pin['version']}", folder)
            files[f"pkgs/torch/torch-wheel/locks/{inner(locked)}{build}.json"] = dump(locked)
        if not series:
            backend = "cuda" if toolkit else build.partition("+")[2]
            systems = [wheel.system for wheel in group]
            place({**write_row(release, backend, toolkit, pre=pre), "systems": systems}, rows)
            records += [write_record(build, system) for system in systems]
    for specifier in {wheel.requires["triton"] for wheel in linux if "triton" in wheel.requires}:
        locked = lock(linux, f"triton{specifier}", folder)
        locked["want"] = [f"triton==={locked['pins'][linux[0].system]['triton']['version']}"]
        files[f"pkgs/torch/triton-beside/locks/{inner(locked)}{release}.json"] = dump(locked)
    files[STATUS] = write_status((root / STATUS).read_text(), replaced, records, dropped)
    return {**files, PINS: dump(pins), REASONS: dump(reasons), ROWS: dump(rows)}


def list_rest(root: Path, wheels: Sequence[Wheel]) -> list[str]:
    """Return the steps that remain to be done by hand."""
    pins = json.loads((root / PINS).read_text())
    release = wheels[0].release
    vendors = [build.split("+") for build in pins if "url" in str(pins[build])]
    earlier = {one for one, _ in vendors if one.endswith(".0") and one != release}
    last = sorted(earlier, key=Version)[-2:]
    builds = {f"{release}+{compute}" for one, compute in vendors if one in last}
    there = {build for build in pins if {*LINUX} & {*pins[build]}}
    return [
        f"builds that the vendor's server alone has, as it did of {' and '.join(last)}: pins and "
        f"rows of {', '.join(sorted(builds - there))} (docs/extending.md, A Torch)",
        *(
            f"{system}: pip has no wheel for it"
            for system in (*LINUX, MAC)
            if system not in {wheel.system for wheel in wheels}
        ),
        "docs/reference/status.json: what was done with it, once that is more",
        "what README.md, docs/guide/cuda.md and CHANGELOG.md say of the newest Torch",
        "`git diff`: what users will see; `tests/run boundaries lint unit graph`: lists that want "
        "the new names, too; a build with it",
    ]


def tell(line: str) -> bool:
    """Print a line of output, and go on."""
    click.echo(line)
    return True


def write_files(root: Path, files: Mapping[str, str | None]) -> None:
    """Write the files that have changed, delete the others, and say so."""
    for file, text in files.items():
        if text is None:
            (root / file).unlink()
            click.echo(f"deleted {file}")
        elif not (root / file).exists() or (root / file).read_text() != text:
            write_whole(root / file, text)
            click.echo(f"wrote {file}")
    # Nix sees only files that git tracks.
    git = ["git", "-C", str(root)]
    kept = [file for file, text in files.items() if text is not None]
    run([*git, "add", "--intent-to-add", "--", *kept])
    if gone := {*files} - {*kept}:
        run([*git, "rm", "--quiet", "--cached", "--ignore-unmatch", "--", *sorted(gone)])


@click.command("add-torch")
@click.argument("version", required=False)
@click.option("--no-renew", is_flag=True, help="Leave documents and expected texts as they are.")
@click.option(
    "--pre",
    is_flag=True,
    help="Take a release candidate or a nightly, too. Rows say so: no bundle has the variants.",
)
def command(version: str | None, no_renew: bool, pre: bool) -> None:
    """Pin the Torch of a VERSION (default: the newest), and add its rows to the matrix.

    It comes from the indexes of this machine's pip. pip 23.3 or newer does not download whole
    wheels. Files are written only if everything was found. Then documents and expected texts are
    renewed, and the remaining steps are printed. A pre-release is replaced by the next one, and by
    its release.
    """
    root = find_root()
    pip = need_pip()
    pre_releases.check_version(version, pre=pre)
    own = json.loads((root / "pkgs/python/python-packages/pins.json").read_text())["python"]
    old = re.match(r"pip (\d+\.\d+)", run([*pip, "--version"]).stdout)
    if old and Version(old[1]) < Version("23.3"):
        complain("warning", f"{old[0]} fetches each wheel whole, which 23.3 or newer does not")
    with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
        wheels = find_torch(pip, version, (own, OTHER_PYTHON), Path(name), pre=pre)
        pins, rows = (json.loads((root / name).read_text()) for name in (PINS, ROWS))
        is_marked = any(row.get("pre") == wheels[0].release for row in rows)
        is_pinned = all(wheel.system in pins.get(wheel.build, {}) for wheel in wheels)
        if is_pinned and is_marked == pre:
            click.echo(f"{', '.join(sorted({wheel.build for wheel in wheels}))}: already there")
            return
        if pre:
            pre_releases.check_wheels(wheels, rows)
        files = prepare(root, wheels, Path(name), pre=pre)
    write_files(root, files)
    if not no_renew:
        status = stream([str(root / "tests/run"), *RENEW], tell, inherit=("*",))
        if status != 0:
            raise KernelBuilderError(f"`tests/run {' '.join(RENEW)}` has ended with {status}")
    click.echo("\nleft to do by hand:")
    rest = pre_releases.list_rest(wheels) if pre else list_rest(root, wheels)
    for line in rest:
        click.echo(f"- {line}")


if __name__ == "__main__":
    start(command)
