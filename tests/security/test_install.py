"""install.sh and .ci/build-kernel in a hostile folder, and on a machine in a hostile state."""

import re
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import FakeMachine, real, write_program

CANARY = "hf_canary1234567890"
MODULES = ("click", "ensurepip", "encodings", "pip", "site", "venv")
PROGRAMS = ("awk", "dirname", "git", "id", "mktemp", "nix", "python3", "sed", "uname")
# Shell that may start as root or with a token.
SHELL = (
    ROOT / "install.sh",
    *sorted((ROOT / "install").glob("*.sh")),
    *(ROOT / ".ci").iterdir(),
    ROOT / "tests/run",
)
PYTHON = re.compile(r"(?:python3?|\$python)\"?\s+(-\S+)")


@pytest.fixture
def machine(tmp_path: Path) -> FakeMachine:
    return FakeMachine(tmp_path)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder each of whose files writes `pwned` when it is run or imported."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    pwned = tmp_path / "pwned"
    for name in MODULES:
        text = f"open({str(pwned)!r}, 'a').write({name!r} + ' ran as a module\\n')\n"
        (folder / f"{name}.py").write_text(text)
    for name in PROGRAMS:
        body = f'echo "{name} ran with $HF_TOKEN" >>{pwned}\nexec {real(name)} "$@"'
        write_program(folder / name, body)
    (folder / "env.sh").write_text(f'echo "env.sh was sourced by $0" >>{pwned}\n')
    (folder / "install").mkdir()
    for name in ("systems", "packages", "nix-conf", "verify", "command"):
        (folder / "install" / f"{name}.sh").write_text(f"echo {name}.sh was sourced >>{pwned}\n")
    return folder


def executed(machine: FakeMachine) -> str:
    """Return what ran out of the hostile folder."""
    file = machine.folder / "pwned"
    return file.read_text() if file.exists() else ""


def become_alice(machine: FakeMachine) -> None:
    """Let the user be alice, whose sudo writes down its options and keeps few variables."""
    machine.fake(
        "id",
        'if [ -n "${ROOT-}" ]; then who=root number=0; else who=alice number=1000; fi\n'
        "case $* in -u) echo $number ;; *) echo $who ;; esac",
    )
    variables = ("NIX_CONF_DIR", "PREFIX", "OS_RELEASE", "HOME", "PATH", "SSL_CERT_FILE")
    kept = " ".join(f'{name}="${name}"' for name in variables)
    machine.fake(
        "sudo",
        f'echo "sudo $*" >>{machine.folder}/calls\n'
        "while case $1 in -n) ;; *) false ;; esac; do shift; done\n"
        f'exec env -i ROOT=1 SUDO_USER=alice {kept} "$@"',
    )


@pytest.mark.attack("install.sh", "`ensurepip.py` in the current folder, as root", "not imported")
@pytest.mark.attack("install.sh", "`venv.py`, `pip.py`, `click.py` there", "not imported")
def test_root_imports_nothing_of_the_folder(machine: FakeMachine, hostile: Path) -> None:
    answer = machine.install(cwd=hostile, PIP_NO_INDEX="1", HF_TOKEN=CANARY)
    assert executed(machine) == ""
    # It came as far as pip, which has no index here.
    assert "pip could not install the packages" in answer.said, answer


@pytest.mark.attack("install.sh", "the same through sudo", "not imported, and nothing is kept")
@pytest.mark.attack("install.sh", "LD_PRELOAD through sudo", "sudo is asked to keep no variable")
def test_sudo_imports_nothing_of_the_folder(machine: FakeMachine, hostile: Path) -> None:
    become_alice(machine)
    (machine.bin / "true").symlink_to(real("true"))
    machine.remove("git")
    place = f"ln -sf {real('git')} {machine.bin}/git"
    machine.fake("apt-cache", 'echo "$2:"; echo "  Candidate: 1"')
    machine.fake("apt-get", f"echo apt-get as ${{ROOT:-a user}} >>{machine.folder}/calls; {place}")
    variables = {"LD_PRELOAD": "./evil.so", "PIP_NO_INDEX": "1", "HF_TOKEN": CANARY}
    machine.install(cwd=hostile, **variables)
    assert machine.calls("apt-get as 1"), machine.calls()
    assert executed(machine) == ""
    asked = [line for line in machine.calls("sudo") if "install.sh" in line]
    assert asked == [f"sudo {machine.checkout}/install.sh --system"]


@pytest.mark.attack("install.sh", "a PATH with `.`, empty and relative entries", "left out")
def test_no_program_of_the_folder_runs(machine: FakeMachine, hostile: Path) -> None:
    machine.fake_environment()
    path = f".::../hostile:install/..:{machine.bin}:"
    # `env` looks for bash itself, before the script can say anything about PATH.
    (hostile / "bash").symlink_to(real("bash"))
    answer = machine.install(cwd=hostile, PATH=path, HF_TOKEN=CANARY)
    assert executed(machine) == ""
    assert answer.code == 0, answer
    piped = machine.pipe("--check", cwd=hostile, PATH=path)
    assert executed(machine) == ""
    assert "missing: kernel-builder itself" in piped.said, piped


@pytest.mark.attack("install.sh", "BASH_ENV, ENV, PYTHONPATH, CDPATH name the folder", "not read")
def test_no_variable_names_a_file_that_runs(machine: FakeMachine, hostile: Path) -> None:
    machine.fake_environment()
    variables = {
        "BASH_ENV": f"{hostile}/env.sh",
        "ENV": "./env.sh",
        "PYTHONPATH": ".",
        "CDPATH": str(hostile),
        "BASH_FUNC_id%%": f"() {{ echo function >>{machine.folder}/pwned; echo 0; }}",
        "XDG_DATA_HOME": ".",
    }
    answer = machine.install("--check", cwd=hostile, **variables)
    # The programs that pretend are scripts of bash, which would read these as well.
    assert executed(machine) == "", answer


@pytest.mark.attack("install.sh", "git settings of a checkout that name programs", "not run")
@pytest.mark.attack("install.sh", "an address that is an option or a command", "refused by git")
def test_git_runs_nothing_of_a_checkout(machine: FakeMachine, hostile: Path) -> None:
    machine.fake_environment()
    machine.remove("git")
    (machine.bin / "git").symlink_to(real("git"))
    source = machine.home / ".local/share/kernel-builder/source"
    source.mkdir(parents=True)
    git = ("git", "-C", str(source))
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    machine.run(*git, "init", "-q")
    machine.run(*git, *identity, "commit", "-q", "--allow-empty", "-m", "one")
    hook = f"echo hook >>{machine.folder}/pwned"
    write_program(source / ".git/hooks/post-checkout", hook)
    machine.run(*git, "config", "core.fsmonitor", f"{hook}; false")
    (hostile / "HEAD").write_text("ref: refs/heads/main\n")
    answers = [
        machine.pipe("--from", address, cwd=hostile)
        for address in (str(source), f"--upload-pack={hook};", f"ext::sh -c {hook}%")
    ]
    assert executed(machine) == ""
    assert ["kernel-builder cannot be got" in answer.said for answer in answers[1:]] == [True, True]


@pytest.mark.attack("shell files", "Python that imports from the folder", "each start has -I")
def test_every_start_of_python_is_isolated() -> None:
    starts = [
        (file.name, match[1])
        for file in SHELL
        for line in file.read_text().splitlines()
        if not line.lstrip().startswith("#") and "'python3 -m venv'" not in line
        for match in PYTHON.finditer(line)
        if not match[1].startswith("--version")
    ]
    assert len(starts) > 6
    assert [start for start in starts if not start[1].startswith("-I")] == []


@pytest.fixture
def ready(tmp_path: Path) -> FakeMachine:
    ready = FakeMachine(tmp_path)
    ready.fake_environment()
    return ready


@pytest.mark.attack("install.sh", "`sandbox = relaxed` in nix.conf", "not ready, with the fix")
def test_a_relaxed_sandbox_is_not_ready(ready: FakeMachine) -> None:
    before = ready.write_conf("sandbox = relaxed")
    for words in ((), ("--check",)):
        answer = ready.install(*words)
        assert answer.code == 1
        assert "ready" not in answer.said
    answer = ready.install()
    assert "error: a kernel can step out of the sandbox of this Nix" in answer.said
    assert "write 'sandbox = true' in its place" in answer.said
    assert before in ready.conf.read_text()
    assert ready.install("--no-sandbox").code == 0
    ready.write_conf("sandbox = true")
    assert ready.install().code == 0


@pytest.mark.attack(
    "install.sh",
    "the group of /nix/store is deleted, and its number given away",
    "the store is root's",
)
@pytest.mark.parametrize("group", ["nixbld", "staff"])
def test_the_store_is_no_groups_that_is_gone(ready: FakeMachine, group: str) -> None:
    (ready.shell.parent / "build-users").write_text("2\n")
    ready.fake("stat", f"echo {group}")
    for program in ("chgrp", "userdel", "groupdel"):
        ready.fake(program, f'echo "{program} $*" >>{ready.folder}/calls')
    ready.install("--uninstall")
    wanted = ["chgrp root /nix/store"] if group == "nixbld" else []
    assert ready.calls("chgrp") == wanted
    assert "groupdel nixbld" in ready.calls()
