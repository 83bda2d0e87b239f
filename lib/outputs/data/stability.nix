# The subject of a report on Torch's stable ABI: the units of a kernel that see Torch, and the numbers of variants and compiles.
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
    `variants` are those of one system. A variant on the stable ABI serves every Torch, so there is one for each compute platform; a
    unit without headers of Torch is the same for every Torch already. `fileOf` maps a file of the kernel to its store path.

    # Type

    ```
    describeStability :: { kernel :: String; variants :: [Variant]; fileOf :: String -> StorePath; }
      -> { kernel :: String; variants, compiles :: { now, stable :: Int; }; units :: [{ source :: String; backends :: [String]; files :: AttrSet; }]; }
    ```
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
