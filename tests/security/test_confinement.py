"""A kernel of others is built in the sandbox alone, and its downloads see nothing of a user's."""

# ruff: noqa: F811 (fixtures of another module, which are imported)

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel, forget
from tests.security.strangers import HASH, Run, kernel, read_at_evaluation, run  # noqa: F401


def test_an_honest_kernel(run: Run, kernel: FakeKernel) -> None:
    """No attack: it is built, and no link is made."""
    done = run("build")
    assert done.status == 0, done.stderr
    assert " built " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("/nix/store/")
    forget(kernel.folder)


def derive(kernel: FakeKernel, attributes: str) -> None:
    """Let the variant's derivation have more attributes, or others."""
    flake = kernel.folder / "flake.nix"
    old = "inherit name system sources salt;"
    text = flake.read_text()
    assert old in text
    flake.write_text(text.replace(old, f"{old} {attributes}"))


FIXED = f'outputHash = "{HASH}"; outputHashAlgo = "sha256"; outputHashMode = "flat";'
OPENINGS = {
    "A9": (f'{FIXED} impureEnvVars = [ "HF_TOKEN" ];', "a fixed-output derivation with a builder"),
    "A10": (FIXED, "a fixed-output derivation with a builder of its own, which has the network"),
    "A45": ("__noChroot = true;", "__noChroot = '1'"),
    "A45b": ("__structuredAttrs = true; __noChroot = true;", "__noChroot = True"),
    "A45c": ('requiredSystemFeatures = [ "recursive-nix" ];', "requiredSystemFeatures"),
    "A10b": (
        f'{FIXED} sourceKind = "deb"; url = "https://h/";',
        "a fixed-output derivation with a builder of its own, which has the network",
    ),
    "A10c": (
        f'{FIXED} __structuredAttrs = true; sourceKind = "archive";',
        "a fixed-output derivation with a builder of its own, which has the network",
    ),
    "A10d": (
        f'{FIXED} sourceKind = "archive"; file = "a.zip"; url = "http://127.0.0.1/a.zip";',
        "a download of 'http://127.0.0.1/a.zip'",
    ),
    "A45d": ('sourceKind = "wheel";', "a source without a hash"),
}


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.attack(number, words, "refused, nothing is built"))
        for number, words in {
            "A9": "a fixed-output derivation with `impureEnvVars`",
            "A10": "a fixed-output derivation, which reaches 127.0.0.1",
            "A10b": "the same as a source with an address, which Nix would fetch",
            "A10c": "the same as a source in structured attributes, which Nix would build",
            "A10d": "an archive of sources at an address of this machine",
            "A45": "`__noChroot`",
            "A45b": "`__noChroot` in structured attributes",
            "A45c": "`recursive-nix`",
            "A45d": "a step that calls itself a source, so that what is below is not looked at",
        }.items()
    ],
)
def test_opening(run: Run, kernel: FakeKernel, number: str) -> None:
    attributes, found = OPENINGS[number]
    derive(kernel, attributes)
    done = run("build")
    assert done.status == 1
    assert "the kernel asks for more than its inputs" in done.stderr
    assert f"found  {found}" in done.stderr
    assert "building" not in done.stderr


@pytest.mark.attack("X26e", "a download of file:///, http://, or with variables", "refused")
@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ('url = "file:///etc/passwd";', "a download of 'file:///etc/passwd'"),
        ('url = "http://h/";', "a download of 'http://h/'"),
        ('url = "https://h/"; impureEnvVars = [ "HF_TOKEN" ];', "impureEnvVars with 'HF_TOKEN'"),
    ],
)
def test_download(run: Run, kernel: FakeKernel, attributes: str, found: str) -> None:
    derive(kernel, f"{attributes} {FIXED}")
    flake = kernel.folder / "flake.nix"
    text = flake.read_text().replace('builder = "/bin/sh";', 'builder = "builtin:fetchurl";')
    flake.write_text(text)
    done = run("build")
    assert done.status == 1
    assert f"found  {found}" in done.stderr


@pytest.mark.attack("A45e", "`sandbox = relaxed`, or a fallback, on this machine", "refused")
@pytest.mark.parametrize("setting", ["sandbox relaxed", "sandbox false", "sandbox-fallback true"])
def test_no_sandbox(run: Run, setting: str) -> None:
    done = run("build", "--option", *setting.split())
    assert done.status == 1
    assert "a kernel of others is built in the sandbox alone" in done.stderr


@pytest.mark.attack("A19", "a Nix with CVE-2024-27297", "refused for kernels of others")
def test_vulnerable_nix(tmp_path: Path, kernel: FakeKernel) -> None:
    (tmp_path / "bin").mkdir()
    nix = tmp_path / "bin" / "nix"
    nix.write_text("#!/bin/sh\necho 'nix (Nix) 2.18.1'\n")
    nix.chmod(0o755)
    path = f"{nix.parent}:{os.environ['PATH']}"
    done = Cli(tmp_path)("build", str(kernel.folder), "--untrusted", PATH=path)
    assert done.status == 1
    assert "found  Nix 2.18.1, which has CVE-2024-27297" in done.stderr
    assert "--allow-vulnerable-nix" in done.stderr


@pytest.mark.attack("A39", "nixConfig with sandbox = false, a hook, substituters", "ignored")
def test_nix_config(run: Run, kernel: FakeKernel, tmp_path: Path) -> None:
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    hook.chmod(0o755)
    flake = kernel.folder / "flake.nix"
    config = f'nixConfig = {{ post-build-hook = "{hook}"; sandbox = false; }};'
    flake.write_text(flake.read_text().replace("{\n", f"{{\n{config}\n", 1))
    done = run("build")
    assert done.status == 0, done.stderr
    assert not (tmp_path / "hooked").exists()
    forget(kernel.folder)


@pytest.mark.attack("A40", "endless recursion at evaluation", "an error")
@pytest.mark.parametrize("bomb", ["let f = x: f x + 1; in f 1", "let x = x; in x"])
def test_endless_recursion(run: Run, kernel: FakeKernel, bomb: str) -> None:
    read_at_evaluation(kernel, f"toString ({bomb})")
    done = run("list-variants")
    assert (done.status, done.stdout) == (1, "")
    assert "stack overflow" in done.stderr or "infinite recursion" in done.stderr


@pytest.mark.attack("I3", "an evaluation needs more memory than `ulimit -v` gives", "an error")
def test_memory(run: Run, kernel: FakeKernel) -> None:
    read_at_evaluation(kernel, "toString (builtins.length (builtins.genList (x: x) 2000000000))")
    limited = ("bash", "-c", 'ulimit -v 2000000; exec "$@"', "bash")
    done = run("list-variants", before=limited)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
