# What keeps the units of a kernel from Torch's stable ABI. Nothing is compiled: it reads the sources.
{ lib, runPython }:
/**
  `request` has the `kernel`, its `units` with `source`, `backends` and `files`, and the numbers of `variants` and `compiles`, see
  `describeStability` of the library.

  # Type

  ```
  stableAbiReport :: AttrSet -> Derivation
  ```
*/
request:
runPython {
  name = "${request.kernel}-stable-abi-report";
  script = ./report.py;
  env = {
    request = builtins.toFile "request.json" (builtins.toJSON request);
    names = lib.values.paths.alone ./tables/names.json;
    replacements = lib.values.paths.alone ./tables/replacements.json;
  };
}
