"""Evaluate and build variants of kernels for the suites."""

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kernel_builder.nix import quoting
from tests.derivation import Derivation, lacks_sources, named, read_derivation

ROOT = Path(__file__).resolve().parents[1]
# The project's package sets with the packages that only tests use.
TEST_PACKAGES = ROOT / "tests" / "nix"
SYSTEM = f"{platform.machine()}-linux"
VARIANT = f"torch213-cxx11-cpu-{SYSTEM}"
# The variant of a kernel on Torch's stable ABI.
STABLE = f"torch-stable-abi210-cpu-{SYSTEM}"
nix_string = quoting.nix_string
path_of = quoting.nix_path
FEATURES = ("--extra-experimental-features", "nix-command flakes")

# Facts of each variant, evaluated in one process for all variants.
OUTLINE = """_: variant: {
  drv = variant.drvPath;
  out = variant.outPath;
  objects = map (object: object.drvPath) variant.objects;
  inherit (variant) plan;
}"""


class NixError(Exception):
    """Nix failed; the text is its output."""


@dataclass(frozen=True)
class Variant:
    """One variant, instantiated: `objects` maps a source to the `.drv` of its object."""

    drv: str
    out: str
    objects: dict[str, str]
    plan: dict[str, Any]

    @property
    def link(self) -> Derivation:
        """The derivation that links the extension."""
        return named(self.drv, "-extension")

    @property
    def extension(self) -> str:
        """The name under which the variant registers itself; it ends with the uid."""
        return self.link.env["extension"]

    def read_object(self, source: str) -> Derivation:
        """Return the derivation of one unit's object."""
        return read_derivation(self.objects[source])


def _variant(data: dict[str, Any]) -> Variant:
    sources = [unit["source"] for unit in data["plan"]["units"]]
    objects = dict(zip(sources, data["objects"]))
    assert len(objects) == len(data["objects"]) == len(sources), "one object for each unit"
    return Variant(drv=data["drv"], out=data["out"], objects=objects, plan=data["plan"])


def run_nix(*arguments: str, cwd: Path | None = None, **variables: str) -> str:
    """Run one process and return what it prints."""
    argv = [*arguments[:1], *(FEATURES if arguments[0] == "nix" else ()), *arguments[1:]]
    done = call(*argv, status=None, cwd=cwd, env={**os.environ, **variables})
    if done.returncode != 0:
        raise NixError(done.stderr)
    return done.stdout


def call(
    *argv: str | Path, status: int | None = 0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a process to its end; fail if it ends with another status, unless that is None."""
    words = [str(word) for word in argv]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    done = subprocess.run(words, text=True, check=False, **options)
    assert status in (None, done.returncode), f"{words}\n{done.stdout}{done.stderr or ''}"
    return done


def evaluate(expression: str) -> Any:
    """Return the value of an expression that may read every file."""
    return json.loads(run_nix("nix", "eval", "--impure", "--json", "--expr", expression))


def outputs_of(
    folder: Path, arguments: str = "", *, root: Path = ROOT, system: str = SYSTEM
) -> str:
    """Return the expression for a kernel's outputs on this system, or as if this were another.

    `arguments` are further ones of `genKernelFlakeOutputs`, as Nix writes them; `root` is the
    kernel-builder.
    """
    return (
        f"((import {path_of(root)}).lib.genKernelFlakeOutputs "
        f"{{ self = {{ }}; path = {path_of(folder)}; {arguments} }}).legacyPackages.{system}"
    )


def read_variants(
    folder: Path, *names: str, arguments: str = "", root: Path = ROOT
) -> dict[str, Variant]:
    """Return the named variants of a kernel, instantiated."""
    wanted = " ".join(nix_string(name) for name in names)
    outputs = outputs_of(folder, arguments, root=root)
    asked = (
        f"builtins.mapAttrs ({OUTLINE}) (builtins.listToAttrs (map (name: "
        f"{{ inherit name; value = {outputs}.redistributable.${{name}}; }}) [ {wanted} ]))"
    )
    return {name: _variant(data) for name, data in evaluate(asked).items()}


def read_variant(
    folder: Path, name: str = VARIANT, *, arguments: str = "", root: Path = ROOT
) -> Variant:
    """Return one variant of a kernel, instantiated."""
    return read_variants(folder, name, arguments=arguments, root=root)[name]


def read_flake_variant(flake: str, name: str = VARIANT) -> Variant:
    """Return one variant of a kernel as its flake gives it."""
    asked = ("eval", "--json", "--no-write-lock-file", f"{flake}#redistributable")
    apply = f"variants: ({OUTLINE}) null variants.{name}"
    return _variant(json.loads(run_nix("nix", *asked, "--apply", apply)))


def fetch(*installables: str, cwd: Path | None = None) -> None:
    """Fetch the missing sources of installables, as users do."""
    program = ROOT / "python" / "bin" / "kernel-builder"
    done = call(program, "prefetch", *installables, status=None, cwd=cwd)
    if done.returncode != 0:
        raise NixError(done.stdout + done.stderr)


def realise(*arguments: str) -> list[Path]:
    """Build derivations, with options of nix-store's between them; return their outputs."""
    words = (word.split("!")[0] for word in arguments)
    # The command takes half a second even if the store has all sources.
    if lacking := [word for word in words if word.endswith(".drv") and lacks_sources(word)]:
        fetch(*lacking)
    return [Path(path) for path in run_nix("nix-store", "--realise", *arguments).split()]


def build(drv: str, *, output: str = "out") -> Path:
    """Build a derivation and return one output; Nix lists several in the order of their hashes."""
    (path,) = realise(f"{drv}!{output}")
    return path


def read_log(drv: str) -> str:
    """Return the log of a derivation's build, without lines for Nix."""
    return "".join(
        line for line in _read_log(drv).splitlines(keepends=True) if not line.startswith("@nix ")
    )


def read_phases(drv: str) -> list[str]:
    """Return the phases that a build reported to Nix, such as "cicc: 1.20 s, 90 MB"."""
    events = (
        json.loads(line.removeprefix("@nix "))
        for line in _read_log(drv).splitlines()
        if line.startswith("@nix ")
    )
    return [event["phase"] for event in events if event["action"] == "setPhase"]


def _read_log(drv: str) -> str:
    try:
        return run_nix("nix-store", "--read-log", drv)
    except NixError:
        # The output came from a derivation that only fetches a source in another way.
        with TemporaryDirectory() as logs:
            build_again(drv, logs=logs)
            return run_nix("nix-store", "--read-log", drv, NIX_LOG_DIR=logs)


def build_again(*drvs: str, logs: str | None = None) -> None:
    """Build derivations a second time; raise NixError if an output differs.

    The logs go to another folder, because logs that are newer than the outputs would not show how
    these were built.
    """
    with TemporaryDirectory() as temporary:
        run_nix("nix-store", "--realise", "--check", *drvs, NIX_LOG_DIR=logs or temporary)


def build_flake(installable: str, *, cwd: Path | None = None) -> Path:
    """Build an installable the way a user does and return its output."""
    fetch(installable, cwd=cwd)
    options = ("--no-link", "--json", "--no-write-lock-file")
    (built,) = json.loads(run_nix("nix", "build", *options, installable, cwd=cwd))
    return Path(built["outputs"]["out"])
