"""install.sh in one line on a bare Debian 13; tests/install has 12, tests/newest_nix the newest."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.machines.debian import HERE, Answer, Debian, debian_or_skip

LOOK = """derivation {
  name = "look"; system = builtins.currentSystem; builder = "/bin/sh";
  args = [ "-c" "test -e /etc/os-release || echo hidden > $out" ];
}"""


@pytest.fixture(scope="module")
def machine() -> Iterator[Debian]:
    """A Debian 13, bare but for a checkout in `/src`."""
    with debian_or_skip("trixie") as made:
        subprocess.run([HERE / "copy-checkout.sh", made.root / "src"], check=True)
        # Commit the uncommitted changes too, because install.sh clones commits.
        git = [
            "git",
            "-C",
            str(made.root / "src"),
            "-c",
            "user.name=n",
            "-c",
            "user.email=n@localhost",
        ]
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "as it is"], check=True)
        yield made


@pytest.fixture(scope="module")
def first_run(machine: Debian) -> Answer:
    return machine.ask("cat /src/install.sh | bash -s -- --from file:///src")


def test_it_is_ready(machine: Debian, first_run: Answer) -> None:
    assert first_run.code == 0, first_run
    assert "ready; next: kernel-builder init" in first_run.said
    answer = machine.ask("kernel-builder --help")
    assert answer.code == 0, answer


def test_its_builds_see_nothing_of_the_machine(machine: Debian, first_run: Answer) -> None:
    assert first_run.code == 0, first_run
    answer = machine.ask(f"cat $(nix-build --no-out-link -E '{LOOK}')")
    assert answer.said.splitlines()[-1] == "hidden", answer


def test_a_second_line_changes_nothing(machine: Debian, first_run: Answer) -> None:
    assert first_run.code == 0, first_run
    answer = machine.ask("cat /src/install.sh | bash -s -- --from file:///src")
    assert "nothing to change" in answer.said, answer


def test_uninstall_keeps_nix_alone(machine: Debian, first_run: Answer) -> None:
    assert first_run.code == 0, first_run
    answer = machine.ask("cat /src/install.sh | bash -s -- --uninstall && nix --version")
    assert answer.code == 0, answer
    assert not (machine.root / "root/.local/share/kernel-builder").exists()
    assert not (machine.root / "usr/local/bin/kernel-builder").is_symlink()
    assert "nixbld" not in (machine.root / "etc/passwd").read_text()
