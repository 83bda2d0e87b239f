# The warnings of a variant's steps as data. They come from the outputs of steps and not from logs, so they are also known
# for steps that a store or a cache has.
{ commandLineFiles, lib, runPython }:
/**
  `id` is the name under which the build registers itself. `steps` maps names to folders with findings, of the steps
  that have them.

  Type: collectFindings :: { name, id :: String; steps :: [{ name :: String; path :: String; }]; } -> Derivation
*/
{ name, id, steps }:
runPython {
  name = lib.values.storeName.sanitize "${name}-findings";
  script = ./collect.py;
  env = {
    step = "findings";
    inherit id;
    inherit (commandLineFiles) problem;
    steps = builtins.toJSON steps;
    passAsFile = [ "steps" ];
    preferLocalBuild = true;
  };
}
