# Imports a built variant in the sandbox, with the public `kernels` client, as its users do.
#
# The build machine has no GPU driver. Packages that the variant is linked with have stubs of the
# driver's libraries in `lib/stubs`, which the check loads instead.
{ commandLineFiles, lib, libraryStandIns, runCheck, withBytecode }:
/**
  `localKernels` is LOCAL_KERNELS, for kernels that this one depends on. The result has `operators.json`: the
  schemas of the operators that the variant registers in Torch, without their namespace. Its attribute `trial` only warns
  of an import that fails, with the versions of Torch and Triton. `standIns` are the
  arguments of `libraryStandIns`, or null if Torch loads its real libraries. `sources` are the names of the variant's
  C++ files, `registration` is the result of the registration check, and `targetPythonWith` makes environments with its Python.

  Type: checkImport :: { name, backend, pythonFolder, localKernels :: String; torch :: Package;
    pythonDepends :: [String | Package]; packages :: [Package]; standIns :: { runtime :: Package; packages :: [Package];
    } | Null; sources :: [String]; registration :: Derivation; boxed :: Derivation | Null; targetPythonWith :: AttrSet -> Derivation;
    } -> Derivation -> Derivation
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
  registration,
  boxed,
  targetPythonWith,
}:
let
  inherit (lib.backends.all.${backend}) checks;
  interpreter = withBytecode {
    # The name has no kernel in it, so that all kernels share the environment.
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
        ++ [ "kernels" ]
        ++ lib.config.dependencies.assumed
        ++ pythonDepends;
      # Packages for signatures and for transfers, which no import of a local kernel loads.
      without = [ "hf-xet" "sigstore" ];
    };
    modules = [ "kernels" "torch" "triton" ];
  };
  check =
    isTrial:
    runCheck {
      name = "${name}-get-kernel-${if isTrial then "trial" else "check"}";
      package = commandLineFiles.importCheck;
      module = "kernel_builder.import_check";
      arguments = [
        (builtins.toJSON {
          inherit backend sources;
          is_trial = isTrial;
          inherit (checks) device;
          shown_as = pythonFolder;
          dispatch_key = checks.dispatch-key;
          stubs_of = map toString packages;
          calls = "${registration}/calls.json";
          schemas = "${registration}/schemas.json";
          # The output of the link of that name.
          boxed = if boxed == null then null else "${boxed}";
          # Seconds. Importing Torch takes 5 to 20 s on an idle machine; an emulator takes ten times as long.
          limit = if interpreter ? emulator then 6000 else 600;
        })
      ];
      env = lib.values.attributes.optionalAttrs (localKernels != "") { LOCAL_KERNELS = localKernels; };
      inherit interpreter;
    };
in
assembled: check false assembled // { trial = check true assembled; }
