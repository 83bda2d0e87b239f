# The files of a bundle beside its variants: the card, the benchmarks, and each variant's list of
# sources and findings.
{ values, outputs, ... }:
let
  inherit (values) paths;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (outputs.cardValues) makeCard;
in
{
  /**
    `card` is null for a kernel without CARD.md. `listFiles` returns the files and folders that a bundle of the given
    variants has beside the variants.

    Type: makeExtras :: Context -> { card :: Derivation | Null; listFiles :: { ${name} :: Derivation; } -> {
      ${path} :: StorePath; }; }
  */
  makeExtras =
    { kernel, options, packageSet, folderOf, pythonFiles, ... }:
    let
      root = options.path;
      inherit (kernel) config;
      has = name: builtins.pathExists (root + "/${name}");
      card =
        if has "CARD.md" then
          packageSet.fillCard {
            kernel = config.general.name;
            template = paths.alone (root + "/CARD.md");
            inherit pythonFiles;
            values = makeCard {
              inherit config;
              inherit (kernel) variants;
              benchmarks = optionals (has "benchmarks") (paths.filesBelow root "benchmarks");
            };
          }
        else
          null;
    in
    {
      inherit card;
      listFiles =
        variants:
        optionalAttrs (has "benchmarks") { benchmarks = folderOf "benchmarks"; }
        // optionalAttrs (card != null) { "CARD.md" = card; }
        // builtins.listToAttrs (
          builtins.concatMap (name: [
            { name = "provenance/${name}.cdx.json"; value = variants.${name}.sources; }
            { name = "findings/${name}.json"; value = variants.${name}.findings; }
          ]) (builtins.attrNames variants)
        )
        // {
          "findings/all.json" = packageSet.mergeFindings {
            kernel = config.general.name;
            variants = builtins.mapAttrs (_: variant: variant.findings) variants;
          };
        };
    };
}
