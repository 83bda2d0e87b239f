# Applied to a kernel's `legacyPackages`: the variants of each system that have a derivation, and of
# each backend the newest one, instantiated. To instantiate all would take minutes for a kernel with
# thousands of units.
let
  inherit (builtins)
    attrValues
    compareVersions
    filter
    groupBy
    head
    length
    map
    mapAttrs
    sort
    ;

  isNewer =
    a: b:
    let
      torch = compareVersions a.torch b.torch;
    in
    torch > 0 || (torch == 0 && compareVersions (toString a.toolkit) (toString b.toolkit) > 0);
in
mapAttrs (
  _: outputs:
  let
    variants = filter (variant: variant.unavailable == null) outputs.variantDetails;
    newest = map (group: head (sort isNewer group)) (
      attrValues (groupBy (variant: variant.backend) variants)
    );
  in
  {
    variants = map (variant: {
      inherit (variant)
        name
        backend
        torch
        compiled
        ;
    }) variants;
    newest = map (
      { name, backend, ... }:
      let
        inherit (outputs.plan.${name}) units;
      in
      {
        inherit name backend;
        drv = outputs.redistributable.${name}.drvPath;
        units = length units;
        whole = filter (reason: reason != null) (
          map (unit: if unit.device == null then null else unit.device.whole) units
        );
      }
    ) newest;
  }
)
