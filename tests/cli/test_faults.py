"""The command line is killed, or finds the disk full, at any of its deeds: run it again."""

import shutil
import uuid
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from kernel_builder.variants.sandbox import find_states
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget
from tests.cli.store import Store, put_wheels
from tests.cli.trials import AtDeeds, State, Trials
from tests.hub.built import write_state
from tests.tiny_kernel import write_files


@pytest.fixture(params=["killed", "full disk"])
def fault(request: pytest.FixtureRequest, cli: Cli, tmp_path: Path) -> AtDeeds:
    hook = tmp_path / "hook"
    hook.mkdir()
    return AtDeeds(request.param, cli, hook)


COPY = """\
import sys
from pathlib import Path
from kernel_builder.__main__ import _show_error
from kernel_builder.variants import copy, sandbox
states = {"one": sandbox.Sandbox("off"), "two": sandbox.Sandbox("on")}
copy.find_states = lambda _: states
try:
    copy.copy_bundle(Path(sys.argv[1]), Path(sys.argv[2]), prune=False)
except Exception as error:
    sys.exit(_show_error(error))
"""


def read_tree(folder: Path) -> State:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def test_copying(fault: AtDeeds, trials: Trials, tmp_path: Path) -> None:
    (fault.folder / "copying.py").write_text(COPY)
    fault.cli.module = "copying"
    bundle, build = tmp_path / "bundle", tmp_path / "build"
    # The list of sources has the same text, to see that it fits.
    newer, older = '{"is": "new"}', '{"is": "old"}'
    new = {"metadata.json": newer, "a.py": "", "same": ""}
    old = {"metadata.json": older, "gone.py": "", "same": ""}
    write_files(bundle, {f"one/{name}": text for name, text in new.items()})
    beside = ("provenance/one.cdx.json", "findings/one.json")
    write_files(bundle, {"two/metadata.json": "{}", **dict.fromkeys(beside, newer)})

    def restart() -> Sequence[str]:
        shutil.rmtree(build, ignore_errors=True)
        write_files(build, {f"one/{name}": text for name, text in old.items()})
        write_files(build, dict.fromkeys(beside, older))
        write_state(build / "one", "on")
        return str(bundle), str(build)

    def look() -> State:
        # Nothing beside it, neither older files nor what was half done.
        return read_tree(build)

    def check() -> None:
        found = read_tree(build / "one")
        # Between two names, nothing of the variant is there.
        if found:
            assert found in (old, new)
            assert {(build / each).read_text() for each in beside} == {found["metadata.json"]}
        # A state is that of these bytes, or of none.
        state = find_states({"one": build / "one"})["one"].state if (build / "one").exists() else ""
        assert state in (("on", "unknown", "") if found == old else ("off", "unknown", ""))
        if fault.name != "killed":
            assert not list(build.rglob(".*"))

    trials.try_each("copy to build/", fault, restart, look, check=check)
    written = {name: text for name, text in look().items() if not name.startswith("sandbox")}
    assert written == read_tree(bundle)
    states = find_states({name: build / name for name in ("one", "two")})
    assert {name: each.state for name, each in states.items()} == {"one": "off", "two": "on"}


def test_build(fault: AtDeeds, trials: Trials, kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("one")
    kernel.add("two")
    folder, page = kernel.write(), tmp_path / "report.json"
    fault.cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    def restart() -> Sequence[str]:
        (folder / "result").unlink(missing_ok=True)
        page.write_text("{}")
        forget(folder)
        return "build", str(folder), "--report", str(page)

    def look() -> State:
        return {"result": (folder / "result").read_text()}

    def check() -> None:
        assert page.read_text().endswith("}")

    # It makes few files itself.
    points = count(1, 1 if fault.name == "full disk" else 3)
    trials.try_each("build", fault, restart, look, points=points, check=check)


def test_prefetch(fault: AtDeeds, trials: Trials, offline: Cli, links: Path, store: Store) -> None:
    assert offline is fault.cli
    files = (("kbtest-one", "1.0", "py3-none-any"),)
    wanted: list[str] = []

    def restart() -> Sequence[str]:
        wanted[:] = put_wheels(links, store, uuid.uuid4().hex[:12], files)
        return "prefetch", *wanted

    def look() -> State:
        return {str(number): str(store.has(drv)) for number, drv in enumerate(wanted)}

    trials.try_each(
        "prefetch", fault, restart, look, points=count(1, 3 if fault.name == "full disk" else 9)
    )
