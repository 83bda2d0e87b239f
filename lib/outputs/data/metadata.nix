# What metadata.json says of a variant, but for the name that only its build knows.
{ values, config, matrix, ... }:
let
  inherit (builtins) sort;
  inherit (values.attributes) optionalAttrs;
  inherit (config) dependencies;
  inherit (matrix.variants) listVariantTargets;

  stated = name: value: optionalAttrs (value != null) { ${name} = value; };
in
{
  /**
    The keys are those that the public client reads.

    # Type

    ```
    makeMetadata :: { config :: Config; variant :: Variant; } -> AttrSet
    ```
  */
  makeMetadata =
    { config, variant }:
    let
      inherit (config) general;
      depends = dependencies.of config variant.backend;
      # All that any component of it was compiled for.
      targets = sort (a: b: a < b) (listVariantTargets variant);
    in
    {
      inherit (general) name;
      # A signature of the metadata binds the variant's name with it.
      variant = variant.name;
      # The public client refuses metadata without these two.
      version = if general.version == null then 1 else general.version;
      license = if general.license == null then "unknown" else general.license;
      inherit (depends) python-depends;
      backend = {
        type = variant.backend;
      }
      // optionalAttrs (targets != [ ]) { archs = targets; };
    }
    # Made for a few targets to be tried: it is not to be published.
    // stated "partial" (variant.partial or null)
    // stated "upstream" general.upstream
    // stated "source" general.source
    // optionalAttrs (depends.kernel-depends != [ ]) { inherit (depends) kernel-depends; };
}
