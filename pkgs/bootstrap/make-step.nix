# What every build step is: a plain `derivation` of a program with a file, and only what is
# named. No phases, no hooks, nothing inherited.
{
  lib,
  system,
  hostAccess,
  busybox,
}:
let
  # Has Nix keep in the step's log whether it ran in the sandbox, whose build folder is /build (on Linux; no other
  # step is seen to be in one). Nix shows such a line to nobody, and nothing of it is in the output. `sandbox.py` of
  # the command line reads it.
  observe = ''
    case $NIX_BUILD_TOP in /build) set -- on "$@" ;; *) set -- off "$@" ;; esac
    printf '@nix {"action":"setPhase","phase":"sandbox: %s"}\n' "$1" >&2
    shift
    exec "$@"
  '';
  # A file beside a builder goes into the store by itself, not with all that is around it.
  alone = value: if builtins.isPath value then lib.values.paths.alone value else value;
in
/**
  `arguments` are those of `builder`, `tools` packages whose `bin` comes first on PATH, `env`
  further variables (lists become words).

  # Type

  ```
  makeStep :: { name :: String; builder :: String; arguments :: [String | Path]; tools :: [Package]; env :: AttrSet; outputs :: [String]; } -> Derivation
  ```
*/
{
  name,
  builder,
  arguments,
  tools,
  env,
  outputs,
}:
derivation (
  hostAccess
  // builtins.mapAttrs (_: alone) env
  // {
    inherit
      name
      system
      outputs
      ;
    builder = "${busybox}/bin/sh";
    args = [
      "-c"
      observe
      "observe"
      builder
    ]
    ++ map alone arguments;
    PATH = builtins.concatStringsSep ":" (map (tool: "${tool}/bin") tools);
    # Tools that write a time into what they make take this one instead.
    SOURCE_DATE_EPOCH = "1";
    LC_ALL = "C";
  }
)
