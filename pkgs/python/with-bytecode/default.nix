# A Python environment with the bytecode of modules that steps import often. Packages in the store have no bytecode, and
# compiling Torch's modules takes longer than loading them. An emulated environment gets none, because importing the
# modules once more in the emulator takes longer still.
{ runPython }:
/**
  Return `environment` with the derivation `bytecode`, which has the bytecode of all modules that importing `modules`
  loads. Names that the environment does not have are skipped. `runPython` gives the bytecode to its scripts.

  Type: withBytecode :: { environment :: Derivation; modules :: [String]; } -> Derivation // { bytecode :: Derivation; }
*/
{ environment, modules }:
environment
// (
  if environment ? emulator then
    { }
  else
    {
      bytecode = runPython {
        name = "${environment.name}-bytecode";
        interpreter = environment;
        script = ./keep.py;
        env = { inherit modules; };
      };
    }
)
