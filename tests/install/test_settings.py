"""Changes of install.sh to nix.conf, on a simulated machine but read by the real Nix."""

import pytest

from tests.install.fake_machine import FakeMachine, names_in

NOTHING = "nothing to change"
DEBIANS_REMARK = ("# So far the sandbox feature does not seem to work on Debian:", "# see there")
OWN = (
    "# mine",
    "experimental-features = ca-derivations",
    "sandbox = false",
    "sandbox-fallback = true",
    "max-jobs = 3",
    "substituters = https://cache.example",
    "sandbox-paths = /data",
    "build-users-group = builders",
)


def install(machine: FakeMachine, *arguments: str) -> str:
    """Run the part of install.sh that writes the settings; return what it says."""
    answer = machine.install("--system", *arguments)
    assert answer.code == 0, answer
    return answer.said


# ---- no file at all ----


def test_check_names_the_settings_and_writes_nothing(machine: FakeMachine) -> None:
    answer = machine.install("--system", "--check")
    assert answer.code == 1
    assert "+sandbox = true" in answer.said
    assert names_in(machine.etc) == []


def test_a_machine_without_settings_gets_all_of_them(machine: FakeMachine) -> None:
    install(machine)
    assert machine.effective("experimental-features") == "flakes nix-command"
    assert machine.effective("sandbox") == "true"
    assert machine.effective("sandbox-fallback") == "false"
    assert f"/bin/sh={machine.shell}" in machine.effective("sandbox-paths").split()
    assert names_in(machine.etc) == ["nix.conf"], "there is nothing to keep a copy of"
    # A cache that is back is asked again.
    machine.fake("curl", "exit 0")
    assert "can be reached again" in install(machine)
    assert machine.effective("substituters") == "https://cache.nixos.org/"
    assert machine.effective("sandbox") == "true", "only our line about the cache goes"
    assert NOTHING in install(machine)


# ---- settings of the user's own ----


def test_own_settings_stay_and_win(machine: FakeMachine) -> None:
    machine.write_conf(*OWN)
    install(machine)
    assert machine.effective("experimental-features") == "ca-derivations flakes nix-command"
    assert machine.effective("sandbox") == "false"
    assert machine.effective("sandbox-fallback") == "true"
    assert machine.effective("max-jobs") == "3"
    assert machine.effective("substituters") == "https://cache.example"
    assert machine.effective("sandbox-paths") == f"/bin/sh={machine.shell} /data"
    assert machine.effective("build-users-group") == "builders"


def test_an_edit_made_later_stays(machine: FakeMachine) -> None:
    original = machine.write_conf(*OWN)
    install(machine)
    assert machine.conf.read_text().startswith(original)
    assert machine.backup.read_text() == original
    with machine.conf.open("a") as conf:
        conf.write("cores = 1\n")
    install(machine)
    assert machine.backup.read_text() == original, "the copy is that of the first time"
    assert machine.effective("cores") == "1"
    assert machine.conf.read_text().count("# begin kernel-builder") == 1
    install(machine, "--uninstall")
    assert machine.conf.read_text() == f"{original}cores = 1\n"


def test_uninstall_gives_back_the_same_bytes(machine: FakeMachine) -> None:
    # Also without an end of the last line.
    machine.conf.write_text("cores = 1")
    install(machine)
    assert machine.effective("cores") == "1"
    assert NOTHING in install(machine)
    install(machine, "--uninstall")
    assert machine.conf.read_bytes() == b"cores = 1"
    assert names_in(machine.etc) == ["nix.conf"]


def test_a_file_that_has_everything_is_left_alone(machine: FakeMachine) -> None:
    before = machine.write_conf(
        "experimental-features = nix-command flakes",
        "sandbox = true",
        "sandbox-fallback = false",
        "sandbox-paths = /bin/sh=/opt/sh",
        "max-jobs = 2",
        "substituters =",
    )
    assert NOTHING in install(machine)
    assert machine.conf.read_text() == before


# ---- Debian's own file ----


def test_debians_own_line_is_nobodys_wish(machine: FakeMachine) -> None:
    machine.write_conf(*DEBIANS_REMARK, "sandbox = false")
    said = install(machine)
    assert machine.effective("sandbox") == "true"
    assert "which stays" not in said
    machine.write_conf(*DEBIANS_REMARK, "sandbox = false", "sandbox = relaxed")
    install(machine)
    assert machine.effective("sandbox") == "relaxed", "a wish after Debian's line wins"


# ---- users for builds ----


def test_users_for_builds_are_made(machine: FakeMachine) -> None:
    """Steps of builds run as these users: without them, they would run as root."""
    machine.fake("getent", "exit 2")
    assert "make the group nixbld and the users nixbld1 to nixbld" in install(machine)
    assert machine.calls("groupadd") == ["groupadd --system nixbld"]
    users = machine.calls("useradd")
    assert len(users) >= 32
    assert all(" --gid nixbld --groups nixbld " in call for call in users)
    assert machine.effective("build-users-group") == "nixbld"


@pytest.mark.parametrize("were_there", [False, True])
def test_users_that_were_made_go_with_the_rest(machine: FakeMachine, were_there: bool) -> None:
    for program in ("userdel", "groupdel"):
        machine.fake(program, f'echo "{program} $*" >>{machine.folder}/calls')
    machine.fake("getent", f"exit {0 if were_there else 2}")
    install(machine)
    machine.fake("getent", "exit 0")
    count = len(machine.calls("useradd"))
    install(machine, "--uninstall")
    users = [f"userdel nixbld{number}" for number in range(1, count + 1)]
    assert machine.calls("del") == ([] if were_there else [*users, "groupdel nixbld"])


def test_a_group_of_ones_own_is_not_made(machine: FakeMachine) -> None:
    machine.fake("getent", "exit 2")
    machine.write_conf("build-users-group = builders")
    install(machine)
    assert machine.calls("add") == []
    assert machine.effective("build-users-group") == "builders"


def test_where_no_users_can_be_made_root_builds(machine: FakeMachine) -> None:
    machine.fake("getent", "exit 2")
    useradd = (machine.bin / "useradd").read_text()
    machine.remove("useradd")
    install(machine)
    assert machine.effective("build-users-group") == ""
    machine.fake("useradd", useradd)
    install(machine)
    assert machine.calls("groupadd") != [], "now they can"
    assert machine.effective("build-users-group") == "nixbld"


# ---- the file itself ----


def test_a_block_without_its_end_is_refused(machine: FakeMachine) -> None:
    before = machine.write_conf("# begin kernel-builder", "cores = 1")
    answer = machine.install("--system")
    assert answer.code == 1
    assert "have lost their last line" in answer.said
    assert machine.conf.read_text() == before


@pytest.mark.parametrize("step", [[], ["--uninstall"]], ids=["install", "uninstall"])
def test_the_file_is_replaced_in_one_step(machine: FakeMachine, step: list[str]) -> None:
    """Whoever reads it meanwhile finds the old text or the new one, and nothing in between."""
    original = machine.write_conf("cores = 1")
    machine.conf.chmod(0o640)
    install(machine)
    if not step:
        machine.conf.write_text(original)
    held = machine.conf.open()
    before = held.read()
    install(machine, *step)
    held.seek(0)
    assert held.read() == before
    assert machine.conf.read_text() != before
    assert machine.conf.stat().st_mode & 0o777 == 0o640, "with the rights that it had"
    kept = [] if step else [machine.backup.name]
    assert names_in(machine.etc) == ["nix.conf", *kept]


def test_a_file_that_cannot_be_replaced_is_written(machine: FakeMachine) -> None:
    """In a container the file is mounted."""
    machine.write_conf("cores = 1")
    machine.fake("mv", "exit 1")
    install(machine)
    assert machine.effective("cores") == "1"
    assert machine.effective("sandbox") == "true"
    assert names_in(machine.etc) == ["nix.conf", "nix.conf.before-kernel-builder"]


def test_a_link_to_the_file_stays_one(machine: FakeMachine) -> None:
    """Some people keep it in a folder of their own, under version control."""
    kept = machine.folder / "dotfiles.conf"
    kept.write_text("cores = 1\n")
    machine.conf.symlink_to(kept)
    install(machine)
    assert machine.conf.is_symlink()
    assert "# begin kernel-builder" in kept.read_text()
    install(machine, "--uninstall")
    assert machine.conf.is_symlink()
    assert kept.read_text() == "cores = 1\n"
