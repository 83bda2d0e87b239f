"""install.sh names a Nix with a known hole, and builds a repaired one on request."""

from pathlib import Path

import pytest

from tests.install.fake_machine import FakeMachine, files_below, names_in, real, write_program

SAID = " has CVE-"


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("nix (Nix) 2.8.0", True),
        ("nix (Determinate Nix 3.5.2) 2.28.3", True),
        ("nix (Nix) 2.34.8", False),
    ],
)
def test_an_affected_nix_is_named(whole: FakeMachine, version: str, said: bool) -> None:
    whole.fake_nix_version(version)
    answer = whole.install(status=0)
    assert (SAID in answer.said) == said
    assert ("install.sh --newer-nix builds a repaired one" in answer.said) == said
    assert (SAID in whole.install("--check").said) == said
    # Once: a run that changes nothing does not repeat it.
    assert SAID not in whole.install().said


def fake_newer_nix(machine: FakeMachine) -> Path:
    """Let there be an affected Nix that can build the newer one, and return where that comes to."""
    machine.fake_nix_version("nix (Nix) 2.8.0")
    built = machine.folder / "built/newer-nix"
    (built / "bin").mkdir(parents=True)
    said = "[ \"$1\" != --version ] || { echo 'nix (Nix) 2.34.8'; exit; }"
    write_program(built / "bin/nix", f'{said}; exec {real("nix")} "$@"')
    write_program(built / "bin/nix-daemon", "exit 0")
    log = f'echo "$(basename "$0") $*" >>{machine.folder}/calls'
    instantiate = f"case $* in *newerNix*) {log}; echo /drv; exit ;; esac"
    machine.fake("nix-instantiate", f'{instantiate}; exec {real("nix-instantiate")} "$@"')
    link = f'[ "$3" != --add-root ] || ln -sfn {built} "$4"'
    machine.fake("nix-store", f"{log}; case $1 in --query) echo {built} ;; *) {link} ;; esac")
    write_program(machine.command, log)
    return built


def test_it_is_first_on_the_path_and_uninstall_takes_it_back(whole: FakeMachine) -> None:
    built = fake_newer_nix(whole)
    before = files_below(whole.prefix)
    path = f"{whole.prefix}/bin:{whole.bin}"
    answer = whole.install("--newer-nix", PATH=path, status=0)
    assert "build a newer Nix, and link its programs" in answer.said
    assert SAID not in answer.said
    assert "kernel-builder prefetch /drv" in whole.calls()
    nix = whole.prefix / "bin/nix"
    assert nix.resolve() == built / "bin/nix"
    # The link that the programs go by is the root that keeps them.
    root = whole.prefix / "libexec/kernel-builder/nix"
    assert nix.readlink() == root / "bin/nix"
    assert f"nix-store --realise /drv --add-root {root} --indirect" in whole.calls()
    again = whole.install("--newer-nix", PATH=path)
    assert "nothing to change" in again.said, again
    assert "remove the newer Nix" in whole.install("--uninstall", PATH=path).said
    left = [file for file in files_below(whole.prefix) if file not in before]
    assert left == []
    assert whole.run("nix", "--version", PATH=path).said == "nix (Nix) 2.8.0\n"


def test_it_is_not_built_unasked(whole: FakeMachine) -> None:
    fake_newer_nix(whole)
    whole.install()
    assert whole.calls("newerNix") == []
    assert "missing: build a newer Nix" in whole.install("--check", "--newer-nix").said
    assert not (whole.prefix / "bin/nix").is_symlink()


def test_programs_of_others_stay(whole: FakeMachine) -> None:
    fake_newer_nix(whole)
    (whole.prefix / "bin").mkdir()
    write_program(whole.prefix / "bin/nix-daemon", "exit 0")
    answer = whole.install("--newer-nix", status=1)
    assert "another program has the place of the newer Nix" in answer.said
    assert "nix" not in names_in(whole.prefix / "bin")


def test_a_daemon_is_the_newer_one_too(whole: FakeMachine) -> None:
    fake_newer_nix(whole)
    calls = f'echo "systemctl $*" >>{whole.folder}/calls'
    whole.fake("systemctl", f"{calls}; case $1 in is-system-running) echo running ;; esac")
    units = whole.folder / "units"
    settings = units / "nix-daemon.service.d/kernel-builder.conf"
    whole.install("--newer-nix", SYSTEMD_UNITS=str(units), status=0)
    command = f"ExecStart=@{whole.prefix}/bin/nix-daemon nix-daemon --daemon"
    assert settings.read_text().splitlines()[-2:] == ["ExecStart=", command]
    assert whole.calls("systemctl")[-2:] == [
        "systemctl is-active --quiet nix-daemon",
        "systemctl restart nix-daemon",
    ]
    whole.install("--uninstall", SYSTEMD_UNITS=str(units))
    assert names_in(units) == []
    assert "systemctl daemon-reload" in whole.calls()


def test_a_shell_that_is_not_here_is_replaced(whole: FakeMachine) -> None:
    """A Nix that was built for another system names such a shell."""
    show = f'exec {real("nix")} "$@"'
    paths = "echo 'sandbox-paths = /bin/sh=/nowhere/sh /etc/hosts'"
    whole.fake("nix", f"case $* in *show*) {paths} ;; *) {show} ;; esac")
    whole.install()
    assert f"sandbox-paths = /bin/sh={whole.shell} /etc/hosts" in whole.conf.read_text()


def test_what_was_kept_may_go(whole: FakeMachine) -> None:
    state = whole.home / ".local/state/kernel-builder"
    (state / "kept").mkdir(parents=True)
    (state / "kept/root").symlink_to("/nix/store/x")
    whole.install()
    answer = whole.install("--uninstall")
    assert f"remove {state}/kept" in answer.said
    assert not state.exists()
    state.mkdir()
    (state / "built-without-sandbox").write_text("/nix/store/x\n")
    answer = whole.install("--uninstall")
    assert f"{state} stays: it says which builds" in answer.said
    assert (state / "built-without-sandbox").is_file()
