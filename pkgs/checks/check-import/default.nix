# Imports a built variant in the sandbox, with the public `kernels` client, as its users do.
#
# What only a driver brings is not there. Packages whose libraries the variant is linked with
# have stubs of it in `lib/stubs`, which stand in for it.
{
  libraryStandIns,
  runCheck,
  targetPythonWith,
  withBytecode,
}:
/**
  `localKernels` is LOCAL_KERNELS, for kernels that this one depends on. The result has `operators.json`: the
  schemas of what the variant registers in Torch, without their namespace. `standIns` are
  the packages of `libraryStandIns` if what Torch loads beside itself is stood in for, else null.

  # Type

  ```
  checkImport :: {
    name, backend, pythonFolder, localKernels :: String; torch :: Package; pythonDepends :: [String | Package]; packages :: [Package]; standIns :: { runtime :: Package; packages :: [Package]; } | Null;
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
  standIns,
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
      packages =
        (
          if standIns == null then
            [ torch ]
          else
            [
              (torch // { depends = torch.modules; })
              (libraryStandIns (standIns // { inherit torch; }))
            ]
        )
        ++ [
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
