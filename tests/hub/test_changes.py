"""What is compared with what, and how changes are put into commits."""

from __future__ import annotations

from pathlib import Path

from kernel_builder.hub.changes import (
    BYTES_A_COMMIT,
    FILES_A_COMMIT,
    SMALL,
    Change,
    LocalFile,
    Part,
    compare,
    list_folder,
    plan_commits,
)
from tests.hub.repository import blob_id


def write(path: Path, content: bytes = b"content") -> LocalFile:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return LocalFile(path)


def sparse(path: Path, size: int) -> LocalFile:
    with path.open("wb") as opened:
        opened.truncate(size)
    return LocalFile(path)


def test_a_file_is_compared_the_way_the_hub_names_it(tmp_path: Path) -> None:
    local = write(tmp_path / "file")
    digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    assert local.is_called(blob_id(b"content"))
    assert not local.is_called(blob_id(b"other"))
    assert local.is_called(digest)
    assert not local.is_called(digest.replace("e", "f"))


def test_a_part_owns_folders_and_single_files() -> None:
    part = Part("v", {}, ("build/v/", "provenance/v.cdx.json"))
    assert part.owns("build/v/a/b")
    assert part.owns("provenance/v.cdx.json")
    assert not part.owns("build/v2/a")
    assert not part.owns("provenance/v.cdx.json.old")


def test_compare(tmp_path: Path) -> None:
    same, changed, new = (write(tmp_path / name) for name in ("same", "changed", "new"))
    files = {"build/v/same": same, "build/v/changed": changed, "build/v/new": new}
    old = blob_id(b"old")
    remote = {
        "build/v/same": blob_id(b"content"),
        "build/v/changed": old,
        "build/v/stale": old,
        "build/w/of-others": old,
    }
    (change,) = compare([Part("v", files, ("build/v/",))], remote)
    assert set(change.add) == {"build/v/changed", "build/v/new"}
    assert change.remove == ["build/v/stale"]
    assert compare([Part("v", {"build/v/same": same}, ("build/v/same",))], remote) == []


def test_a_build_that_is_there_keeps_its_signatures(tmp_path: Path) -> None:
    files = {f"build/v/{name}": write(tmp_path / name) for name in ("__init__.py", "metadata.json")}
    part = Part("v", files, ("build/v/",))
    there = dict.fromkeys([*files, "build/v/metadata.json.sigstore"], blob_id(b"content"))
    assert compare([part], there) == []
    # That of another build goes with it.
    (change,) = compare([part], {**there, "build/v/metadata.json": blob_id(b"old")})
    assert change.remove == ["build/v/metadata.json.sigstore"]


def part_of(folder: Path, name: str, count: int) -> Change:
    for number in range(count):
        write(folder / name / f"{number:04}")
    write(folder / name / "metadata.json")
    return Change((name,), list_folder(folder / name, f"build/{name}"), [f"build/{name}/stale"])


def test_small_parts_share_a_commit_and_none_is_split(tmp_path: Path) -> None:
    sizes = (30, 30, 60, 90, 5)
    changes = [part_of(tmp_path, f"v{n}", count) for n, count in enumerate(sizes)]
    commits = plan_commits(changes)
    assert [commit.parts for commit in commits] == [("v0", "v1"), ("v2",), ("v3", "v4")]
    assert all(len(commit.add) <= FILES_A_COMMIT for commit in commits)
    assert sum(len(commit.add) for commit in commits) == sum(sizes) + len(sizes)


def test_a_large_part_ends_with_metadata_and_removals(tmp_path: Path) -> None:
    commits = plan_commits([part_of(tmp_path, "v", 2 * FILES_A_COMMIT)])
    assert [len(commit.add) for commit in commits] == [FILES_A_COMMIT, FILES_A_COMMIT, 1]
    assert list(commits[-1].add) == ["build/v/metadata.json"]
    assert [commit.remove for commit in commits] == [[], [], ["build/v/stale"]]


def test_a_commit_is_bounded_in_bytes_but_for_large_files(tmp_path: Path) -> None:
    count = BYTES_A_COMMIT // SMALL + 1
    small = {f"build/v/{n}": sparse(tmp_path / f"{n}", SMALL) for n in range(count)}
    large = {f"build/w/{n}": sparse(tmp_path / f"w{n}", SMALL + 1) for n in range(count)}
    assert [len(commit.add) for commit in plan_commits([Change(("v",), small)])] == [count - 1, 1]
    assert len(plan_commits([Change(("w",), large)])) == 1


def test_only_removals(tmp_path: Path) -> None:
    del tmp_path
    (commit,) = plan_commits([Change(("v",), {}, ["build/v/stale"])])
    assert (commit.add, commit.remove) == ({}, ["build/v/stale"])
