# `bin/ci-test` runs the tests with the marker `kernels_ci` on a built variant, without the user's environment.
{ lib, busybox, runStep, toolchain }:
/**
  `tests` is null for a kernel without tests; `python` has the variant on its path. `repository` is the kernel's name on
  the Hub, or null: tests that load this name get the variant `built`. `localKernels` is the value of LOCAL_KERNELS for
  other kernels.

  Type: testVariant :: { kernel, variant :: String; repository :: String | Null; built :: Derivation;
    localKernels :: String; tests :: StorePath | Null; python :: Package; tools :: [Package]; } -> Derivation
*/
{ kernel, variant, repository, built, localKernels, tests, python, tools }:
runStep {
  name = "ci-test-${kernel}-${variant}";
  script = ./install.sh;
  env = {
    inherit variant built localKernels;
    repository = if repository == null then "" else repository;
    tests = if tests == null then "" else tests;
    program = ./ci-test.sh;
    runPytest = lib.values.paths.alone ./run_pytest.py;
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
// { meta.mainProgram = "ci-test"; }
