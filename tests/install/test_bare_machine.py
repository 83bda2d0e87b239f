"""install.sh on real bare machines: a Debian 12 in a folder. Nothing of this machine is changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.machines.debian import Answer, Debian, debian_or_skip
from tests.tiny_kernel import commit_all, git

NEXT = "ready; next: kernel-builder init --name me/hello --backends cpu"
# install.sh clones its checkout to this folder.
GOT = "/root/.local/share/kernel-builder/source"
BACKUP = "nix.conf.before-kernel-builder"
# A user of the machine is played by: as alice COMMAND.
AS = 'as() { su "$1" -s /bin/bash -c "PATH=/usr/local/bin:/usr/bin:/bin; $2"; }\n'
DAEMON = "nix-daemon --daemon >/dev/null 2>&1 & sleep 1\n"
# Looks for a file of the machine, out of a build.
LOOK = """derivation {
  name = "look"; system = builtins.currentSystem; builder = "/bin/sh";
  args = [ "-c" "test -e /etc/os-release || echo hidden > $out" ];
}"""
# Tells, without a sandbox, as whom a step is run.
WHO_AM_I = """derivation {
  name = "who"; system = builtins.currentSystem; builder = "/bin/sh";
  args = [ "-c" "/usr/bin/id -un > $out" ];
}"""


@pytest.fixture(scope="module")
def bare() -> Iterator[Debian]:
    """A Debian 12 with a checkout and nothing else; the tests that share it change nothing."""
    with debian_or_skip("bookworm") as machine:
        machine.give(ROOT / "install.sh", "/src/install.sh")
        machine.give(ROOT / "install", "/src/install")
        library = ("default.nix", "backends", "lib", "overlays", "pkgs", "tools")
        for part in ("python", *library):
            machine.give(ROOT / part, f"/src/{part}")
        commit_all(machine.root / "src")
        yield machine


@pytest.fixture(scope="module")
def installed(bare: Debian) -> Iterator[Debian]:
    """The machine after the one-line installation. Tests that share it change nothing."""
    with bare.copy() as machine:
        answer = install_in_one_line(machine)
        assert answer.code == 0, answer
        assert NEXT in answer.said
        yield machine


def install_in_one_line(machine: Debian) -> Answer:
    """Install as `curl … | bash` does."""
    commit = git(machine.root / "src", "rev-parse", "HEAD")
    return machine.ask(f"cat /src/install.sh | bash -s -- --from file:///src --commit {commit}")


@pytest.fixture(scope="module")
def alice(installed: Debian) -> Debian:
    """The same machine, with a user alice."""
    installed.run("useradd", "-m", "alice")
    return installed


@pytest.fixture
def conf(installed: Debian) -> Iterator[Path]:
    """The settings of the same machine, to change: they are put back."""
    conf = Path(f"{installed.root}/etc/nix/nix.conf")
    text = conf.read_text()
    yield conf
    conf.write_text(text)
    conf.with_name(BACKUP).unlink(missing_ok=True)


def test_the_command_and_nix_work(installed: Debian) -> None:
    installed.ask("kernel-builder --help && nix flake --help >/dev/null", status=0)


def test_the_sandbox_hides_the_machine(installed: Debian) -> None:
    answer = installed.ask(f"cat $(nix-build --no-out-link -E '{LOOK}')")
    assert answer.said.splitlines()[-1] == "hidden", answer


def test_a_second_run_changes_nothing(installed: Debian) -> None:
    places = "/etc /usr/local ~/.local /nix/store"
    changed = f"find {places} -newer /tmp/stamp -not -path '*/__pycache__*'"
    answer = installed.ask(f"touch /tmp/stamp; sleep 0.1; {GOT}/install.sh && {changed}", status=0)
    changed_files = [line for line in answer.said.splitlines() if line.startswith("/")]
    assert "nothing to change" in answer.said.splitlines(), answer
    assert changed_files == [], answer
    assert installed.ask(f"{GOT}/install.sh --check").code == 0


def test_steps_of_builds_are_not_run_by_root(installed: Debian) -> None:
    asked = f"nix-build --option sandbox false --no-out-link -E '{WHO_AM_I}'"
    answer = installed.ask(f"cat $({asked})")
    assert answer.said.splitlines()[-1].startswith("nixbld"), answer


def test_a_newer_nix_takes_its_place_and_gives_it_back(installed: Debian) -> None:
    look = f"nix --version; cat $(nix-build --no-out-link -E '{LOOK}')"
    newer, older = (look.replace('"look"', f'"look-{name}"') for name in ("newer", "older"))
    with installed.copy() as machine:
        assert "nix (Nix) 2.8.0 has CVE-2024-27297" in machine.ask(f"{GOT}/install.sh --check").said
        answer = machine.ask(f"{GOT}/install.sh --newer-nix && {newer}", status=0)
        assert "CVE" not in answer.said, answer
        assert "\nnix (Nix) 2.3" in answer.said, answer
        assert answer.said.endswith("hidden\n"), answer
        assert "nothing to change" in machine.ask(f"{GOT}/install.sh --newer-nix").said
        # Builds of the newer Nix stay in the store, and the older Nix uses them.
        back = f"{GOT}/install.sh --uninstall && /src/install.sh && {older} && nix-store --verify"
        answer = machine.ask(back, status=0)
        assert "\nnix (Nix) 2.8.0\n" in answer.said, answer
        assert "\nhidden\n" in answer.said, answer


def test_a_user_of_the_daemon_needs_no_rights(alice: Debian) -> None:
    answer = alice.ask(
        f'{AS}{DAEMON} as alice "/src/install.sh && ~/.local/bin/kernel-builder --help"'
    )
    assert answer.code == 0, answer
    assert 'export PATH="/home/alice/.local/bin:$PATH"' in answer.said


def ask_without_namespaces(machine: Debian, script: str) -> Answer:
    """Run a script that can make no namespaces."""
    place = Path(f"{machine.root}/nested")
    place.write_text(script)
    return machine.ask("""
        mkdir -p /nest; mount --rbind / /nest
        exec chroot /nest setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin bash /nested
    """)


def test_without_namespaces_nothing_is_built_unasked(installed: Debian, conf: Path) -> None:
    # Builds are tried anew where a setting has changed.
    conf.write_text(f"{conf.read_text()}max-silent-time = 999\n")
    answer = ask_without_namespaces(installed, f"{GOT}/install.sh")
    assert answer.code == 1, answer
    assert "error: the sandbox of Nix does not work here" in answer.said
    look = LOOK.replace('"look"', '"look-again"')
    answer = ask_without_namespaces(installed, f"nix-build --no-out-link -E '{look}'")
    assert answer.code != 0, answer
    answer = ask_without_namespaces(installed, f"{GOT}/install.sh --no-sandbox")
    assert answer.code == 0, answer
    assert "Nix builds without a sandbox, as asked for" in answer.said


def test_uninstall_keeps_nix_and_settings_of_others(installed: Debian, conf: Path) -> None:
    conf.write_text(f"{conf.read_text()}max-silent-time = 999\n")
    answer = installed.ask(f"{GOT}/install.sh --uninstall && nix --version", status=0)
    assert "nix (Nix)" in answer.said
    assert "if nothing else needs them: apt-get purge nix-bin" in answer.said
    assert "nixbld" not in Path(f"{installed.root}/etc/passwd").read_text()
    assert "nixbld" not in Path(f"{installed.root}/etc/group").read_text()
    assert "max-silent-time = 999" in conf.read_text()
    assert "kernel-builder" not in conf.read_text()
    for folder in ("usr/local/bin", "usr/local/libexec", "root/.local/share"):
        left = [path.name for path in (installed.root / folder).iterdir()]
        assert [name for name in left if "kernel-builder" in name] == []
    # Other tests that share this machine find it installed.
    assert install_in_one_line(installed).code == 0
