# What lies beside the variants of a kernel: its card, its benchmarks, and for each
# variant what it was built from.
{ values, plan, outputs, ... }:
let
  inherit (values) attributes paths;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (plan) pythonFiles;
  inherit (outputs.cardValues) makeCardValues;
in
{
  /**
    `card` is null for a kernel without CARD.md; `sourcesOf` lists the sources of one variant (by
    name and plan) that some derivations are made from; `beside` gives the files and folders of a
    bundle that has these variants, each with its list as `sources`.

    # Type

    ```
    makeExtras :: { kernel :: Kernel; root :: Path; packageSet :: PackageSet; provenance :: AttrSet; }
      -> { card :: Derivation | Null; sourcesOf :: String -> Plan -> [Derivation] -> Derivation; beside :: { ${name} :: Derivation; } -> { ${path} :: StorePath; }; }
    ```
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

      python = pythonFiles.filesOf {
        inherit root;
        inherit (kernel) config;
      };

      card =
        if has "CARD.md" then
          packageSet.fillCard {
            kernel = general.name;
            template = paths.alone (root + "/CARD.md");
            pythonFiles = python;
            values = makeCardValues {
              inherit (kernel) config;
              variants = kernel.variants;
              benchmarks = optionals (has "benchmarks") (paths.filesBelow root "benchmarks");
            };
          }
        else
          null;

      # The kernel's own files by name, all else by its hash.
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
