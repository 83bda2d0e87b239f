# Data for the report on Torch's stable ABI: the units that see Torch's headers, and the numbers of variants and
# compiles now and on the stable ABI.
{ values, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    filter
    groupBy
    head
    length
    ;
  inherit (values) attributes lists;

  countUnique = list: length (attrNames (groupBy (name: name) list));
in
{
  /**
    `variants` are the kernel's variants on one system, and `fileOf` maps a file of the kernel to its store path.

    A variant on the stable ABI serves every Torch, so `stable` counts one variant for each compute platform. A unit
    without headers of Torch is compiled once for every Torch, so `now` counts it once for each compute platform, too.

    Type: describeStability :: { kernel :: String; variants :: [Variant]; fileOf :: String -> StorePath; } -> {
      kernel :: String; variants, compiles :: { now, stable :: Int; }; units :: [{ source :: String;
      backends :: [String]; files :: AttrSet; }]; }
  */
  describeStability =
    {
      kernel,
      variants,
      fileOf,
    }:
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
    {
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
    };
}
