"""A stranger's kernel is data: whatever its flake would do, no command evaluates it.

Each attack runs twice: through the commands for kernels of others, where nothing may happen, and
through Nix itself, where it has to do its harm: an attack that does none would prove nothing.
"""

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.cli.command_line import Cli, Ran
from tests.cli.served import Answer, serve_with
from tests.evaluation import SYSTEM
from tests.hub.built import write_variant
from tests.install.fake_machine import write_program
from tests.tiny_kernel import NOARCH, TinyKernel, commit_all
from tests.trust.conftest import CANARY, MODULE, UNTRUSTED

EVALUATED = "the-flake-was-evaluated"
# Status and words of each command for the kernel without its flake.
EXPECTED = {
    "list-variants": (0, "torch-cpu\n"),
    "check-config": (0, "build.toml is right"),
    "build --dry-run": (0, "torch-cpu"),
    "verify": (1, "its commit gives no variant of this name"),
}
NAMES = {each: each if each == "verify" else f"{each} --untrusted" for each in EXPECTED}
# A variant that no commit gives, so that nothing has to be built to compare it.
MADE_UP = "torch11-cxx11-cpu-x86_64-linux"
NIX = ("nix", "--extra-experimental-features", "nix-command flakes")
LIMITED = ("bash", "-c", 'ulimit -v 4000000; exec timeout 60 "$@"', "bash")

FLAKE = """{
  @head@
  outputs = inputs: let
    harm = builtins.trace "@evaluated@" (@expression@);
  in builtins.seq harm {
    inherit harm;
    variants = [ harm ];
    manifest = harm;
    manifestOf = _: harm;
    legacyPackages.@system@ = { variants = [ harm ]; manifest = harm; manifestOf = _: harm; };
  };
}
"""


@dataclass(frozen=True)
class Attack:
    """A flake, and the harm that it does if Nix evaluates it: see `Victim.find_harms`."""

    what: str
    harm: str
    expression: str
    head: str = ""
    lock: dict[str, Any] | None = None
    # Options of Nix without which it would refuse the attack.
    options: tuple[str, ...] = ()


def lock_of(root: dict[str, Any], **nodes: Any) -> dict[str, Any]:
    return {"version": 7, "root": "root", "nodes": {"root": root, **nodes}}


READ_KEY = 'builtins.readFile "@secret@/id_rsa"'
FOLDER = {"type": "path", "path": "@secret@", "narHash": "@hash@"}
ATTACKS = (
    Attack(
        "outputs with variants, a manifest and a bundle of its own",
        "evaluated",
        '"torch213-cxx11-cpu-elsewhere"',
    ),
    Attack("`builtins.readFile` of a key", "read", READ_KEY),
    Attack(
        "an input that is a folder, locked",
        "read",
        'builtins.readFile (inputs.s + "/id_rsa")',
        'inputs.s = { url = "path:@secret@"; flake = false; };',
        lock=lock_of(
            {"inputs": {"s": "s"}}, s={"locked": FOLDER, "original": FOLDER, "flake": False}
        ),
    ),
    Attack(
        "`builtins.fetchurl` of 127.0.0.1, `http://` in the root of the lock",
        "asked",
        'builtins.readFile (builtins.fetchurl "@url@/asked")',
        lock=lock_of({"inputs": {}, "locked": {"type": "git", "url": "http://"}}),
    ),
    Attack(
        "`nixConfig` with a post-build-hook and sandbox = false",
        "run",
        """toString (import (derivation {
          name = "harm-@salt@"; system = "@system@"; builder = "/bin/sh";
          args = [ "-c" "echo 1 > $out" ];
        }).outPath)""",
        'nixConfig = { post-build-hook = "@hook@"; sandbox = false; };',
        options=("accept-flake-config", "true"),
    ),
)


class Listener(Answer):
    """Notes who asks this machine."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:  # noqa: N802
        self.asked.append(self.path)
        self.answer(b"hello")


def run(*argv: str, cwd: Path | None = None, **variables: str) -> Ran:
    environment = {**os.environ, **variables}
    done = subprocess.run(argv, cwd=cwd, env=environment, capture_output=True, check=False)
    said = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    return Ran(done.returncode, *said)


class Victim:
    """A user with a key, a token, a server, and the kernel of a stranger."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        files = {"build.toml": NOARCH, "torch-ext/tiny/__init__.py": MODULE}
        self.kernel = TinyKernel(folder / "kernel", files).folder
        self.secret, self.proof = folder / "secret", folder / "proof"
        # The store has one copy of equal content.
        salt = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
        self.secret.mkdir()
        (self.secret / "id_rsa").write_text(f"{CANARY} {salt}\n")
        hook = folder / "hook"
        write_program(hook, f"echo > {self.proof}")
        add = (*NIX, "store", "add-path", "--dry-run", "--name")
        self.copies = [self._ask(*add, name, ".") for name in ("source", "secret")]
        self.steps = f"*-harm-{salt}*"
        self.facts = {
            "system": SYSTEM,
            "salt": salt,
            "evaluated": EVALUATED,
            "secret": str(self.secret),
            "hook": str(hook),
            "url": url,
            "hash": self._ask(*NIX, "hash", "path", "."),
        }

    def _ask(self, *argv: str) -> str:
        return run(*argv, cwd=self.secret).stdout.strip()

    def write(self, file: Path, text: str) -> None:
        """Write a file with the facts that its author knows of the victim."""
        for name, value in self.facts.items():
            text = text.replace(f"@{name}@", value)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def meet(self, attack: Attack) -> None:
        """Write the files of an attack into the kernel."""
        flake = FLAKE.replace("@head@", attack.head).replace("@expression@", attack.expression)
        lock = {"flake.lock": json.dumps(attack.lock)} if attack.lock else {}
        for name, text in {"flake.nix": flake, **lock}.items():
            self.write(self.kernel / name, text)

    def list_kept(self) -> list[str]:
        """Return the paths of the store that the attack has made."""
        made = [str(path) for path in Path("/nix/store").glob(self.steps)]
        return [*made, *(path for path in self.copies if Path(path).exists())]

    def find_harms(self, ran: Ran) -> set[str]:
        """Return which harm a command has done."""
        said = ran.stdout + ran.stderr
        harms = {
            "evaluated": EVALUATED in said,
            "read": CANARY in said,
            "asked": bool(Listener.asked),
            "run": self.proof.exists(),
            "kept": bool(self.list_kept()),
        }
        return {name for name, is_done in harms.items() if is_done}

    def call(self, command: str) -> Ran:
        """Run a command on the stranger's kernel; nothing may be written into its folder."""
        cli = Cli(self.folder, {"HF_TOKEN": CANARY}, before=LIMITED)
        if command == "verify":
            words = ["verify", str(self._publish()), "--source", str(self.kernel), UNTRUSTED[1]]
        else:
            name, *options = command.split()
            words = [name, str(self.kernel), *UNTRUSTED, *options]
        before = sorted(self.kernel.rglob("*"))
        done = cli(*words)
        assert sorted(self.kernel.rglob("*")) == before
        return done

    def _publish(self) -> Path:
        """Commit the kernel, and return a variant that claims to come from this commit."""
        commit = commit_all(self.kernel)
        place = self.folder / "published" / MADE_UP
        write_variant(place, provenance={"kernel": {"commit": commit, "dirty": False}})
        return place.parent

    def evaluate(self, attack: Attack) -> Ran:
        """Evaluate the flake as one that is trusted in everything."""
        options = ("--option", *attack.options) if attack.options else ()
        words = ("eval", "--impure", "--no-write-lock-file", "--json", *options)
        argv = (*LIMITED, *NIX, *words, f"path:{self.kernel}#harm")
        return run(*argv, HF_TOKEN=CANARY, XDG_CACHE_HOME=str(self.folder / "cache"))


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    Listener.asked.clear()
    with serve_with(Listener) as url:
        made = Victim(tmp_path, url)
        try:
            yield made
        finally:
            # Outputs go before the derivations that they are from.
            while made.list_kept() and run("nix-store", "--delete", *made.list_kept()).status == 0:
                pass


# The first one through all commands, each of the others through one, in turns.
TRIALS = [(ATTACKS[0], command) for command in EXPECTED] + [
    (attack, [*EXPECTED][number % len(EXPECTED)]) for number, attack in enumerate(ATTACKS[1:])
]


@pytest.mark.parametrize(
    ("attack", "command"),
    [
        pytest.param(
            attack,
            command,
            id=f"{command}-{attack.what}",
            marks=pytest.mark.attack(
                f"{command} of a kernel that is not yours", attack.what, "not evaluated"
            ),
        )
        for attack, command in TRIALS
    ],
)
def test_no_flake_is_evaluated(victim: Victim, attack: Attack, command: str) -> None:
    victim.meet(attack)
    done = victim.call(command)
    assert victim.find_harms(done) == set(), done
    status, said = EXPECTED[command]
    assert (done.status, said in done.stdout) == (status, True), done
    # Nix lets only users that it trusts open the sandbox.
    harm = attack.harm if os.geteuid() == 0 else "evaluated"
    assert harm in victim.find_harms(victim.evaluate(attack))


@pytest.mark.attack("list-variants --untrusted", "the flake of a folder above", "not evaluated")
def test_no_flake_above_is_evaluated(victim: Victim) -> None:
    victim.write(
        victim.folder / "flake.nix", FLAKE.replace("@head@", "").replace("@expression@", "1")
    )
    (victim.folder / ".git").mkdir()
    done = victim.call("list-variants")
    assert (done.status, done.stdout, victim.find_harms(done)) == (0, "torch-cpu\n", set())


@pytest.mark.attack(
    "check-config --untrusted", "flake.nix or flake.lock is a pipe, a device, a folder", "not read"
)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
@pytest.mark.parametrize("name", ["flake.nix", "flake.lock"])
def test_a_flake_that_is_no_file(victim: Victim, name: str, kind: str) -> None:
    file = victim.kernel / name
    if kind == "device":
        file.symlink_to("/dev/zero")
    else:
        (os.mkfifo if kind == "pipe" else os.mkdir)(file)
    done = victim.call("check-config")
    assert (done.status, victim.find_harms(done)) == (0, set()), done
    assert f"{name} is not read: it is not a text file of at most" in done.stderr


@pytest.mark.attack("build --untrusted", "a flake with a bundle of its own", "our own bundle")
def test_what_is_built_is_ours(victim: Victim) -> None:
    victim.meet(ATTACKS[0])
    done = victim.call("build")
    assert (done.status, victim.find_harms(done)) == (0, set()), done
    module = Path(done.stdout.splitlines()[-1]) / "torch-cpu" / "__init__.py"
    assert module.read_text() == MODULE
