""".ci/build-kernel: what each step calls and may know. The programs that it calls are pretended."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import write_program

TOKEN = "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ"
KEY = "cache-1:c2VjcmV0"
WHO = {"SIGSTORE_ID_TOKEN": "secret-1", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "secret-2"}
# Writes down how it was called, and which secrets it was given.
RECORD = """\
echo $(basename "$0") $* >>"$CALLS"
for name in HF_TOKEN CACHE_SECRET_KEY SIGSTORE_ID_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN; do
  case $(printenv $name) in "") ;; *) echo "  knows $name" >>"$CALLS" ;; esac
done
"""
STORE = "/nix/store/00000000000000000000000000000000-tests"


class Runner:
    """A machine of a CI, a checkout of kernel-builder on it, and one of a kernel."""

    def __init__(self, folder: Path) -> None:
        self.calls = folder / "calls"
        self.bin, self.kernel, self.root = folder / "bin", folder / "kernel", folder / "root"
        self.conf = folder / "etc" / "nix.conf"
        self.built = self.kernel / "result" / "torch-cpu"
        for made in (self.bin, self.built, self.root / ".ci", self.root / "python/bin"):
            made.mkdir(parents=True)
        (self.built / "metadata.json").write_text("{}")
        shutil.copy(ROOT / ".ci/build-kernel", self.root / ".ci")
        shutil.copytree(ROOT / "install", self.root / "install")
        # With its functions, but as a program it is one of those that pretend.
        install = (ROOT / "install.sh").read_text()
        pretended = install.replace('= "$0" ]; then main "$@";', f'= "$0" ]; then {RECORD}')
        assert pretended != install
        write_program(self.root / "install.sh", pretended)
        write_program(self.root / "python/bin/kernel-builder", RECORD)
        self.fake("id", "case $* in -u) echo 0 ;; *) echo root ;; esac")
        self.fake("systemctl", "exit 1")
        self.fake("git", "echo v1")
        # Objects, of which one is here, and the derivation of the tests.
        objects = f"{self.built} {folder}/not-here.o"
        drv = f"{STORE}.drv"
        self.fake("nix", f'{RECORD}case $* in *ci-test*) echo {drv} ;; *) echo "{objects}" ;; esac')
        self.tests(0)

    def fake(self, program: str, body: str) -> None:
        """Let there be a program with this text."""
        write_program(self.bin / program, body)

    def tests(self, status: int) -> None:
        """Let the kernel's tests end so."""
        test = f"{RECORD}exit {status}"
        made = f'mkdir -p "$4/bin"; cat >"$4/bin/ci-test" <<"END"\n#!/bin/sh\n{test}\nEND\n'
        self.fake("nix-store", f'{RECORD}{made}chmod +x "$4/bin/ci-test"')

    def run(self, *steps: str, status: int = 0, proved: bool = False, **variables: str) -> str:
        """Run steps with all secrets set, and proofs of who it is; return what they print."""
        done = subprocess.run(
            [self.root / ".ci/build-kernel", *steps],
            env={
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "HOME": str(self.kernel),
                "TMPDIR": str(self.kernel),
                "CALLS": str(self.calls),
                "KERNEL": str(self.kernel),
                "NIX_CONF_DIR": str(self.conf.parent),
                "HF_TOKEN": TOKEN,
                "CACHE_SECRET_KEY": KEY,
                **(WHO if proved else {}),
                **variables,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout
        assert TOKEN not in done.stdout
        assert KEY not in done.stdout
        assert sorted(path.name for path in self.kernel.iterdir()) == ["result"]
        return done.stdout

    def called(self) -> list[str]:
        """Return what was called, and what it knew."""
        return self.calls.read_text().splitlines()


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_only_upload_knows_the_token(runner: Runner) -> None:
    steps = ("install", "build", "cache", "test", "upload")
    runner.run(*steps, CACHE="file:///cache", TEST_OPTIONS="-k layouts")
    called = runner.called()
    words = [line.split()[:2] for line in called]
    assert [each for each in words if each[0] not in ("nix", "nix-store")] == [
        ["install.sh"],
        ["kernel-builder", "build-and-copy"],
        ["kernel-builder", "prefetch"],
        ["ci-test", "-k"],
        ["kernel-builder", "upload"],
        ["knows", "HF_TOKEN"],
    ]


def test_the_key_signs_what_is_compiled_and_here(runner: Runner) -> None:
    runner.run("cache", CACHE="https://cache.example", CACHE_TO="s3://cache?region=eu")
    asked, copied = runner.called()
    assert "redistributable" in asked
    assert '"torch-cpu"' in asked
    options, *paths = copied.split(" copy --to ")[1].split()
    assert options.startswith("s3://cache?region=eu&secret-key=/")
    assert paths == [str(runner.built.parent), str(runner.built)]


def test_only_what_signs_knows_who_the_job_is(runner: Runner) -> None:
    said = runner.run(
        "install", "build", "cache", "test", "sign", "upload", CACHE="file:///cache", proved=True
    )
    called = runner.called()
    sign = called.index("kernel-builder sign")
    assert called[sign:] == [
        "kernel-builder sign",
        *(f"  knows {name}" for name in WHO),
        "kernel-builder upload",
        "  knows HF_TOKEN",
    ]
    assert not [line for line in called[:sign] if line.startswith("  knows")]
    assert "secret-" not in said
    runner.run("sign", SIGN_OPTIONS="--json")
    assert runner.called()[-1] == "kernel-builder sign --json"


def test_options_are_handed_on(runner: Runner) -> None:
    runner.run("build", "upload", BUILD_OPTIONS="--backend cpu", UPLOAD_OPTIONS="--create-pr")
    runner.run("build", "upload", PARTIAL="true")
    assert [line for line in runner.called() if line.startswith("kernel-builder")] == [
        "kernel-builder build-and-copy --prune --require-all --backend cpu",
        "kernel-builder upload --create-pr",
        "kernel-builder build-and-copy --prune",
        "kernel-builder upload --partial",
    ]


def test_without_a_tag_nothing_is_uploaded(runner: Runner) -> None:
    runner.fake("git", "exit 0")
    assert "the commit has no tag: nothing is uploaded" in runner.run("upload")
    assert "the commit has no tag: nothing is signed" in runner.run("sign", proved=True)
    assert not runner.calls.exists()


def test_a_machine_without_a_device_is_no_failure(runner: Runner) -> None:
    runner.tests(69)
    assert "note: nothing was tested" in runner.run("test")
    assert "::warning::nothing was tested" in runner.run("test", GITHUB_ACTIONS="true")
    runner.tests(1)
    runner.run("test", "upload", status=1)
    assert not [line for line in runner.called() if "upload" in line]


def test_a_cache_is_written_into_the_settings_once(runner: Runner) -> None:
    runner.conf.parent.mkdir()
    runner.conf.write_text("max-jobs = 3")
    for _ in range(2):
        runner.run("install", CACHE="https://cache.example", CACHE_PUBLIC_KEY="cache-1:cHVibGlj")
    assert runner.conf.read_text().splitlines() == [
        "max-jobs = 3",
        "extra-substituters = https://cache.example",
        "extra-trusted-public-keys = cache-1:cHVibGlj",
    ]


def test_a_group_that_was_joined_is_entered(runner: Runner) -> None:
    known = 'case "$*" in -u) echo 7 ;; -un) echo x ;; "-nG x") echo x nix-users ;;'
    runner.fake("id", f'{known} *) echo "$GROUP" ;; esac')
    runner.fake("sudo", f'{RECORD}shift; exec "$@"')
    runner.fake("sg", f'{RECORD}GROUP=nix-users exec sh -c "$3"')
    said = runner.run("install", "upload", "sign", GROUP="x", proved=True)
    called = [line for line in runner.called() if not line.startswith("sudo -n true")]
    assert [line.split()[0] for line in called if "knows" not in line] == [
        "sg",
        "sudo",
        "install.sh",
        "install.sh",
        "kernel-builder",
        "kernel-builder",
    ]
    # Tokens that came in before the group still arrive.
    assert called[-3:] == ["kernel-builder sign", *(f"  knows {name}" for name in WHO)]
    assert "  knows HF_TOKEN" in called
    assert said.count("---- install ----") == 1


@pytest.mark.parametrize(
    ("steps", "found"),
    [(["bild"], "found  bild"), (["build", "cache"], "at     the variables CACHE_TO")],
)
def test_what_is_wrong_is_said_before_anything_runs(
    runner: Runner, steps: list[str], found: str
) -> None:
    assert found in runner.run(*steps, status=1)
    assert not runner.calls.exists()
