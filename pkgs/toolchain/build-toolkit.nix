# A vendor's compiler from its own packages, changed so that it runs with the C library of the package set.
{ architecture, busybox, patchelf, relocate, runStep, runtime, toolchain }:
/**
  `script` unpacks `sources` and makes the outputs `out` (programs and libraries) and `dev` (headers); `env` has
  additional variables for `script`.

  Type: buildToolkit :: { name :: String; script :: Path; sources :: [Derivation]; env :: AttrSet ? { }; } -> Derivation
*/
{ name, script, sources, env ? { } }:
runStep {
  inherit name script;
  tools = [ patchelf ];
  outputs = [ "out" "dev" ];
  env = {
    inherit busybox relocate runtime sources toolchain;
    inherit (architecture) triple;
    gcc_version = toolchain.version;
    loader_path = runtime.loader;
  }
  // env;
}
