"""A machine of folders and of programs that only pretend, around the real install.sh and Nix."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from kernel_builder.nix.advisories import ADVISORIES
from tests.evaluation import ROOT, call
from tests.machines.debian import Answer

PINS = ROOT / "python" / "requirements.txt"
EXTRA_PINS = {name: PINS.with_name(f"requirements-{name}.txt") for name in ("trust",)}
PROGRAMS = """
    awk basename bash cat chmod cksum cmp cp curl diff dirname echo env find grep head id
    install ln ls mkdir mktemp mv nix nix-build nix-instantiate printf python3 readlink rm
    rmdir sed seq sh sleep sort tail tr uname xargs
""".split()  # noqa: SIM905  (a list has a line for each)


def real(program: str) -> str:
    place = shutil.which(program)
    assert place, f"this machine has no {program}"
    return place


class FakeMachine:
    """A fresh root user of an empty machine; only the programs in `bin` exist there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.home = folder / "home"
        self.etc = folder / "etc"
        self.prefix = folder / "usr"
        self.checkout = folder / "checkout"
        self.conf = self.etc / "nix.conf"
        self.backup = self.etc / "nix.conf.before-kernel-builder"
        self.command = self.checkout / "python/bin/kernel-builder"
        self.shell = self.prefix / "libexec/kernel-builder/busybox"
        for made in (self.bin, self.home, self.etc, self.shell.parent, self.command.parent):
            made.mkdir(parents=True)
        shutil.copy(ROOT / "install.sh", self.checkout)
        shutil.copytree(ROOT / "install", self.checkout / "install")
        for pins in (PINS, *EXTRA_PINS.values()):
            shutil.copy(pins, self.checkout / "python")
        advisories = self.checkout / ADVISORIES.relative_to(ROOT)
        advisories.parent.mkdir(parents=True)
        shutil.copy(ADVISORIES, advisories)
        for program in PROGRAMS:
            (self.bin / program).symlink_to(real(program))
        self.fake("git", "exit 0")
        self.pretend("ID=debian", "VERSION_ID=12")
        self.fake("getent", "exit 0")
        self.fake("id", "case $* in -u) echo 0 ;; -un) echo root ;; *) echo root ;; esac")
        for program in ("groupadd", "useradd"):
            self.fake(program, f'echo "{program} $*" >>{self.folder}/calls')
        self.fake("curl", "exit 7")
        self.fake("systemctl", "echo offline; exit 1")
        self.fake("nix-build", f'echo "nix-build $*" >>{self.folder}/calls')
        write_program(self.shell, "echo busybox")
        write_program(self.command, 'echo "Usage: kernel-builder"')

    def fake(self, program: str, body: str) -> None:
        write_program(self.bin / program, body)

    def pretend(self, *lines: str) -> None:
        """Let this be the system whose /etc/os-release has these lines."""
        (self.folder / "os-release").write_text("".join(f"{line}\n" for line in lines))

    def remove(self, program: str) -> None:
        (self.bin / program).unlink()

    def fake_apt(self, **versions: str) -> None:
        """Let there be an apt that knows these packages and writes down what it is asked to do."""
        lines = [
            f'[ "$2" != {name.replace("_", "-")} ] || '
            f'{{ echo "$2:"; echo "  Candidate: {version}"; }}'
            for name, version in versions.items()
        ]
        self.fake("apt-cache", "\n".join([*lines, "true"]))
        self.fake("apt-get", f'echo "apt-get $*" >>{self.folder}/calls')

    def fake_user(self, *, group_pending: bool = False) -> None:
        """Let the user be alice, without rights."""
        groups = '"-nG alice") echo alice nix-users ;;' if group_pending else ""
        body = f"case $* in -u) echo 1000 ;; -un) echo alice ;; {groups} -nG*) echo alice ;; esac"
        self.fake("id", body)

    def fake_nix_version(self, said: str) -> None:
        """Let the real Nix say that it has another version."""
        said_so = f"[ \"$1\" != --version ] || {{ echo '{said}'; exit; }}"
        self.fake("nix", f'{said_so}; exec {real("nix")} "$@"')

    def fake_environment(self) -> None:
        """Let there be a virtual environment that has everything: no test asks a package index."""
        python = self.home / ".local/share/kernel-builder/venv/bin/python"
        python.parent.mkdir(parents=True)
        write_program(python, f'echo "python $*" >>{self.folder}/calls')
        shutil.copy(PINS, python.parents[1])

    def calls(self, part: str = "") -> list[str]:
        """Return what was asked of the programs that pretend, if `part` is in it."""
        file = self.folder / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        return [line for line in lines if part in line]

    def run(
        self,
        *argv: str | Path,
        status: int | None = None,
        stdin: str = "",
        cwd: Path | None = None,
        **variables: str,
    ) -> Answer:
        """Run a program here; fail if it ends with another status, unless that is None."""
        environment = {
            "PATH": str(self.bin),
            "HOME": str(self.home),
            "NIX_CONF_DIR": str(self.etc),
            "PREFIX": str(self.prefix),
            "NIX_STATE_DIR": str(self.folder / "state"),
            "OS_RELEASE": str(self.folder / "os-release"),
            "SSL_CERT_FILE": "/dev/null",
            **variables,
        }
        more: dict[str, Any] = {"env": environment, "input": stdin, "stderr": subprocess.STDOUT}
        done = call(*argv, status=status, cwd=cwd, **more)
        return Answer(done.returncode, done.stdout)

    def install(self, *arguments: str, **options: Any) -> Answer:
        """Run install.sh, with options of `run`."""
        return self.run(self.checkout / "install.sh", *arguments, **options)

    def pipe(self, *arguments: str, text: str | None = None, **options: Any) -> Answer:
        """Run install.sh as `curl … | bash -s -- ARGUMENT…` does, where there is no checkout."""
        script = (ROOT / "install.sh").read_text() if text is None else text
        return self.run(self.bin / "bash", "-s", "--", *arguments, stdin=script, **options)

    def write_conf(self, *lines: str) -> str:
        self.conf.write_text("".join(f"{line}\n" for line in lines))
        return self.conf.read_text()

    def effective(self, setting: str) -> str:
        """Return the value that Nix takes for a setting on this machine."""
        show = ("nix", "--extra-experimental-features", "nix-command")
        said = self.run(*show, "show-config")
        if said.code != 0:
            said = self.run(*show, "config", "show")
        values = [line.partition(" = ") for line in said.said.splitlines()]
        (value,) = (value for name, _, value in values if name.rstrip(" =") == setting)
        return value.strip()


def write_program(path: Path, body: str) -> None:
    """Write a program, in the place of one that is there."""
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/bash\n{body}\n")
    path.chmod(0o755)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]
