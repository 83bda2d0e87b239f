# `bin/ci-test` finds the backend of the machine that it runs on, and runs the tests of a variant for it.
#
# The program refers to the derivations of the tests and not to their outputs, because only the variant of that
# backend has to be built.
{ busybox, lib, runStep }:
/**
  `candidates` are tried in order: by backend, then by preference. `untested` are lines that say
  why other variants have no tests.

  Type: chooseTests :: { kernel :: String; candidates :: [{ name, backend :: String; test :: Derivation;
    build :: Derivation; }]; untested :: [String]; } -> Derivation
*/
{ kernel, candidates, untested }:
let
  inherit (builtins) concatStringsSep replaceStrings unsafeDiscardOutputDependency unsafeDiscardStringContext;
  lines = map (
    { name, backend, test, build }:
    concatStringsSep " " [
      backend
      name
      # The path of the built variant, without making it an input.
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
    # install.sh puts this text between single quotes.
    untested = replaceStrings [ "'" ] [ "'\\''" ] (concatStringsSep "\n" untested);
    presence = lib.outputs.presence.script;
    shell = "${busybox}/bin/sh";
    program = ./ci-test.sh;
  };
}
// {
  meta.mainProgram = "ci-test";
}
