# `chooseProgram`: `bin/ci-test` or `bin/benchmark`, which finds the backend of the machine that it runs on, and runs this
# program of a variant for it.
#
# It refers to the derivations of the variants' programs and not to their outputs, because only the variant of that
# backend has to be built.
{ busybox, joinLines, lib, runStep, writeSettings }:
/**
  `candidates` are tried in order: by backend, then by preference. `untested` are lines that say
  why other variants have no program. `output` is the name of the output with the programs by variant, and `folder`
  the kernel's folder that they run.

  Type: chooseProgram :: { program, folder, output, kernel :: String; candidates :: [{ name, backend :: String; run,
    build :: Derivation; }]; untested :: [String]; } -> Derivation
*/
{ program, folder, output, kernel, candidates, untested }:
let
  inherit (builtins) concatStringsSep unsafeDiscardOutputDependency unsafeDiscardStringContext;
  lines = map (
    { name, backend, run, build }:
    concatStringsSep " " [
      backend
      name
      # The path of the built variant, without making it an input.
      (unsafeDiscardStringContext build.outPath)
      (unsafeDiscardOutputDependency run.drvPath)
    ]
  ) candidates;
in
runStep {
  name = program;
  script = ./install.sh;
  env = {
    inherit program folder output kernel writeSettings;
    candidates = joinLines lines;
    untested = joinLines untested;
    presence = lib.outputs.presence.script;
    shell = "${busybox}/bin/sh";
    text = ./choose.sh;
  };
}
// {
  meta.mainProgram = program;
}
