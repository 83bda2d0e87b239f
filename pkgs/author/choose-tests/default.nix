# `bin/ci-test` that finds out which backend this machine has, and runs the tests of a variant
# for it.
#
# It refers to the derivations of the tests, not to their builds: what the machine has is
# known only where it runs, and the variants of all other backends need not be built.
{
  busybox,
  lib,
  runStep,
}:
/**
  `candidates` are in the order in which they are tried: by backend, then by preference.

  # Type

  ```
  chooseTests :: { kernel :: String; candidates :: [{ name, backend :: String; test :: Derivation; build :: Derivation; }]; } -> Derivation
  ```
*/
{ kernel, candidates }:
let
  inherit (builtins) concatStringsSep unsafeDiscardOutputDependency unsafeDiscardStringContext;
  lines = map (
    {
      name,
      backend,
      test,
      build,
    }:
    concatStringsSep " " [
      backend
      name
      # Where the variant is once it is built, without asking for it.
      (unsafeDiscardStringContext build.outPath)
      (unsafeDiscardOutputDependency test.drvPath)
    ]
  ) candidates;
in
runStep {
  name = "ci-test";
  script = ./install.sh;
  env = {
    inherit kernel;
    candidates = concatStringsSep "\n" lines;
    presence = lib.platforms.presence.script;
    shell = "${busybox}/bin/sh";
    program = ./ci-test.sh;
  };
}
// {
  meta.mainProgram = "ci-test";
}
