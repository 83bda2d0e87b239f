"""`Sandbox: on` is claimed only of what its own steps saw, for a real bundle behind `result`."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernel_builder import nix
from kernel_builder.settings import change_settings
from kernel_builder.variants.copy import copy_bundle
from kernel_builder.variants.sandbox import Sandbox, find_states
from tests.cli import conftest as shared
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import OBSERVE, FakeKernel
from tests.cli.store import Store
from tests.evaluation import ROOT, SYSTEM
from tests.hub.client import REPO, Uploader
from tests.skipping import skip

NAME = f"torch213-cxx11-cpu-{SYSTEM}"
WITHOUT = ("--option", "sandbox", "false")
salt, store = shared.salt, shared.store
METADATA = {
    "id": "_tiny_cpu_0",
    "name": "tiny",
    "version": 1,
    "digest": {"algorithm": "sha256", "files": {}},
    "provenance": {"kernel": {"commit": "a" * 40}},
}
BUNDLE = """\
let packages = (import @root@).packages.@system@; in
packages.buildBundle {
  kernel = "tiny";
  variants.@name@ = packages.runStep {
    name = "tiny-@name@";
    script = @script@;
    env.metadata = ''@metadata@'';
  };
  extras = { };
}
"""


@pytest.fixture(autouse=True)
def _setting() -> None:
    change_settings(nix_options=(("sandbox", "true"),))


@dataclass
class Built:
    """A kernel's folder with the `result` of a build."""

    folder: Path

    @property
    def result(self) -> Path:
        return (self.folder / "result").resolve()

    def copy(self) -> str:
        """Copy it as build-and-copy does; return what is recorded."""
        copy_bundle(self.result, self.folder / "build", prune=True)
        record = self.folder / "build/sandbox" / NAME
        return record.read_text() if record.exists() else "nothing"


@pytest.fixture
def build(tmp_path: Path, store: Store, salt: str) -> Callable[..., Built]:
    """Build a bundle with a setting of Nix's."""

    def make(*options: str) -> Built:
        folder, script = tmp_path / "tiny", tmp_path / "write.sh"
        folder.mkdir()
        script.write_text('mkdir "$out"\nprintf %s "$metadata" >"$out/metadata.json"\n')
        places = {
            "root": ROOT, "system": SYSTEM, "name": NAME, "script": script,
            "metadata": json.dumps({**METADATA, "salt": salt}),
        }  # fmt: skip
        expression = BUNDLE
        for name, value in places.items():
            expression = expression.replace(f"@{name}@", str(value))
        derivation = store.instantiate(expression)
        link = ("--add-root", str(folder / "result"), "--indirect")
        words = options or ("--option", "sandbox", "true")
        argv = ["nix-store", "--realise", derivation, *link, *words]
        subprocess.run(argv, check=True, capture_output=True)
        return Built(folder)

    return make


def commit_of(upload: Uploader) -> str:
    repository = upload.hub.repositories.get(REPO)
    return repository.describe(repository.resolve("v1"))


@pytest.mark.attack("upload", "a build in the sandbox, from `result` and build/", "`Sandbox: on`")
def test_on_is_what_all_steps_saw(upload: Uploader, build: Callable[..., Built]) -> None:
    built = build()
    done = upload.expect(0, built.folder, "--option", "sandbox", "true")
    assert "sandbox" not in done.stderr.lower()
    assert commit_of(upload) == "Sandbox: on"
    assert built.copy().startswith("on ")
    assert "everything is there already" in upload(built.folder).stdout


@pytest.mark.attack("upload", "a build with `--option sandbox false`", "refused")
@pytest.mark.attack("upload", "a build/ of `nix build` without a sandbox", "refused")
@pytest.mark.parametrize("copied", [False, True])
def test_a_build_without_one_is_refused(
    upload: Uploader, build: Callable[..., Built], copied: bool
) -> None:
    built = build(*WITHOUT)
    if copied:
        assert built.copy().startswith("off ")
        (built.folder / "result").unlink()
    refused = upload.expect(1, built.folder)
    assert "1 of 1 variants were not seen to be built in a sandbox" in refused.stderr
    assert "built without Nix's sandbox: " in refused.stderr
    assert upload.hub.faults.requests == []
    assert upload(built.folder, "--allow-unsandboxed").status == 0
    assert commit_of(upload) == "Sandbox: off"


@pytest.mark.attack("upload", "a build with `sandbox = relaxed`", "state unknown, refused")
def test_relaxed_is_not_on(upload: Uploader, build: Callable[..., Built]) -> None:
    relaxed = ("--option", "sandbox", "relaxed")
    built = build(*relaxed)
    refused = upload.expect(1, built.folder, *relaxed)
    assert "Nix's settings, which are not `sandbox = true`" in refused.stderr
    change_settings(nix_options=(("sandbox", "relaxed"),))
    assert built.copy() == "nothing"


@pytest.mark.attack("build", "`__noChroot` with `relaxed`, and a forged line", "state `off`")
def test_a_step_that_lets_itself_out_is_off(store: Store, salt: str) -> None:
    forged = OBSERVE.replace("seen=off", "seen=on")
    step = store.instantiate(
        f'derivation {{ name = "step"; system = "{SYSTEM}"; builder = "/bin/sh"; '
        f'__noChroot = true; args = [ "-c" "{forged} echo {salt} > $out" ]; }}'
    )
    refused = ["nix-store", "--realise", step, "--option", "sandbox", "true"]
    assert subprocess.run(refused, check=False, capture_output=True).returncode != 0
    realise(step, "--option", "sandbox", "relaxed")
    (path,) = store.outputs(step)
    assert state_of(Path(path)) == "off"


@pytest.mark.attack("upload", "build/sandbox/VARIANT of another build says `on`", "state unknown")
def test_a_state_is_of_one_build(upload: Uploader, build: Callable[..., Built]) -> None:
    built = build()
    said = built.copy()
    (built.folder / "result").unlink()
    metadata = built.folder / "build" / NAME / "metadata.json"
    metadata.write_text(json.dumps({**METADATA, "salt": "another build"}))
    assert (built.folder / "build/sandbox" / NAME).read_text() == said
    done = upload.expect(0, built.folder)
    assert "it is not known whether this was built in Nix's sandbox" in done.stderr
    assert commit_of(upload) == "Sandbox: unknown"


def state_of(path: Path) -> str:
    return find_states({"a": path})["a"].state


def step_of(salt: str, observe: str = OBSERVE, more: str = "") -> str:
    """Return a derivation that others can be made with."""
    return (
        f'derivation {{ name = "step"; system = "{SYSTEM}"; salt = "{salt}"; {more} '
        f'builder = "/bin/sh"; args = [ "-c" "{observe} echo step > $out" ]; }}'
    )


def test_a_step_counts_for_all_that_is_made_with_it(store: Store, salt: str) -> None:
    step = step_of(salt)
    realise(store.instantiate(step), *WITHOUT)
    user = store.instantiate(user_of(salt, f"({step})"))
    realise(user, "--option", "sandbox", "true")
    (path,) = map(Path, store.outputs(user))
    assert find_states({"b": path})["b"] == Sandbox("off", ["step"], is_in_store=True)


def realise(*words: str) -> None:
    subprocess.run(["nix-store", "--realise", *words], check=True, capture_output=True)


def user_of(salt: str, step: str) -> str:
    """Return a derivation that is made with a step."""
    return (
        f'derivation {{ name = "user"; system = "{SYSTEM}"; builder = "/bin/sh"; step = {step}; '
        f'args = [ "-c" "{OBSERVE} echo {salt} > $out" ]; }}'
    )


def test_a_fixed_hash_needs_no_sandbox(store: Store, salt: str) -> None:
    digest = hashlib.sha256(b"step\n").hexdigest()
    fixed = f'outputHashAlgo = "sha256"; outputHashMode = "flat"; outputHash = "{digest}";'
    derivation = store.instantiate(user_of(salt, f"({step_of(salt, '', fixed)})"))
    realise(derivation, "--option", "sandbox", "true")
    assert state_of(Path(store.outputs(derivation)[0])) == "on"


def test_a_step_without_a_log_is_unknown(
    store: Store, salt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derivation = store.instantiate(user_of(salt, f"({step_of(salt)})"))
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
    done = cli.expect(1, "build", str(kernel.write()))
    assert "a-cpu" not in done.stdout
    assert not (kernel.folder / "result").is_symlink()
    (tmp_path / "nest").rmdir()
    done = cli.expect(0, "build", str(kernel.folder), *WITHOUT)
