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
  the packages of `libraryStandIns` if what Torch loads beside itself is stood in for, else null. `sources` are
  the files of the variant's C++ code by their names in the kernel.

  # Type

  ```
  checkImport :: {
    name, backend, pythonFolder, localKernels :: String; torch :: Package; pythonDepends :: [String | Package]; packages :: [Package]; standIns :: { runtime :: Package; packages :: [Package]; } | Null; sources :: { ${file} :: StorePath; };
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
  sources,
}:
let
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
in
runCheck {
  name = "${name}-get-kernel-check";
  package = ./import_check;
  arguments = [
    "--backend=${backend}"
    "--shown-as=${pythonFolder}"
    "--local-kernels=${localKernels}"
    # Torch takes 5 to 20 s where nothing else runs; an emulator takes ten times as long.
    "--limit=${if interpreter ? emulator then "6000" else "600"}"
  ]
  ++ map (package: "--stubs-of=${package}") packages
  ++ map (file: "--source=${file}=${sources.${file}}") (builtins.attrNames sources);
  inherit interpreter;
}
