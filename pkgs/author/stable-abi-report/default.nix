# The report on the Torch names that keep the units of a kernel from the stable ABI. It reads the sources and compiles
# nothing.
{ runPython }:
/**
  `request` has the `kernel`, its `units` with `source`, `backends` and `files`, and the numbers of `variants` and
  `compiles`, see `describeStability` of the library.

  Type: stableAbiReport :: AttrSet -> Derivation
*/
request:
runPython {
  name = "${request.kernel}-stable-abi-report";
  script = ./report.py;
  env = {
    request = builtins.toFile "request.json" (builtins.toJSON request);
    names = ./tables/names.json;
    replacements = ./tables/replacements.json;
  };
}
