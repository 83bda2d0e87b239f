"""A machine of a CI on which .ci/build-kernel is real and the programs that it calls pretend."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.evaluation import ROOT, call
from tests.install.fake_machine import write_program

TOKEN = "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ"
KEY = "cache-1:c2VjcmV0"
SECRETS = {"HF_TOKEN": TOKEN, "CACHE_SECRET_KEY": KEY, "AWS_SECRET_ACCESS_KEY": "aws-secret"}
WHO = {"SIGSTORE_ID_TOKEN": "secret-1", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "secret-2"}
# Writes down how it was called, and which secrets it was given.
RECORD = r"""echo $(basename "$0") $* >>"$CALLS"
for name in HF_TOKEN CACHE_SECRET_KEY AWS_SECRET_ACCESS_KEY \
  SIGSTORE_ID_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN; do
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
        for name in ("build-kernel", "git-variables.py", "matrix.nix"):
            shutil.copy(ROOT / ".ci" / name, self.root / ".ci")
        (self.root / "python/src").symlink_to(ROOT / "python/src")
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
        write_program(self.bin / program, body)

    def prints(self, data: object) -> None:
        """Let kernel-builder print this as JSON."""
        program = self.root / "python/bin/kernel-builder"
        write_program(program, f"{RECORD}cat <<'END'\n{json.dumps(data)}\nEND\n")

    def tests(self, status: int | str) -> None:
        """Let the kernel's tests end so, or do that."""
        test = f"{RECORD}exit {status}"
        made = f'mkdir -p "$4/bin"; cat >"$4/bin/ci-test" <<"END"\n#!/bin/sh\n{test}\nEND\n'
        self.fake("nix-store", f'{RECORD}{made}chmod +x "$4/bin/ci-test"')

    def run(self, *steps: str, status: int = 0, **variables: str) -> str:
        """Run steps with all secrets that they may have; return what they print."""
        said = call(
            self.root / ".ci/build-kernel",
            *steps,
            status=status,
            env={
                "PATH": f"{self.bin}:{os.environ['PATH']}",
                "HOME": str(self.kernel),
                "TMPDIR": str(self.kernel),
                "CALLS": str(self.calls),
                "KERNEL": str(self.kernel),
                "NIX_CONF_DIR": str(self.conf.parent),
                **({} if "test" in steps else SECRETS),
                **variables,
            },
            cwd=self.root,
            stderr=subprocess.STDOUT,
        ).stdout
        assert TOKEN not in said
        assert KEY not in said
        left = {path.name for path in self.kernel.iterdir()}
        assert left <= {"result", "build"}
        return said

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines()
