# One build step: a plain `derivation`, a shell script that is a real file, and
# only what is named. No phases, no hooks, nothing inherited.
{
  system,
  lib,
  busybox,
}:
let
  # A file beside a builder goes into the store by itself, not with all that is around it.
  alone = value: if builtins.isPath value then lib.paths.alone value else value;
in
/**
  Run `script` with busybox's shell (`set -eu`) and return the derivation.

  `tools` are packages whose `bin` comes first on PATH, `env` are further variables of
  the script (lists become words), `outputs` are its output folders.
  An applet of busybox's own (`ar`, `tar`, `sed`, …) wins over a file of the same name on
  PATH; call such a tool by its whole path.

  # Type

  ```
  runStep :: { name :: String; script :: Path; tools :: [Package]; env :: AttrSet; outputs :: [String]; } -> Derivation
  ```
*/
{
  name,
  script,
  tools ? [ ],
  env ? { },
  outputs ? [ "out" ],
}:
derivation (
  builtins.mapAttrs (_: alone) env
  // {
    inherit name system outputs;
    builder = "${busybox}/bin/sh";
    args = [
      "-eu"
      (alone script)
    ];
    PATH = builtins.concatStringsSep ":" (map (tool: "${tool}/bin") (tools ++ [ busybox ]));
    # Tools that write a time into what they make take this one instead.
    SOURCE_DATE_EPOCH = "1";
    LC_ALL = "C";
  }
)
