# The content of a variant's metadata.json, except for the extension's name, which only its build
# knows.
{ values, config, matrix, ... }:
let
  inherit (builtins) lessThan sort;
  inherit (values.attributes) optionalAttrs;
  inherit (config) dependencies;

  unlessNull = name: value: optionalAttrs (value != null) { ${name} = value; };

  # 0.14.0 is the first release of the `kernels` client that reads metadata.json, and 0.17.0 the first that
  # loads the kernels in `kernel-depends`. The client requires versions of three numbers. Older clients ignore
  # the key.
  oldestClient = kernelDepends: if kernelDepends == [ ] then "0.14.0" else "0.17.0";
in
{
  /**
    The metadata, with the keys that the `kernels` client reads.

    Type: makeMetadata :: { config :: Config; variant :: Variant; } -> AttrSet
  */
  makeMetadata =
    { config, variant }:
    let
      inherit (config) general;
      depends = dependencies.of config variant.backend;
      targets = sort lessThan (matrix.variants.listVariantTargets variant);
      hasCodeForTorch = variant.compiled && config.framework.isOfTorch;
    in
    {
      inherit (general) name version;
      # Signed metadata has the variant's name, so that a variant cannot be passed off as another.
      variant = variant.name;
      # The `kernels` client refuses metadata without a license.
      license = if general.license == null then "unknown" else general.license;
      kernels-minver = oldestClient depends.kernel-depends;
      inherit (depends) python-depends;
      backend = { type = variant.backend; }
      // optionalAttrs (targets != [ ]) { archs = targets; };
    }
    # A variant that is compiled for a few targets only is for trials, so `upload` refuses it.
    // unlessNull "partial" (variant.partial or null)
    # Users of the Hub do not have a pre-release or the wheel that the kernel's flake names, so `upload` refuses the variant.
    // optionalAttrs ((variant ? wheel || variant ? pre) && hasCodeForTorch) {
      torch-wheel = variant.wheel.pin.file or matrix.origins.torchPins.${variant.torchBuild}.${variant.system}.file;
    }
    # It refuses a variant, too, whose Torch depends on the machine: a published build follows from its sources alone.
    // optionalAttrs (variant ? insteadOf) {
      torch-wheel = "Torch ${variant.torch} instead of ${variant.insteadOf}";
    }
    // unlessNull "upstream" general.upstream
    // unlessNull "source" general.source
    // optionalAttrs (depends.kernel-depends != [ ]) { inherit (depends) kernel-depends; };
}
