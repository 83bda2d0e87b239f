# `runStep` for scripts that start programs of the kernel's processor, which they have made.
{ runStep, emulator }:
/**
  `script` is the same file as for programs of the build machine's processor. The emulator runs each program of `$out`
  that begins a line of the script.

  # Type

  ```
  runEmulated :: { name :: String; script :: Path; tools :: [Package]; env :: AttrSet; } -> Derivation
  ```
*/
{
  name,
  script,
  tools ? [ ],
  env,
}:
runStep {
  inherit name tools;
  script = ./run.sh;
  env = env // {
    inherit emulator script;
  };
}
