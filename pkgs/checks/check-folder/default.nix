# A program that runs the checks of a build on the folder of any variant. It has no text of the variant in it.
{
  lib,
  busybox,
  checkPython,
  commandLineFiles,
  factsFile,
  moduleFolder,
  runStep,
  symbolListsOf,
}:
let
  # The packages of all checks.
  programs = moduleFolder "checks" ../.;
  programWith =
    lists:
    runStep {
      name = "check-folder";
      script = ./install.sh;
      env = {
        inherit busybox programs;
        inherit (commandLineFiles) byName problem;
        facts = factsFile (builtins.attrNames lib.backends.all);
        program = ./check_folder.py;
        python = checkPython;
        symbols = lists;
      };
    };
in
/**
  `bin/check-folder CHECK FOLDER ARGUMENT VARIANT` runs one of the checks in `listed-checks/checks.json` on a variant of this
  name; `check-folder --list` prints their names. `name` selects the lists of symbols alone: `withTorch` compares with those of the library that
  the variant is linked with, and is built with that library's wheel; `withoutTorch` leaves that out.

  # Example

  ```nix
  checkFolder "torch213-cxx11-cpu-x86_64-linux"
  => { withTorch = «derivation»; withoutTorch = «derivation»; }
  ```

  Type: checkFolder :: String -> { withTorch, withoutTorch :: Derivation; }
*/
name:
let
  lists = symbolListsOf name;
in
{
  withTorch = programWith (lists.platform ++ lists.framework);
  withoutTorch = programWith lists.platform;
}
