# A derivation that runs one check on a built variant, and fails if the check finds a problem.
#
# A check is a Python package whose `__main__` has `main(arguments)`. The command line runs the same
# packages with the same interpreter on any folder.
{
  checkPython,
  commandLineFiles,
  factsFile,
  lib,
  moduleFolder,
  runPython,
}:
let
  source = path: if builtins.isPath path then moduleFolder (baseNameOf path) path else path;
  # Read once for all checks.
  checking = source ./checking;
in
/**
  Run a Python package on `variant`. `package` is its folder; a store path is used as it is. `module` is the
  name under which it is imported; `otherPackages` has the folders of more packages, by their paths below a folder of modules;
  `arguments` come before the variant's folder; `backends` are those whose data it reads. `interpreter` is an environment
  made by `pythonWith`; `env` are more variables.

  Type: runCheck :: { name :: String; package :: Path | StorePath; module :: String; otherPackages :: { ${path} :: Path; };
    arguments, backends :: [String]; tools :: [Package]; interpreter :: Package; env :: AttrSet; } -> Derivation
    -> Derivation
*/
{
  name,
  package,
  module ? baseNameOf package,
  otherPackages ? { },
  arguments,
  backends ? [ ],
  tools ? [ ],
  interpreter ? checkPython,
  env ? { },
}:
variant:
runPython {
  inherit tools interpreter;
  name = lib.values.storeName.sanitize name;
  script = ./run.py;
  env = {
    step = "check";
    inherit module;
    # By their paths below the folder of modules.
    packages = builtins.toJSON (
      {
        inherit checking;
        "kernel_builder/messages/problem.py" = commandLineFiles.problem;
        ${builtins.replaceStrings [ "." ] [ "/" ] module} = source package;
      }
      // builtins.mapAttrs (_: source) otherPackages
    );
    KERNEL_CHECK_FACTS = factsFile backends;
    arguments = builtins.toJSON (arguments ++ [ "${variant}" ]);
    passAsFile = [ "arguments" ];
  }
  // env;
}
