"""install.sh on machines that lack something, and on systems other than Debian."""

import pytest

from tests.install.fake_machine import EXTRA_PINS, FakeMachine, files_below, names_in

NEXT = "next: kernel-builder build examples/relu --backend cpu"
DEBIANS_NIX = "2.8.0-1.1+b1"


@pytest.fixture
def without_nix(machine: FakeMachine) -> FakeMachine:
    """A machine without Nix, whose apt has one."""
    machine.remove("nix")
    machine.fake_apt(nix_bin=DEBIANS_NIX, git="1")
    return machine


@pytest.fixture
def user(whole: FakeMachine) -> FakeMachine:
    """A machine whose user is not root and may not use Nix yet."""
    whole.fake_user()
    whole.fake("nix-instantiate", "exit 1")
    whole.fake_apt(nix_bin=DEBIANS_NIX)
    return whole


@pytest.fixture
def user_with_sudo(user: FakeMachine) -> FakeMachine:
    """A user with sudo, which makes Nix usable."""
    usable = f"printf '#!/bin/sh\\nexit 0\\n' >{user.bin}/nix-instantiate"
    user.fake("sudo", f'echo "sudo $*" >>{user.folder}/calls; {usable}')
    return user


def test_the_command_is_linked_and_the_next_step_named(whole: FakeMachine) -> None:
    answer = whole.install(status=0)
    assert NEXT in answer.said
    assert (whole.prefix / "bin/kernel-builder").readlink() == whole.command
    assert f'export PATH="{whole.prefix}/bin:$PATH"' in answer.said


@pytest.mark.parametrize("extra", EXTRA_PINS)
def test_an_extra_is_added_on_demand_and_kept(extra: str, whole: FakeMachine) -> None:
    pins = EXTRA_PINS[extra].name
    whole.install()
    assert whole.calls("pip install") == []
    assert pins in whole.install("--check", f"--{extra}").said
    whole.install(f"--{extra}")
    (call,) = whole.calls("pip install")
    assert call.endswith(f" --require-hashes --requirement={whole.checkout}/python/{pins}")
    assert "nothing to change" in whole.install().said
    # New pins of what was installed once.
    with (whole.checkout / "python" / pins).open("a") as file:
        file.write("# newer\n")
    assert whole.install("--check").code == 1


def test_uninstall_leaves_no_file(whole: FakeMachine) -> None:
    whole.install()
    assert whole.install("--uninstall").code == 0
    left = [whole.prefix, whole.home, whole.etc]
    assert [file for folder in left for file in files_below(folder)] == []
    assert whole.install("--uninstall").code == 0, "a second time, too"


def test_without_nix_and_apt_the_official_installer_is_named(machine: FakeMachine) -> None:
    machine.remove("nix")
    answer = machine.install(status=1)
    assert "https://nixos.org/download" in answer.said
    assert names_in(machine.etc) == []
    assert names_in(machine.home) == []


def test_a_known_package_is_installed_without_new_lists(without_nix: FakeMachine) -> None:
    without_nix.install("--system")
    (call,) = without_nix.calls()
    assert call.startswith("apt-get install -y --no-install-recommends ")
    assert call.endswith(" nix-bin")


def test_with_systemd_the_daemon_comes_too_after_new_lists(without_nix: FakeMachine) -> None:
    without_nix.fake("systemctl", "echo running")
    # It does not know nix-setup-systemd.
    without_nix.fake_apt(nix_bin=DEBIANS_NIX)
    without_nix.install("--system")
    update, install = without_nix.calls()
    assert update == "apt-get update"
    assert install.endswith(" nix-bin nix-setup-systemd")


def test_a_distribution_with_an_old_nix_is_refused(without_nix: FakeMachine) -> None:
    without_nix.fake_apt(nix_bin="2.6.0+dfsg-3")
    answer = without_nix.install("--system", status=1)
    assert "found  2.6.0+dfsg-3" in answer.said
    assert without_nix.calls("install") == []


def test_an_old_nix_is_refused(whole: FakeMachine) -> None:
    whole.fake_nix_version("nix (Nix) 2.3.7")
    answer = whole.install(status=1)
    assert "found  nix (Nix) 2.3.7" in answer.said


def test_an_old_python_is_refused(whole: FakeMachine) -> None:
    old = "case $* in *version_info*) exit 1 ;; --version) echo Python 3.8.2 ;; esac"
    whole.fake("python3", old)
    answer = whole.install(status=1)
    assert "found  Python 3.8.2" in answer.said


def test_another_program_in_its_place_stays(whole: FakeMachine) -> None:
    link = whole.prefix / "bin/kernel-builder"
    link.parent.mkdir(parents=True)
    link.write_text("mine\n")
    assert whole.install().code == 1
    assert link.read_text() == "mine\n"


def test_builds_without_a_sandbox_are_asked_for_by_name(whole: FakeMachine) -> None:
    answer = whole.install("--no-sandbox", status=0)
    assert "Nix builds without a sandbox, as asked for" in answer.said
    assert whole.effective("sandbox") == "false"
    whole.install()
    assert whole.effective("sandbox") == "true", "the next run is not asked for it"


def test_a_user_without_rights_gets_the_administrators_commands(user: FakeMachine) -> None:
    answer = user.install(status=1)
    assert "usermod -aG nix-users alice" in answer.said
    assert user.calls() == []


def test_what_needs_root_goes_through_sudo(user_with_sudo: FakeMachine) -> None:
    answer = user_with_sudo.install(status=0)
    call = f"sudo {user_with_sudo.checkout}/install.sh --system"
    assert call in answer.said
    # Beside the question whether it asks for a password.
    assert user_with_sudo.calls("install.sh") == [call]


def test_the_rest_is_in_the_users_own_folders(user_with_sudo: FakeMachine) -> None:
    user_with_sudo.install()
    home = user_with_sudo.home
    assert (home / ".local/bin/kernel-builder").readlink() == user_with_sudo.command
    assert "sandbox" not in (home / ".config/nix/nix.conf").read_text()
    assert names_in(user_with_sudo.etc) == []


def test_a_group_that_counts_from_the_next_login_on(user: FakeMachine) -> None:
    user.fake_user(group_pending=True)
    answer = user.install(status=1)
    assert "log out and in again" in answer.said


def test_an_unknown_argument_is_refused(machine: FakeMachine) -> None:
    answer = machine.install("--chek", status=1)
    assert "found  --chek" in answer.said
    assert "--uninstall" in machine.install("--help").said


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
    answer = machine.install(status=1)
    _, _, told = answer.said.partition("       fix    ")
    return [line.strip() for line in told.splitlines()]


FEDORA_43 = ("ID=fedora", "VERSION_ID=43")
DNF = [OFFICIAL, "dnf install python3 git"]
# The lines of os-release, and the commands that the message proposes.
ADVICE = {
    "Fedora has Nix from 44 on": (
        ("ID=fedora", "VERSION_ID=44"),
        ["dnf install nix nix-daemon python3 git", "systemctl enable --now nix-daemon"],
    ),
    "an older Fedora": (FEDORA_43, DNF),
    "Arch": (
        ("ID=manjaro", "ID_LIKE=arch"),
        ["pacman -S --needed nix python git", "systemctl enable --now nix-daemon"],
    ),
    "another": (("ID=void",), [OFFICIAL, "install python3 git with this system's package manager"]),
}


@pytest.mark.parametrize(("system", "advice"), ADVICE.values(), ids=ADVICE)
def test_advice_without_apt(bare: FakeMachine, system: tuple[str, ...], advice: list[str]) -> None:
    bare.pretend(*system)
    assert fix(bare)[1:] == advice


def test_on_ubuntu_nix_is_in_universe(bare: FakeMachine) -> None:
    bare.pretend("ID=linuxmint", 'ID_LIKE="ubuntu debian"')
    bare.fake_apt(git="1", python3_venv="1")
    wanted = "add-apt-repository universe, which has Nix, then run ./install.sh again"
    assert fix(bare)[0] == wanted
    assert bare.calls("apt-get install") == []


def test_on_nixos_settings_do_as_well(whole: FakeMachine) -> None:
    whole.pretend("ID=nixos")
    before = whole.write_conf("max-jobs = 2", "sandbox-paths = /bin/sh=/opt/sh")
    answer = whole.install(status=0)
    for line in (
        'nix.settings.extra-experimental-features = "nix-command flakes";',
        "nix.settings.substituters = lib.mkForce [ ];",
        "nix.settings.sandbox = true;",
        "nix.settings.sandbox-fallback = false;",
    ):
        assert f"\n{line}\n" in answer.said
    assert whole.conf.read_text() == before


@pytest.fixture
def mac(machine: FakeMachine) -> FakeMachine:
    """A pretended macOS with Nix."""
    machine.fake("uname", "case $1 in -s) echo Darwin ;; -m) echo arm64 ;; *) echo 24 ;; esac")
    (machine.folder / "os-release").unlink()
    machine.fake_user()
    return machine


def test_on_macos_the_next_step_is_one_that_works_there(mac: FakeMachine) -> None:
    mac.fake_environment()
    answer = mac.install(status=0)
    assert f"next: kernel-builder list-variants {mac.checkout}/examples/relu" in answer.said
    # Variants for macOS are built there, if anywhere.
    assert "built on Linux" not in answer.said
    takes = "To build here, it takes Xcode and a setting of Nix, which this script leaves alone: "
    assert f"{takes}{mac.checkout}/docs/guide/metal.md. Never tried on a Mac" in answer.said
    assert f"Nix from its own installer, then 'nix run {mac.checkout}' or" in answer.said
    assert "sandbox" not in (mac.home / ".config/nix/nix.conf").read_text()


def test_check_names_the_package_and_asks_nothing(without_nix: FakeMachine) -> None:
    answer = without_nix.install("--system", "--check", status=1)
    assert "missing: apt-get install --no-install-recommends nix-bin" in answer.said
    assert without_nix.calls() == []
