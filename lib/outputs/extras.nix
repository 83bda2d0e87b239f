# The files of a bundle beside its variants: the card, the benchmarks, and a list of sources for
# each variant.
{ values, plan, outputs, ... }:
let
  inherit (values) attributes paths;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (plan.pythonFiles) selectPythonFiles;
  inherit (outputs.cardValues) makeCard;
in
{
  /**
    `card` is null for a kernel without CARD.md. `sourcesOf` lists the sources of a variant, given
    its name, its plan and the derivations that it is built from. `beside` returns the files and
    folders that a bundle of the given variants has beside the variants.

    Type: makeExtras :: { kernel :: Kernel; root :: Path; packageSet :: PackageSet; provenance :: AttrSet; } -> {
      card :: Derivation | Null; sourcesOf :: String -> Plan -> [Derivation] -> Derivation; beside :: {
      ${name} :: Derivation; } -> { ${path} :: StorePath; }; }
  */
  makeExtras =
    {
      kernel,
      root,
      packageSet,
      provenance,
    }:
    let
      inherit (kernel.config) general;
      has = name: builtins.pathExists (root + "/${name}");

      python = selectPythonFiles {
        inherit root;
        inherit (kernel) config;
      };

      card =
        if has "CARD.md" then
          packageSet.fillCard {
            kernel = general.name;
            template = paths.alone (root + "/CARD.md");
            pythonFiles = python;
            values = makeCard {
              inherit (kernel) config;
              variants = kernel.variants;
              benchmarks = optionals (has "benchmarks") (paths.filesBelow root "benchmarks");
            };
          }
        else
          null;

      # The list has the kernel's own files by name, and everything else by its hash.
      sourcesOf =
        name: plan: derivations:
        let
          units = builtins.concatMap (unit: [ unit.source ] ++ unit.headers) plan.units;
        in
        packageSet.listSources {
          variant = name;
          inherit derivations provenance;
          component = {
            inherit (general)
              name
              version
              license
              upstream
              ;
          };
          files = attributes.generate units (file: kernel.graph.${file}.inStore) // {
            "${kernel.config.framework.folder}/${general.python-name}" = python;
          };
        };
    in
    {
      inherit card sourcesOf;
      beside =
        variants:
        optionalAttrs (has "benchmarks") { benchmarks = paths.alone (root + "/benchmarks"); }
        // optionalAttrs (card != null) { "CARD.md" = card; }
        // builtins.listToAttrs (
          map (name: {
            name = "provenance/${name}.cdx.json";
            value = variants.${name}.sources;
          }) (builtins.attrNames variants)
        );
    };
}
