# A program that runs the checks of a build on the folder of any variant.
{ lib, factsFile, runStep, busybox, checkPython, symbolListsOf }:
let
  # The packages of all checks, without bytecode.
  programs = builtins.path {
    name = "checks";
    path = ../.;
    filter = file: _: baseNameOf file != "__pycache__";
  };
  byName = lib.values.paths.alone ../../../python/src/kernel_builder/templates/ops/by_name.py;
  programWith =
    name: lists:
    runStep {
      name = "check-folder";
      script = ./install.sh;
      env = {
        inherit busybox byName programs;
        facts = factsFile (builtins.attrNames lib.backends.all);
        problem = lib.values.paths.alone ../../../python/src/kernel_builder/messages/problem.py;
        program = ./check-folder.sh;
        python = checkPython;
        variant = name;
        symbols = map (list: "--symbols ${list}") lists;
      };
    };
in
/**
  `bin/check-folder CHECK FOLDER` runs one of the checks `layout`, `registration` and `abi`; `name` is the
  variant's. `withTorch` compares its symbols with those of the library that it is linked with, and is
  built with that library's wheel; `withoutTorch` leaves that out.

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
  withTorch = programWith name (lists.platform ++ lists.framework);
  withoutTorch = programWith name lists.platform;
}
