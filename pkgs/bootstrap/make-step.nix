# Every build step: a plain `derivation` that runs a program with a script. It has only the inputs that its caller
# names: no phases, no hooks.
{ lib, system, hostAccess, busybox }:
let
  # Records in the step's log whether it ran in the sandbox, whose build folder is /build on Linux. Nix does not print
  # such a line, and the output does not depend on it. `sandbox.py` of the command line reads it.
  observe = ''
    case $NIX_BUILD_TOP in /build) set -- on "$@" ;; *) set -- off "$@" ;; esac
    printf '@nix {"action":"setPhase","phase":"sandbox: %s"}\n' "$1" >&2
    shift
    exec "$@"
  '';
  # A script becomes a store path of its own, without the files around it.
  hasPath = builtins.any builtins.isPath;
  alone = value: if builtins.isPath value then lib.values.paths.alone value else value;
in
/**
  Return the derivation that runs `builder` with `arguments`. The `bin` folders of `tools` are the PATH. `env` has
  further variables; lists become words. Steps of a kernel have a variable `step` with their kind, such as "device",
  "host", "gather", "whole", "precompile", "compile", "link" or "check": the command line and `listContents` read it.

  Type: makeStep :: { name :: String; builder :: String; arguments :: [String | Path]; tools :: [Package];
    env :: AttrSet; outputs :: [String]; } -> Derivation
*/
{ name, builder, arguments, tools, env, outputs }:
derivation (
  hostAccess
  # Most steps have no paths here, and a kernel has thousands of steps.
  // (if hasPath (builtins.attrValues env) then builtins.mapAttrs (_: alone) env else env)
  // {
    inherit name system outputs;
    builder = "${busybox}/bin/sh";
    args = [ "-c" observe "observe" builder ]
    ++ (if hasPath arguments then map alone arguments else arguments);
    PATH = builtins.concatStringsSep ":" (map (tool: "${tool}/bin") tools);
    # Tools that write a timestamp into their output use this one.
    SOURCE_DATE_EPOCH = "1";
    LC_ALL = "C";
  }
)
