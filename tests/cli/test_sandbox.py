"""Only what was observed in Nix's sandbox is called so, whoever built it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from kernel_builder import nix
from kernel_builder.variants.sandbox import Sandbox, find_states
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import OBSERVE, SYSTEM, FakeKernel
from tests.cli.store import Store
from tests.skipping import skip

WITHOUT = ("--option", "sandbox", "false")


@pytest.fixture(autouse=True)
def _is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    # The settings of the machine that runs the tests are its own.
    monkeypatch.setattr(nix, "has_sandbox", lambda: True)


def build(cli: Cli, kernel: FakeKernel, name: str, *words: str) -> Path:
    """Build a variant; return where it is."""
    words = words or ("--option", "sandbox", "true")
    done = cli("build", str(kernel.folder), "--variant", name, "--json", *words)
    assert done.status == 0, done.stderr
    (row,) = json.loads(done.stdout)["variants"]
    return Path(row["out"])


def state_of(path: Path) -> str:
    return find_states({"a": path})["a"].state


def step_of(kernel: FakeKernel, observe: str = OBSERVE, more: str = "") -> str:
    """Return a derivation that variants can be made with."""
    return (
        f'derivation {{ name = "step"; system = "{SYSTEM}"; salt = "{kernel.salt}"; {more} '
        f'builder = "/bin/sh"; args = [ "-c" "{observe} echo step > $out" ]; }}'
    )


def test_a_step_counts_for_all_that_is_made_with_it(
    cli: Cli, kernel: FakeKernel, store: Store
) -> None:
    step = step_of(kernel)
    for name in ("a-cpu", "b-cpu"):
        script = f'"echo {name} {kernel.salt} > $out"'
        kernel.add(name, script=script, sources=f"[ ({step}) ]")
    kernel.write()
    store.instantiate(step)
    build(cli, kernel, "a-cpu", *WITHOUT)
    made_later = build(cli, kernel, "b-cpu")
    assert find_states({"b": made_later})["b"] == Sandbox("off", ["step"], is_in_store=True)


def realise(*words: str) -> None:
    subprocess.run(["nix-store", "--realise", *words], check=True, capture_output=True)


def user_of(kernel: FakeKernel, step: str) -> str:
    """Return a derivation that is made with a step."""
    return (
        f'derivation {{ name = "user"; system = "{SYSTEM}"; builder = "/bin/sh"; step = {step}; '
        f'args = [ "-c" "{OBSERVE} echo {kernel.salt} > $out" ]; }}'
    )


def test_a_fixed_hash_needs_no_sandbox(kernel: FakeKernel, store: Store) -> None:
    digest = hashlib.sha256(b"step\n").hexdigest()
    fixed = f'outputHashAlgo = "sha256"; outputHashMode = "flat"; outputHash = "{digest}";'
    derivation = store.instantiate(user_of(kernel, f"({step_of(kernel, '', fixed)})"))
    realise(derivation, "--option", "sandbox", "true")
    assert state_of(Path(store.outputs(derivation)[0])) == "on"


def test_a_step_without_a_log_is_unknown(
    kernel: FakeKernel, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derivation = store.instantiate(user_of(kernel, f"({step_of(kernel)})"))
    realise(derivation, "--option", "sandbox", "true")
    (path,) = map(Path, store.outputs(derivation))
    assert state_of(path) == "on"
    with monkeypatch.context() as patch:
        patch.setattr(nix, "has_sandbox", lambda: False)
        assert state_of(path) == "unknown"
    # There is no log after a download from a binary cache.
    monkeypatch.setenv("NIX_LOG_DIR", str(tmp_path))
    assert state_of(path) == "unknown"


# Inside a chroot the kernel makes no user namespaces, and the right to make others is given away.
NEST = """mkdir "$0" && mount --rbind / "$0" &&
    exec chroot "$0" setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$@" """


def test_root_is_refused_where_there_is_none(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    apart = ("unshare", "--mount", "--propagation", "private")
    if os.geteuid() or subprocess.run([*apart, "true"], check=False).returncode:
        skip("mount namespaces are made by root, where the machine allows it", installable=False)
    kernel.add("a-cpu")
    cli.before = (*apart, "sh", "-c", NEST, str(tmp_path / "nest"))
    done = cli("build", str(kernel.write()))
    assert done.status == 1
    assert "a-cpu" not in done.stdout
    assert not (kernel.folder / "result").is_symlink()
    (tmp_path / "nest").rmdir()
    done = cli("build", str(kernel.folder), *WITHOUT)
    assert done.status == 0, done.stderr
