"""A kernel's flake with the outputs that the command line reads, made of tiny derivations."""

import json
import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation import NixError, run_nix
from tests.tiny_kernel import git

SYSTEM = f"{platform.machine().replace('arm64', 'aarch64')}-{platform.system().lower()}"

# A script of a builder that fails as a compiler does.
FAILS = '"echo before; echo k/a.cpp:3:5: error: no such thing >&2; echo after; exit 1"'

BUILD = '[general]\nname = "k"\nlicense = "mit"\n'
# The first lines of every step (pkgs/bootstrap/make-step.nix), for a string of Nix.
OBSERVE = (
    "case $NIX_BUILD_TOP in /build) seen=on ;; *) seen=off ;; esac; "
    r"""printf '@nix {\"action\":\"setPhase\",\"phase\":\"sandbox: %s\"}\n' $seen >&2; """
)

FLAKE = """{
  outputs = _: let
    system = "@system@";
    salt = "@salt@";
    sh = name: script: sources: derivation {
      inherit name system sources salt;
      builder = "/bin/sh";
      # All steps of kernel-builder begin like this.
      args = [ "-c" ("@observe@" + script) ];
    };
    outputsOf = lacking: let
    variant = { name, backend, unavailable ? null, script ? "echo ${salt} > $out", sources ? [ ],
      warnings ? [ ], bundle ? true, torches ? [ { torch = "2.13.0"; source = null; } ],
      notImported ? null, identity ? null }: let
      isHad = each: !builtins.elem each.torch lacking.${name} or [ ];
      inherit (builtins.head (builtins.filter isHad torches)) torch source;
      first = (builtins.head torches).torch;
      drv = sh "k-${name}" script (sources ++ (if source == null then [ ] else [ source ])); in
      { inherit name backend warnings bundle notImported sources identity torch;
        insteadOf = if torch == first then null else first;
        torches = map (it: { inherit (it) torch; wheel = it.source.drvPath or ""; }) torches;
        hosts = [ ]; compute = backend; } //
      (if unavailable != null then { inherit unavailable; }
       else { drv = drv.drvPath; out = drv.outPath; });
    variants = map variant (import ./variants.nix);
    bundleOf = names: sh "k" "echo ${toString names} ${salt} > $out"
      (map (v: v.out) (builtins.filter (v: builtins.elem v.name names) variants));
    entry = drv: { drv = drv.drvPath; out = drv.outPath; };
    manifest = {
      name = "k";
      inherit system variants;
      version = 1;
      hub = { repo-id = "@repo_id@"; branch = ""; };
      bundled = map (v: v.name) (builtins.filter (v: v.bundle) variants);
      warnings = @warnings@;
      leftOut = @left_out@;
    };
    manifestOf = { names, backends }: let
      isAsked = v: builtins.elem v.name names
        || v.bundle && (names ++ backends == [ ] || builtins.elem v.backend backends);
      built = builtins.filter (v: isAsked v && !(v ? unavailable)) variants;
    in manifest // {
      variants = map (v: v // { asked = isAsked v; }) variants;
      bundle = if built == [ ] then null else entry (bundleOf (map (v: v.name) built));
    };
    in {
    inherit bundleOf manifest manifestOf;
    # As lib/outputs/presence.nix has it, in the order of variants.nix.
    forMachine = { requested, select }: {
      variants = map (v: { inherit (v) name backend; }) variants;
      selected = builtins.listToAttrs (map (v: {
        inherit (v) name;
        value = select { inherit manifestOf; } v.name;
      }) (if variants == [ ] then [ ] else [ (builtins.head variants) ]));
      script = "has_backend() { [ $1 = $KERNEL_BUILDER_BACKEND ]; }";
    };
    withoutCommits = { inherit manifestOf; };
    card = sh "k-card-${salt}" "echo $NIX_BUILD_CORES; echo $NIX_BUILD_CORES cores > $out" [ ];
    wheelsOf = names: sh "k-wheels" "echo wheels of ${toString names} ${salt} > $out" [ ];
    # The text has the paths of the variants and of their inputs, like that of lib/outputs.
    contentsOf = names: sh "k-contents" "echo $sources > $out" ([ (bundleOf names) ]
      ++ builtins.concatMap (v: [ v.out ] ++ v.sources ++ map (o: o.tool or o) v.sources)
        (builtins.filter (v: builtins.elem v.name names) variants));
    variants = map (v: v.name) variants ++ [ "torch213-cxx11-cpu-elsewhere" ];
    archVariants = map (v: v.name) variants;
    };
  in outputsOf { } // { withoutTorch = outputsOf; };
}
"""


@dataclass
class FakeKernel:
    """Writes the flake; `add` describes variants in Nix."""

    folder: Path
    salt: str
    warnings: list[str] = field(default_factory=list)
    left_out: str = "[ ]"
    repo_id: str = ""
    _variants: list[str] = field(default_factory=list)

    def add(self, name: str, backend: str = "cpu", **nix: str) -> None:
        attributes = {"name": json.dumps(name), "backend": json.dumps(backend), **nix}
        self._variants.append(
            "{ " + " ".join(f"{key} = {value};" for key, value in attributes.items()) + " }"
        )

    def write(self) -> Path:
        self.folder.mkdir(exist_ok=True)
        warnings = "[ " + " ".join(json.dumps(each) for each in self.warnings) + " ]"
        text = FLAKE.replace("@system@", SYSTEM).replace("@salt@", self.salt)
        text = text.replace("@observe@", OBSERVE).replace("@repo_id@", self.repo_id)
        text = text.replace("@warnings@", warnings).replace("@left_out@", self.left_out)
        (self.folder / "flake.nix").write_text(text)
        (self.folder / "variants.nix").write_text("[\n" + "\n".join(self._variants) + "\n]\n")
        (self.folder / "build.toml").write_text(BUILD)
        return self.folder


def forget(folder: Path) -> None:
    """Take what a kernel left in the store away."""
    asked = ("--apply", "f: f { names = [ ]; backends = [ ]; }")
    try:
        data = json.loads(run_nix("nix", "eval", "--json", f"path:{folder}#manifestOf", *asked))
    except NixError:
        return
    entries = [data["bundle"] or {}, *data["variants"]]
    # Outputs before derivations, which keep them alive.
    paths = [entry[part] for part in ("out", "drv") for entry in entries if part in entry]
    subprocess.run(["nix-store", "--delete", *paths], capture_output=True, check=False)


def init_git(folder: Path, *tracked: str) -> None:
    """Make a folder a git repository in which only some files are tracked."""
    git(folder, "init", "-q")
    if tracked:
        git(folder, "add", "-N", "--", *tracked)
