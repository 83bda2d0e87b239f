# Runs `torch.library.opcheck` on the calls that the kernel's own tests make, in the sandbox.
#
# Nothing of a build depends on it: it takes as long as the tests. Tests that fail here only give no calls.
{ commandLineFiles, runCheck, toolchain }:
/**
  `python` is the environment of the tests without the kernel, with bytecode if it has any, and `tools` are more
  packages for PATH. `files` is the folder of the tests, `repository` the kernel's name on the Hub or null, and
  `localKernels` the value of LOCAL_KERNELS for other kernels. The result has the text of its warnings in
  `findings.txt`, which is empty without any.

  Type: checkOperators :: { kernel, variant :: String; repository :: String | Null; localKernels :: String; files ::
    StorePath; python :: Package; tools :: [Package]; } -> Derivation -> Derivation
*/
{
  kernel,
  variant,
  repository,
  localKernels,
  files,
  python,
  tools,
}:
runCheck {
  name = "${kernel}-${variant}-operator-check";
  package = ./operator_check;
  otherPackages = { "kernel_builder/import_check" = commandLineFiles.importCheck; };
  arguments = [
    (builtins.toJSON {
      inherit variant repository;
      tests = "${files}";
      local_kernels = localKernels;
      # Seconds, for the tests and for the checks of their calls.
      limit = 600;
    })
  ];
  interpreter = python;
  # torch.compile and Triton need a compiler at run time.
  tools = tools ++ [ toolchain ];
}
