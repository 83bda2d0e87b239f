# A build step whose script is a shell file.
{ busybox, makeStep }:
/**
  Run `script` with busybox's shell (`set -eu`) and return the derivation.

  `tools` are packages whose `bin` comes first on PATH, `env` are further variables of
  the script (lists become words), `outputs` are its output folders.
  An applet of busybox's own (`ar`, `tar`, `sed`, …) wins over a file of the same name on
  PATH; call such a tool by its whole path.

  Type: runStep :: { name :: String; script :: Path; tools :: [Package]; env :: AttrSet; outputs :: [String]; }
    -> Derivation
*/
{ name, script, tools ? [ ], env ? { }, outputs ? [ "out" ] }:
makeStep {
  inherit name env outputs;
  builder = "${busybox}/bin/sh";
  arguments = [ "-eu" script ];
  tools = tools ++ [ busybox ];
}
