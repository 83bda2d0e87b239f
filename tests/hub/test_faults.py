"""Requests of an upload go wrong in every way, or another upload is faster; the end is the same."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.trials import TABLE
from tests.hub.built import make_bundle
from tests.hub.client import REPO, Client, Uploader, files_of, variants_of
from tests.hub.exchange import KINDS, Fault, Hub

VARIANTS = ("torch213-cxx11-cpu-x86_64-linux", "torch-cuda")
State = dict[str, dict[str, str]]


class Scenario:
    """A repository as it is before an upload, and as it has to be afterwards."""

    def __init__(self, hub: Hub, before: Path | None) -> None:
        self.hub = hub
        self.before = before
        self._folder = hub.repositories.root / REPO

    def restart(self, *faults: Fault) -> None:
        """Put the repository back, and count requests anew."""
        shutil.rmtree(self._folder, ignore_errors=True)
        if self.before:
            shutil.copytree(self.before, self._folder)
        self.hub.faults.reset(*faults)

    def look(self) -> State:
        return self.hub.repositories.get(REPO).summarize()


@pytest.fixture(params=["new", "update"])
def scenario(
    request: pytest.FixtureRequest, hub: Hub, upload: Uploader, tmp_path: Path
) -> Scenario:
    """A repository that does not exist, or one with other and with older variants."""
    if request.param == "new":
        return Scenario(hub, None)
    older = make_bundle(tmp_path / "older", *VARIANTS, "torch-rocm", salt="older")
    assert upload(older).status == 0
    saved = tmp_path / "saved"
    shutil.copytree(hub.repositories.root / REPO, saved)
    return Scenario(hub, saved)


def finish_without_fault(scenario: Scenario, upload: Uploader, bundle: Path) -> State:
    scenario.restart()
    assert upload(bundle).status == 0
    return scenario.look()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("killed")])
def test_one_request_goes_wrong(
    kind: str,
    scenario: Scenario,
    upload: Uploader,
    bundle: Path,
    hub: Hub,
    record_property: Callable[[str, object], None],
) -> None:
    wanted = finish_without_fault(scenario, upload, bundle)
    requests = list(hub.faults.requests)
    tried = same = 0
    # The requests that can meet the fault: all of them, if not stated.
    affected = {"wrong sha": "PUT ", "half of it": "GET /kernels/"}.get(kind, "")
    # These differ little from one request to the next.
    stride = 2 if kind in ("slow", "429", "500 after") else 1
    for number, request in list(enumerate(requests, 1))[::stride]:
        if not request.startswith(affected):
            continue
        scenario.restart(Fault(kind, number))
        done = upload(bundle)
        tried += 1
        same += done.status == 0 and scenario.look() == wanted
    if not tried:
        pytest.skip("only an update reads what is published")
    record_property(TABLE, ("upload", kind, tried, same))
    assert same == tried


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith("killed")])
def test_killed_and_run_again(
    kind: str,
    scenario: Scenario,
    upload: Uploader,
    client: Client,
    bundle: Path,
    hub: Hub,
    record_property: Callable[[str, object], None],
) -> None:
    wanted = finish_without_fault(scenario, upload, bundle)
    # One more: a process of its own asks for things that this one knows already.
    count = len(hub.faults.requests) + 1
    tried = same = 0
    for number in range(1, count + 1):
        scenario.restart(Fault(kind, number))
        process = client.start("upload", str(bundle), "--repo-id", REPO)

        def kill(process=process) -> None:  # type: ignore[no-untyped-def]
            process.kill()
            process.wait()

        hub.faults.kill = kill
        if client.finish(process).status == 0:
            assert number == count, "killed, and yet it ended well"
            continue
        tried += 1
        hub.faults.reset()
        done = upload(bundle)
        same += done.status == 0 and scenario.look() == wanted
    record_property(TABLE, ("upload", kind, tried, same))
    assert tried >= count - 1
    assert same == tried


@pytest.mark.parametrize("kind", ["500 after", "cut after"])
def test_a_lost_answer_makes_no_second_pull_request(
    kind: str, upload: Uploader, tmp_path: Path, hub: Hub
) -> None:
    upload(make_bundle(tmp_path / "old", *VARIANTS, salt="old"))
    scenario = Scenario(hub, tmp_path / "saved")
    shutil.copytree(hub.repositories.root / REPO, tmp_path / "saved")
    new = make_bundle(tmp_path / "new", *VARIANTS, salt="new")
    scenario.restart()
    wanted, found = upload(new, "--create-pr"), scenario.look()
    assert "/discussions/1" in wanted.stdout
    commits = [number for number, each in enumerate(hub.faults.requests, 1) if "/commit/" in each]
    for number in commits:
        scenario.restart(Fault(kind, number))
        done = upload(new, "--create-pr")
        assert (done.status, done.stdout, scenario.look()) == (0, wanted.stdout, found)


def test_a_hub_that_stays_broken(upload: Uploader, bundle: Path, hub: Hub) -> None:
    hub.faults.reset(Fault("500 before", 5, times=1000))
    done = upload.expect(1, bundle)
    assert "broke off" in done.stderr
    hub.faults.reset()
    assert upload(bundle).status == 0


def test_many_at_once_lose_nothing(client: Client, tmp_path: Path, hub: Hub) -> None:
    names = [*VARIANTS, "torch-rocm", "torch-xpu"]
    bundles = [make_bundle(tmp_path / name, name) for name in names]
    running = [client.start("upload", str(each), "--repo-id", REPO) for each in bundles]
    ended = [client.finish(process) for process in running]
    assert [done.status for done in ended] == [0] * 4, ended
    assert variants_of(hub) == set(names)
    assert len([path for path in files_of(hub) if path.startswith("build/")]) == 4 * 5


def files_of_variant(folder: Path) -> dict[str, Path]:
    found = (path for path in (folder / VARIANTS[0]).rglob("*") if path.is_file())
    return {f"build/{path.relative_to(folder)}": path for path in found}


def test_somebody_else_is_faster(upload: Uploader, tmp_path: Path, hub: Hub) -> None:
    upload(make_bundle(tmp_path / "old", *VARIANTS, salt="old"))
    mine = make_bundle(tmp_path / "mine", VARIANTS[0], salt="mine")
    theirs = make_bundle(tmp_path / "theirs", VARIANTS[0], salt="theirs")
    repository = hub.repositories.get(REPO)
    sets = {frozenset(files_of_variant(each)) for each in (mine, theirs)}
    old = frozenset(path for path in files_of(hub) if path.startswith(f"build/{VARIANTS[0]}/"))

    def be_faster(request: str) -> None:
        if request != f"POST /api/kernels/{REPO}/commit/v1":
            return
        hub.faults.meanwhile = lambda _: None
        files = files_of_variant(theirs)
        writes = [("write", path, file.read_bytes()) for path, file in files.items()]
        removals = [("remove", path, None) for path in old - set(files)]
        repository.commit("v1", None, "theirs", [*writes, *removals], create_pr=False)

    hub.faults.meanwhile = be_faster
    assert upload(mine).status == 0
    history = repository.list_commits(repository.resolve("v1"))
    assert [title.split(":")[0] for _, title in history[:2]] == ["tiny v1", "theirs"]
    # At no moment was there a mixture.
    for commit, _ in history[:-1]:
        tree = repository.tree(commit)
        assert {path for path in tree if path.startswith(f"build/{VARIANTS[0]}/")} in {*sets, old}
    assert variants_of(hub) == {*VARIANTS}
