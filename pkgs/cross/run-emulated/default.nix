# `runStep` for scripts that start programs of the kernel's processor: what they make.
{ runStep, emulator }:
/**
  The script is what it is where those programs run by themselves. Its lines that begin with
  a program of `$out` start it through the emulator.

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
