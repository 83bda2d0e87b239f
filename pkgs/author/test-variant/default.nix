# The tests of a kernel's fast subset as a program: `bin/ci-test` runs those marked
# `kernels_ci` on a built variant, in an environment that has nothing of the user's.
{
  busybox,
  runStep,
  toolchain,
}:
/**
  `tests` is null for a kernel without tests; `python` has the variant on its path.

  # Type

  ```
  testVariant :: { kernel, variant :: String; tests :: StorePath | Null; python :: Package; tools :: [Package]; } -> Derivation
  ```
*/
{
  kernel,
  variant,
  tests,
  python,
  tools,
}:
runStep {
  name = "ci-test-${kernel}-${variant}";
  script = ./install.sh;
  env = {
    inherit variant python;
    tests = if tests == null then "" else tests;
    program = ./ci_test.py;
    # What compiles at run time (torch.compile, Triton) finds a compiler.
    path = builtins.concatStringsSep ":" (
      map (tool: "${tool}/bin") (
        [ python ]
        ++ tools
        ++ [
          toolchain
          busybox
        ]
      )
    );
  };
}
// {
  meta.mainProgram = "ci-test";
}
