# The report on the Torch names that keep the units of a kernel from the stable ABI. It reads the sources and compiles
# nothing.
{ lib, runPython }:
let
  inherit (builtins) attrNames attrValues concatMap elem filter groupBy head length;
  inherit (lib.values) attributes lists;

  countUnique = list: length (attrNames (groupBy (name: name) list));
in
/**
  `variants` are the kernel's variants on one system, and `fileOf` maps a file of the kernel to its store path.

  A variant on the stable ABI serves every Torch, so `stable` counts one variant for each compute platform. A unit
  without headers of Torch is compiled once for every Torch, so `now` counts it once for each compute platform, too.

  Type: stableAbiReport :: { kernel :: String; variants :: [Variant]; fileOf :: String -> StorePath; } -> Derivation
*/
{ kernel, variants, fileOf }:
let
  compiled = filter (variant: variant.compiled && variant.plan.isOfTorch) variants;
  seesTorch = unit: elem "torch" unit.packages;
  uses = concatMap (
    variant:
    map (unit: {
      inherit unit;
      inherit (variant) backend stableAbi;
      onStable = "${variant.compute} ${unit.source}";
      now = "${variant.compute} ${unit.source} ${if seesTorch unit then variant.name else ""}";
    }) variant.plan.units
  ) compiled;
  units = groupBy (use: use.unit.source) (
    filter (use: use.stableAbi == null && seesTorch use.unit) uses
  );
  describe = uses: {
    inherit ((head uses).unit) source;
    backends = lists.unique (map (use: use.backend) uses);
    files = attributes.generate (lists.unique (
      concatMap (use: [ use.unit.source ] ++ use.unit.headers) uses
    )) fileOf;
  };
in
runPython {
  name = "${kernel}-stable-abi-report";
  script = ./report.py;
  env = {
    request = builtins.toFile "request.json" (
      builtins.toJSON {
        inherit kernel;
        variants = {
          now = length compiled;
          stable = countUnique (map (variant: variant.compute) compiled);
        };
        compiles = {
          now = countUnique (map (use: use.now) uses);
          stable = countUnique (map (use: use.onStable) uses);
        };
        units = map describe (attrValues units);
      }
    );
    names = ./tables/names.json;
    replacements = ./tables/replacements.json;
  };
}
