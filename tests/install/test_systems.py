"""Advice of install.sh on systems without apt, or without Nix in apt. All of them are simulated."""

from __future__ import annotations

import pytest

from tests.install.fake_machine import FakeMachine

OFFICIAL = "install Nix with its official installer (https://nixos.org/download)"


@pytest.fixture
def bare(machine: FakeMachine) -> FakeMachine:
    """A machine without Nix, git and virtual environments."""
    for program in ("nix", "git"):
        machine.remove(program)
    machine.fake("python3", "exit 1")
    return machine


def fix(machine: FakeMachine) -> list[str]:
    """Return what the message of install.sh tells to do, a line each."""
    answer = machine.install()
    assert answer.code == 1, answer
    _, _, told = answer.said.partition("       fix    ")
    return [line.strip() for line in told.splitlines()]


def refused_by_apt(machine: FakeMachine, **versions: str) -> str:
    """Return what install.sh says where apt has these packages."""
    machine.fake_apt(**versions)
    answer = machine.install()
    assert answer.code == 1, answer
    assert machine.calls("apt-get install") == []
    return answer.said


# ---- Ubuntu ----


def test_on_ubuntu_nix_is_in_universe(bare: FakeMachine) -> None:
    bare.pretend("ID=linuxmint", 'ID_LIKE="ubuntu debian"')
    said = refused_by_apt(bare, git="1", python3_venv="1")
    assert "fix    add-apt-repository universe, which has Nix, then run ./install.sh again" in said


# ---- Fedora ----


def test_fedora_has_nix_from_44_on(bare: FakeMachine) -> None:
    bare.pretend("ID=fedora", "VERSION_ID=44")
    assert fix(bare) == [
        "this, as root, then run ./install.sh again",
        "dnf install nix nix-daemon python3 git",
        "systemctl enable --now nix-daemon",
    ]


@pytest.mark.parametrize(
    "system", [["ID=fedora", "VERSION_ID=43"], ['ID="rhel"', 'ID_LIKE="fedora"', "VERSION_ID=44"]]
)
def test_an_older_fedora_and_its_kin_have_none(bare: FakeMachine, system: list[str]) -> None:
    bare.pretend(*system)
    assert fix(bare)[1:] == [OFFICIAL, "dnf install python3 git"]


def test_where_selinux_enforces_the_installer_is_told(bare: FakeMachine) -> None:
    bare.pretend("ID=fedora", "VERSION_ID=43")
    bare.fake("getenforce", "echo Enforcing")
    assert "(https://nixos.org/download, with --no-daemon since SELinux enforces)" in fix(bare)[1]


# ---- Arch ----


def test_arch_has_all_of_it(bare: FakeMachine) -> None:
    bare.pretend("ID=manjaro", "ID_LIKE=arch")
    assert fix(bare)[1:] == [
        "pacman -S --needed nix python git",
        "systemctl enable --now nix-daemon",
    ]


def test_on_arch_a_user_joins_the_group(bare: FakeMachine) -> None:
    bare.pretend("ID=arch")
    for program in ("nix", "git"):
        bare.fake(program, "exit 0")
    bare.fake("python3", "exit 0")
    bare.fake("nix-instantiate", "exit 1")
    bare.fake_user()
    told = fix(bare)
    assert told[0] == "ask an administrator to run these, log in again, then run ./install.sh again"
    assert "usermod -aG nix-users alice" in told
    assert not [line for line in told if "apt-get" in line]


# ---- NixOS ----


def test_on_nixos_packages_come_by_its_configuration(whole: FakeMachine) -> None:
    whole.pretend("ID=nixos")
    whole.remove("git")
    assert fix(whole)[1:] == [
        "environment.systemPackages = [ pkgs.git ]; in configuration.nix, then nixos-rebuild switch"
    ]


def test_on_nixos_settings_do_as_well(whole: FakeMachine) -> None:
    whole.pretend("ID=nixos")
    before = whole.write_conf("max-jobs = 2", "sandbox-paths = /bin/sh=/opt/sh")
    answer = whole.install()
    assert answer.code == 0, answer
    for line in (
        'nix.settings.extra-experimental-features = "nix-command flakes";',
        "nix.settings.substituters = lib.mkForce [ ];",
        "nix.settings.sandbox = true;",
        "nix.settings.sandbox-fallback = false;",
    ):
        assert f"\n{line}\n" in answer.said
    assert whole.conf.read_text() == before


# ---- macOS ----


@pytest.fixture
def mac(machine: FakeMachine) -> FakeMachine:
    """A pretended macOS with Nix."""
    machine.fake("uname", "case $1 in -s) echo Darwin ;; -m) echo arm64 ;; *) echo 24 ;; esac")
    (machine.folder / "os-release").unlink()
    machine.fake_user()
    return machine


def test_macos_has_its_own_installers(mac: FakeMachine) -> None:
    mac.remove("nix")
    mac.fake("python3", "exit 1")
    assert fix(mac)[1:] == [OFFICIAL, "xcode-select --install"]


def test_on_macos_the_next_step_is_one_that_works_there(mac: FakeMachine) -> None:
    mac.fake_environment()
    answer = mac.install()
    assert answer.code == 0, answer
    assert f"next: kernel-builder list-variants {mac.checkout}/examples/relu" in answer.said
    # Variants for macOS are built there, if anywhere.
    assert "built on Linux" not in answer.said
    takes = "To build here, it takes Xcode and a setting of Nix, which this script leaves alone: "
    assert f"{takes}{mac.checkout}/docs/guide/metal.md. Never tried on a Mac" in answer.said
    assert f"Nix from its own installer, then 'nix run {mac.checkout}' or" in answer.said
    assert "sandbox" not in (mac.home / ".config/nix/nix.conf").read_text()


# ---- others ----


def test_an_unknown_system_is_told_what_is_missing(bare: FakeMachine) -> None:
    bare.pretend("ID=void")
    assert fix(bare)[1:] == [OFFICIAL, "install python3 git with this system's package manager"]
