# Imports a built variant in the sandbox, with the public `kernels` client, as its users do.
#
# What only a driver brings is not there. Packages whose libraries the variant is linked with
# have stubs of it in `lib/stubs`, which stand in for it.
{
  runCheck,
  targetPythonWith,
  withBytecode,
}:
/**
  `localKernels` is LOCAL_KERNELS, for kernels that this one depends on. The result has `operators.json`: the
  schemas of what the variant registers in Torch, without their namespace.

  # Type

  ```
  checkImport :: {
    name, backend, pythonFolder, localKernels :: String; torch :: Package; pythonDepends :: [String | Package]; packages :: [Package];
  } -> Derivation -> Derivation
  ```
*/
{
  name,
  backend,
  pythonFolder,
  localKernels,
  torch,
  pythonDepends,
  packages,
}:
runCheck {
  name = "${name}-get-kernel-check";
  package = ./import_check;
  arguments = [
    backend
    pythonFolder
    localKernels
  ]
  ++ map (package: "${package}") packages;
  interpreter = withBytecode {
    # Without the kernel's name: it is the same for every kernel.
    environment = targetPythonWith {
      name = "get-kernel-check-python";
      packages = [
        torch
        "kernels"
        "numpy"
      ]
      ++ pythonDepends;
    };
    modules = [
      "kernels"
      "torch"
      "triton"
    ];
  };
}
