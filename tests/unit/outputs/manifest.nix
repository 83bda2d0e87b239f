{ describe, manifest, ... }@library:
let
  inherit (builtins) filter map;
  inherit (import ../kernels/small-matrix.nix library) of relu;

  kernel = { variants = of relu; config = relu // { warnings = [ ]; }; leftOut = system: [ { found = system; } ]; };
  ofHere = filter (variant: variant.system == "x86_64-linux");
  local = ofHere (of relu);
  without = name: map (variant: if variant.name == name then variant // { bundle = false; } else variant) local;
  missing = "torch211-cxx11-cu126-x86_64-linux";
  cpu211 = "torch211-cxx11-cpu-x86_64-linux";
  cpuOnArm = "torch211-cxx11-cpu-aarch64-linux";
  cpu212 = "torch212-cxx11-cpu-x86_64-linux";
  cuda212 = "torch212-cxx11-cu126-x86_64-linux";
  newest = "torch212-cxx11-cu130-x86_64-linux";

  derivation = name: { drvPath = "${name}.drv"; outPath = name; };
  # The Output of a variant; one is missing.
  outputOf =
    variant:
    let
      output =
        variant
        // {
          cannotBuild = if variant.name == missing then "no Torch" else null;
          cannotImport = output.cannotBuild;
          cannotTest = output.cannotBuild;
          build =
            if variant.name == missing then
              throw "not built"
            else
              derivation variant.name // { objects = [ ]; reporting = [ ]; };
        }
        // describe.describeOutput { inherit kernel; } output;
    in
    output;
  manifests =
    local:
    manifest.makeManifests {
      inherit kernel;
      options.path = "${builtins.storeDir}/abc-source/kernels/relu";
      system = "x86_64-linux";
    } (map outputOf local) (names: derivation (toString names));
  namesWith = field: of: map (variant: variant.name) (filter (variant: variant ? ${field}) of.variants);
  askedOf =
    local: names: backends:
    let
      of = (manifests local).manifestOf { inherit names backends; };
    in
    {
      bundle = if of.bundle == null then null else of.bundle.out;
      built = namesWith "drv" of;
      left = namesWith "unavailable" of;
    };
in
{
  makeManifests = {
    saysWhereItIs = [ (manifests local).manifest.place "kernels/relu" ];
    saysWhatIsLeftOut = [ (manifests local).manifest.leftOut [ { found = "x86_64-linux"; } ] ];
    bundledVariantsOfAllSystems = [
      (map (name: builtins.elem name (manifests local).manifest.bundled) [ cpu211 cpuOnArm "rest" ])
      [ true true false ]
    ];
    everything = [
      (askedOf local [ ] [ ])
      {
        bundle = "${cpu211} ${cpu212} ${cuda212} ${newest}";
        built = [ cpu211 cpu212 cuda212 newest ];
        left = [ missing ];
      }
    ];
    aName = [ (askedOf local [ cpu211 ] [ ]) { bundle = cpu211; built = [ cpu211 ]; left = [ missing ]; } ];
    aBackend = [ (askedOf local [ ] [ "cuda" ]).bundle "${cuda212} ${newest}" ];
    whatBundlesDoNotHave = [
      (let
        some = without cpu211;
      in
      map (each: each.bundle) [ (askedOf some [ ] [ "cpu" ]) (askedOf some [ cpu211 ] [ ]) ])
      [ cpu212 cpu211 ]
    ];
    nothingThatCanBe = [ (askedOf local [ missing ] [ ]).bundle null ];
    # If some variants are narrowed, the default bundle has only those.
    partial = [
      (askedOf (map (v: if v.name == newest then v // { partial = [ "9.0" ]; } else v) local) [ ] [ ]).built
      [ newest ]
    ];
    withoutCode = [
      (let
        of = (manifests (map (v: v // { compiled = !builtins.elem v.name [ cpu211 newest ]; }) local)).manifest;
      in
      map (v: v.importedWith) (filter (v: v ? importedWith) of.variants))
      [
        [ "Torch 2.11.0 alone; others: nix run .#versionChecks.${cpu211}" ]
        [ ]
        [ ]
        [ "Torch 2.12.1 alone; others: nix run .#versionChecks.${newest}" ]
      ]
    ];
    allHaveTheirPlace = [ (namesWith "drv" (manifests (without cpu211)).manifest) [ cpu211 cpu212 cuda212 newest ] ];
  };
}
