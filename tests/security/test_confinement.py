"""A kernel of others is built in the sandbox alone, by a Nix without known holes."""

# ruff: noqa: F811 (fixtures of another module, which are imported)

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.security.strangers import Run, kernel, run  # noqa: F401 (fixtures)
from tests.tiny_kernel import TinyKernel


@pytest.mark.attack(
    "build --untrusted", "`sandbox = relaxed`, or a fallback, on this machine", "refused"
)
@pytest.mark.parametrize("setting", ["sandbox relaxed", "sandbox false", "sandbox-fallback true"])
def test_no_sandbox(run: Run, setting: str) -> None:
    done = run("build", "--option", *setting.split())
    assert done.status == 1
    assert "a kernel of others is built in the sandbox alone" in done.stderr


@pytest.mark.attack("build --untrusted", "a Nix with CVE-2024-27297", "refused")
def test_vulnerable_nix(tmp_path: Path, kernel: TinyKernel) -> None:
    (tmp_path / "bin").mkdir()
    nix = tmp_path / "bin" / "nix"
    nix.write_text("#!/bin/sh\necho 'nix (Nix) 2.18.1'\n")
    nix.chmod(0o755)
    path = f"{nix.parent}:{os.environ['PATH']}"
    done = Cli(tmp_path)("build", str(kernel.folder), "--untrusted", PATH=path)
    assert done.status == 1
    assert "found  Nix 2.18.1, which has CVE-2024-27297" in done.stderr
    assert "--allow-vulnerable-nix" in done.stderr
