# An environment of Python with the bytecode of what is imported in it again and again. Packages in
# the store have none, and to compile Torch's modules takes longer than to load them. Where both are emulated,
# to import them once more takes longest.
{ runPython }:
/**
  `environment` with the derivation `bytecode`, of all that the import of `modules` loads; those
  that it does not have are left out. `runPython` lets its scripts have it.

  # Type

  ```
  withBytecode :: { environment :: Derivation; modules :: [String]; } -> Derivation // { bytecode :: Derivation; }
  ```
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
