"""Builds that fail without a message of the builder: Nix knows why, and says so to the user."""

from __future__ import annotations

import json

import pytest

from kernel_builder.nix.log import NixLog
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel

# A builder's script in Nix, a setting of Nix, and what has to be among the reasons.
SILENT = {
    "no output": ('"true"', "", "failed to produce output path"),
    "an exit": ('"exit 3"', "", "failed with exit code 3"),
    "too long": ('"while :; do :; done"', "timeout = 1", "timed out after 1 seconds"),
    "too silent": (
        '"while :; do :; done"',
        "max-silent-time = 1",
        "timed out after 1 seconds of silence",
    ),
}


@pytest.mark.parametrize(("script", "setting", "reason"), SILENT.values(), ids=SILENT)
def test_nix_says_why(cli: Cli, kernel: FakeKernel, script: str, setting: str, reason: str) -> None:
    kernel.add("silent", script=script)
    kernel.add("fails", script='"echo the only line; exit 1"')
    done = cli("build", str(kernel.write()), NIX_CONFIG=setting)
    assert done.status == 1
    silent, fails = (_problem(done.stderr, f"k-{name}") for name in ("silent", "fails"))
    assert reason in silent
    assert "without a message" not in silent
    # A log that speaks for itself is not followed by Nix's own repetition of it.
    assert fails.splitlines()[0] == "the only line"
    assert "exit code" not in fails


def test_a_reason_comes_after_the_log(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("bad", script='"echo said before"')
    done = cli("build", str(kernel.write()))
    found = " ".join(_problem(done.stderr, "k-bad").split())
    assert found.startswith("said before ")
    assert "failed to produce output path" in found


def test_a_hash_that_differs(cli: Cli, kernel: FakeKernel) -> None:
    flake = kernel.write() / "flake.nix"
    wrong = (
        'outputHashMode = "flat"; outputHashAlgo = "sha256"; '
        f'outputHash = "{"0" * 64}"; inherit name'
    )
    flake.write_text(flake.read_text().replace("inherit name", wrong, 1))
    kernel_of_one(kernel)
    done = cli("build", str(kernel.folder))
    assert "hash mismatch" in _problem(done.stderr, "k-fixed")


def kernel_of_one(kernel: FakeKernel) -> None:
    (kernel.folder / "variants.nix").write_text(
        '[ { name = "fixed"; backend = "cpu"; script = "echo x > $out"; } ]\n'
    )


INNER = """[ (derivation {
  name = "inner"; system = "@system@"; salt = "@salt@";
  builder = "/bin/sh"; args = [ "-c" "echo the cause; exit 1" ];
}) ]"""


def test_only_the_cause_is_told(cli: Cli, kernel: FakeKernel, salt: str) -> None:
    kernel.add("one", sources=INNER.replace("@salt@", salt).replace("@system@", SYSTEM))
    kernel.add("two", sources=INNER.replace("@salt@", salt).replace("@system@", SYSTEM))
    done = cli("build", "--json", str(kernel.write()))
    assert "error: k does not build (1 problem)\n" in done.stderr
    assert _problem(done.stderr, "inner") == "the cause"
    assert {row["why"] for row in json.loads(done.stdout)["variants"]} == {"inner"}


DERIVATION = "/nix/store/00000000000000000000000000000000-k.drv"
# What Nix 2.31 and newer say.
NEWER = {
    f"Cannot build '{DERIVATION}'.\nReason: builder failed due to signal 9 (Killed).": [
        "killed: signal 9 (SIGKILL); perhaps out of memory"
    ],
    f"Cannot build '{DERIVATION}'.\nReason: builder failed with exit code 137.": [
        "killed: signal 9 (SIGKILL); perhaps out of memory"
    ],
    f"build of '{DERIVATION}' failed": [],
    "Cannot build '/nix/store/another.drv'.\nReason: it is another.": [],
}


@pytest.mark.parametrize(("message", "shown"), NEWER.items())
def test_what_newer_ones_say(message: str, shown: list[str]) -> None:
    log = NixLog()
    event = {"action": "msg", "level": 0, "raw_msg": message}
    log.read("@nix " + json.dumps(event))
    assert log.show_failure(DERIVATION) == shown


def _problem(said: str, at: str) -> str:
    """Return what was found at one place."""
    after = said.split(f"       at     {at}\n       found  ")[1]
    return after.split("\n       want   ")[0]
