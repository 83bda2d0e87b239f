"""`Sandbox: on` is claimed only of what its own steps saw, for a real bundle behind `result`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernel_builder.settings import change_settings
from kernel_builder.variants.copy import copy_bundle
from kernel_builder.variants.sandbox import find_states
from tests.cli import conftest as shared
from tests.cli.fake_kernel import OBSERVE
from tests.cli.store import Store
from tests.evaluation import ROOT, SYSTEM
from tests.hub.client import REPO, Uploader

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
    done = upload(built.folder, "--option", "sandbox", "true")
    assert done.status == 0, done.stderr
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
    refused = upload(built.folder)
    assert refused.status == 1
    assert "1 of 1 variants were not seen to be built in a sandbox" in refused.stderr
    assert "built without Nix's sandbox: " in refused.stderr
    assert upload.hub.faults.requests == []
    assert upload(built.folder, "--allow-unsandboxed").status == 0
    assert commit_of(upload) == "Sandbox: off"


@pytest.mark.attack("upload", "a build with `sandbox = relaxed`", "state unknown, refused")
def test_relaxed_is_not_on(upload: Uploader, build: Callable[..., Built]) -> None:
    relaxed = ("--option", "sandbox", "relaxed")
    built = build(*relaxed)
    refused = upload(built.folder, *relaxed)
    assert refused.status == 1
    assert "Nix's settings, which are not `sandbox = true`" in refused.stderr
    change_settings(nix_options=(("sandbox", "relaxed"),))
    assert built.copy() == "nothing"


@pytest.mark.attack(
    "build", "`__noChroot` with `sandbox = relaxed`, and a forged line in the log", "state `off`"
)
def test_a_step_that_lets_itself_out_is_off(store: Store, salt: str) -> None:
    forged = OBSERVE.replace("seen=off", "seen=on")
    step = store.instantiate(
        f'derivation {{ name = "step"; system = "{SYSTEM}"; builder = "/bin/sh"; '
        f'__noChroot = true; args = [ "-c" "{forged} echo {salt} > $out" ]; }}'
    )
    refused = ["nix-store", "--realise", step, "--option", "sandbox", "true"]
    assert subprocess.run(refused, check=False, capture_output=True).returncode != 0
    argv = ["nix-store", "--realise", step, "--option", "sandbox", "relaxed"]
    subprocess.run(argv, check=True, capture_output=True)
    (path,) = store.outputs(step)
    assert find_states({"a": Path(path)})["a"].state == "off"


@pytest.mark.attack("upload", "build/sandbox/VARIANT of another build says `on`", "state unknown")
def test_a_state_is_of_one_build(upload: Uploader, build: Callable[..., Built]) -> None:
    built = build()
    said = built.copy()
    (built.folder / "result").unlink()
    metadata = built.folder / "build" / NAME / "metadata.json"
    metadata.write_text(json.dumps({**METADATA, "salt": "another build"}))
    assert (built.folder / "build/sandbox" / NAME).read_text() == said
    done = upload(built.folder)
    assert done.status == 0, done.stderr
    assert "it is not known whether this was built in Nix's sandbox" in done.stderr
    assert commit_of(upload) == "Sandbox: unknown"


@pytest.mark.attack("upload", "`touch -d 2099 build/`, then a new build", "refused")
def test_no_time_of_a_file_decides(upload: Uploader, build: Callable[..., Built]) -> None:
    built = build()
    built.copy()
    stale = built.folder / "build" / NAME / "metadata.json"
    stale.write_text(json.dumps({**METADATA, "salt": "stale"}))
    subprocess.run(["touch", "-d", "2099-01-01", str(built.folder / "build")], check=True)
    done = upload(built.folder)
    assert done.status == 1
    assert f"found  in result, and not the same in build/: {NAME}" in done.stderr
    assert upload.hub.faults.requests == []
