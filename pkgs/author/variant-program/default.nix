# `variantProgram`: runs a folder of the kernel on a built variant, without the user's environment. `bin/ci-test` runs
# the tests with the marker `kernels_ci`, `bin/benchmark` the benchmarks.
{ busybox, commandLineFiles, runStep, toolchain, writeSettings }:
let
  runners = {
    tests = ./run_tests.py;
    benchmarks = commandLineFiles.benchmarkRunner;
  };
in
/**
  `program` is the name, and `folder` is `tests` or `benchmarks`; `files` is that folder, or null if the kernel has
  none. `python` has the variant on its path. `repository` is the kernel's name on the Hub, or null: files that load
  this name get the variant `built`. `localKernels` is the value of LOCAL_KERNELS for other kernels. The program ends
  with the warnings of `operatorCheck`, a result of `checkOperators` or null.

  Type: variantProgram :: { program, folder, kernel, variant :: String; repository :: String | Null; built ::
    Derivation; localKernels :: String; operatorCheck :: Derivation | Null; files :: StorePath | Null; python ::
    Package; tools :: [Package]; } -> Derivation
*/
{
  program,
  folder,
  kernel,
  variant,
  repository,
  built,
  localKernels,
  operatorCheck,
  files,
  python,
  tools,
}:
runStep {
  name = "${program}-${kernel}-${variant}";
  script = ./install.sh;
  env = {
    # Null is an empty variable.
    inherit program folder variant repository built localKernels files writeSettings;
    findings = if operatorCheck == null then "" else "${operatorCheck}/findings.txt";
    text = ./program.sh;
    runner = runners.${folder};
    shell = "${busybox}/bin/sh";
    # torch.compile and Triton need a compiler at run time.
    path = builtins.concatStringsSep ":" (
      map (tool: "${tool}/bin") (
        [ python ]
        ++ tools
        ++ [ toolchain busybox ]
      )
    );
  };
}
// { meta.mainProgram = program; }
