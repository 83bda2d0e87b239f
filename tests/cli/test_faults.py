"""The command line is killed, or finds the disk full, at any of its deeds: run it again."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget
from tests.cli.store import Store
from tests.cli.trials import AtDeeds, State, Trials
from tests.cli.wheel_file import put_wheels


@pytest.fixture(params=["killed", "full disk"])
def fault(request: pytest.FixtureRequest, cli: Cli, tmp_path: Path) -> AtDeeds:
    hook = tmp_path / "hook"
    hook.mkdir()
    return AtDeeds(request.param, cli, hook)


COPY = """\
import sys
from pathlib import Path
from kernel_builder.__main__ import _show
from kernel_builder.variants.copy import copy_bundle
states = {"one": "off", "two": "on"}
try:
    copy_bundle(Path(sys.argv[1]), Path(sys.argv[2]), prune=False, states=states)
except Exception as error:
    sys.exit(_show(error))
"""


def read_tree(folder: Path) -> State:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def write_tree(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_copying(fault: AtDeeds, trials: Trials, tmp_path: Path) -> None:
    (fault.folder / "copying.py").write_text(COPY)
    fault.cli.module = "copying"
    bundle, build = tmp_path / "bundle", tmp_path / "build"
    new = {"metadata.json": "new", "a.py": "", "same": ""}
    old = {"metadata.json": "old", "gone.py": "", "same": ""}
    write_tree(bundle, {f"one/{name}": text for name, text in new.items()})
    write_tree(bundle, {"two/metadata.json": ""})

    def restart() -> Sequence[str]:
        shutil.rmtree(build, ignore_errors=True)
        write_tree(build, {f"one/{name}": text for name, text in old.items()})
        write_tree(build, {"sandbox/one": "on\n"})
        return str(bundle), str(build)

    def look() -> State:
        # Nothing beside it, neither older files nor what was half done.
        return read_tree(build)

    def check() -> None:
        found = read_tree(build / "one")
        if fault.name == "killed" and not found:
            # The moment between two names, which the next run knows.
            found = read_tree(build / ".one.old")
        else:
            assert found in (old, new)
        state = build / "sandbox" / "one"
        said = state.read_text() if state.exists() else ""
        assert said in (("on\n", "") if found == old else ("off\n", ""))
        if fault.name != "killed":
            assert not list(build.glob(".*"))

    trials.try_each("copy to build/", fault, restart, look, check=check)
    assert look() == {
        **read_tree(bundle), "sandbox": "", "sandbox/one": "off\n", "sandbox/two": "on\n"
    }  # fmt: skip


@pytest.fixture(params=["in a sandbox", "without one"])
def options(request: pytest.FixtureRequest) -> Sequence[str]:
    return () if request.param == "in a sandbox" else ("--option", "sandbox", "false")


def test_build(
    fault: AtDeeds, trials: Trials, kernel: FakeKernel, options: Sequence[str], tmp_path: Path
) -> None:
    kernel.add("one")
    kernel.add("two")
    folder, page = kernel.write(), tmp_path / "report.json"
    state = tmp_path / "state"
    fault.cli.environment |= {
        "XDG_STATE_HOME": str(state),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    def restart() -> Sequence[str]:
        (folder / "result").unlink(missing_ok=True)
        page.write_text("{}")
        shutil.rmtree(state, ignore_errors=True)
        forget(folder)
        return "build", str(folder), "--report", str(page), *options

    def look() -> State:
        memory = state / "kernel-builder" / "built-without-sandbox"
        return {
            "result": (folder / "result").read_text(),
            "without a sandbox": memory.read_text() if memory.exists() else "",
        }

    def check() -> None:
        assert page.read_text().endswith("}")

    name = " ".join(("build", *options))
    # It makes few files itself.
    step = 1 if fault.name == "full disk" else 5 if options else 3
    trials.try_each(name, fault, restart, look, points=count(1, step), check=check)


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
