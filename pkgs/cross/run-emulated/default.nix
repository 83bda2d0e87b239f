# `runStep` for scripts that make programs for the kernel's processor and start them.
{ runStep, emulator }:
/**
  `script` is the same file as for programs of the build machine's processor. The emulator runs each program of `$out`
  that begins a line of the script.

  Type: runEmulated :: { name :: String; script :: Path; tools :: [Package]; env :: AttrSet; } -> Derivation
*/
{ name, script, tools ? [ ], env }:
runStep {
  inherit name tools;
  script = ./run.sh;
  env = env // { inherit emulator script; };
}
