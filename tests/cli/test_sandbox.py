"""What was built without Nix's sandbox is remembered, with all that is made of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from kernel_builder import nix
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.sandbox import (
    describe,
    find_states,
    require_sandbox,
    write_states,
)
from tests.cli.command_line import Cli, Started
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cli.store import Store
from tests.skipping import skip

WITHOUT = ("--option", "sandbox", "false")


@pytest.fixture
def state(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is remembered, by the command line and by these tests."""
    cli.environment["XDG_STATE_HOME"] = str(tmp_path / "state")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    # The settings of the machine that runs the tests are its own.
    monkeypatch.setattr(nix, "has_sandbox", lambda: True)
    return tmp_path / "state" / "kernel-builder" / "built-without-sandbox"


def build(cli: Cli, kernel: FakeKernel, name: str, *words: str) -> Path:
    """Build a variant; return where it is."""
    done = cli("build", str(kernel.folder), "--variant", name, "--json", *words)
    assert done.status == 0, done.stderr
    (row,) = json.loads(done.stdout)["variants"]
    return Path(row["out"])


def step_of(kernel: FakeKernel) -> str:
    """Return a derivation that variants can be made with."""
    return (
        f'derivation {{ name = "step"; system = "{SYSTEM}"; salt = "{kernel.salt}"; '
        'builder = "/bin/sh"; args = [ "-c" "echo step > $out" ]; }'
    )


def test_what_was_built_without_one_is_off(cli: Cli, kernel: FakeKernel, state: Path) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu")
    kernel.write()
    within, without = build(cli, kernel, "a-cpu"), build(cli, kernel, "b-cpu", *WITHOUT)
    assert find_states({"a": within, "b": without}) == {"a": "on", "b": "off"}
    assert str(without) in state.read_text().splitlines()


def test_so_is_what_was_made_with_it(
    cli: Cli, kernel: FakeKernel, store: Store, state: Path
) -> None:
    step = step_of(kernel)
    for name in ("a-cpu", "b-cpu"):
        script = f'"echo {name} {kernel.salt} > $out"'
        kernel.add(name, script=script, sources=f"[ ({step}) ]")
    kernel.write()
    store.instantiate(step)
    build(cli, kernel, "a-cpu", *WITHOUT)
    made_later = build(cli, kernel, "b-cpu")
    assert find_states({"b": made_later}) == {"b": "off"}
    # A path that is gone is built anew.
    state.write_text("/nix/store/00000000000000000000000000000000-gone\n")
    assert find_states({"b": made_later}) == {"b": "on"}


def test_so_is_what_a_killed_command_has_built(
    cli: Cli, kernel: FakeKernel, store: Store, state: Path
) -> None:
    step = f"[ ({step_of(kernel)}) ]"
    store.instantiate(step_of(kernel))
    kernel.add("a-cpu", script='"exec /bin/sleep 30"', sources=step)
    kernel.add("b-cpu", sources=step)
    folder = kernel.write()
    with Started(cli, "build", str(folder), "--variant", "a-cpu", *WITHOUT) as process:
        assert process.stderr
        # Its step is there.
        assert any("building k-a-cpu" in line for line in process.stderr)
    assert process.returncode == -signal.SIGKILL
    assert find_states({"b": build(cli, kernel, "b-cpu")}) == {"b": "off"}
    assert state.is_file()


# Inside a chroot the kernel makes no user namespaces, and the right to make others is given away.
NEST = """mkdir "$0" && mount --rbind / "$0" &&
    exec chroot "$0" setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@" """


def test_root_is_refused_where_there_is_none(
    cli: Cli, kernel: FakeKernel, tmp_path: Path, state: Path
) -> None:
    apart = ("unshare", "--mount", "--propagation", "private")
    if os.geteuid() or subprocess.run([*apart, "true"], check=False).returncode:
        skip("mount namespaces are made by root, where the machine allows it", installable=False)
    kernel.add("a-cpu")
    cli.before = (*apart, "sh", "-c", NEST, str(tmp_path / "nest"))
    done = cli("build", str(kernel.write()))
    assert done.status == 1
    assert "error: nothing is built without a sandbox unasked (1 problem)" in done.stderr
    assert not (kernel.folder / "result").is_symlink()
    (tmp_path / "nest").rmdir()
    done = cli("build", str(kernel.folder), *WITHOUT)
    assert done.status == 0, done.stderr
    assert state.is_file()


def test_where_nix_has_none_all_is_off(monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
    assert not state.exists()
    monkeypatch.setattr(nix, "has_sandbox", lambda: False)
    assert find_states({"a": Path(f"/nix/store/{'0' * 32}-k-a")}) == {"a": "off"}


def test_a_copy_has_it_beside(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("a", "b", "c")}
    assert set(find_states(folders).values()) == {"unknown"}
    write_states(tmp_path, {"a": "on", "b": "on"})
    write_states(tmp_path, {"b": "off"})
    assert find_states(folders) == {"a": "on", "b": "off", "c": "unknown"}
    assert sorted(file.name for file in (tmp_path / "sandbox").iterdir()) == ["a", "b"]
    (tmp_path / "sandbox/a").write_text("yes\n")
    assert find_states(folders)["a"] == "unknown"


def test_it_is_told_in_a_line_for_each_state() -> None:
    assert describe({"a": "on", "b": "on"}) == "Sandbox: on"
    assert describe({"a": "unknown", "c": "on", "b": "on"}) == (
        "Sandbox: on (b, c)\nSandbox: unknown (a)"
    )


def test_off_is_refused_and_no_more_than_that() -> None:
    require_sandbox({"a": "on", "b": "unknown"})
    with pytest.raises(KernelBuilderError, match="1 of 2 variants were built without a sandbox"):
        require_sandbox({"a": "on", "b": "off"})
