# Bundles of a kernel's variants on one system, and the messages about variants that they lack.
{ values, matrix, outputs, ... }:
let
  inherit (builtins)
    all
    attrNames
    concatStringsSep
    filter
    groupBy
    ;
  inherit (values) attributes;
  inherit (matrix.ranking) selectBestVariants;
  inherit (matrix.variants) nameVariants;
  inherit (outputs.notice) addNotice;

  isBundled = variant: variant.bundle;
  ofBackend = backend: filter (variant: variant.backend == backend);

  # A placeholder for a bundle without variants. Nix can list it; using its paths throws the message.
  # Every path throws by itself: Nix 2.8 reports an attribute that throws twice as "not a set".
  refuseBundle =
    { name, system }:
    message:
    let
      refused = throw "${name} has no ${message}";
    in
    {
      type = "derivation";
      inherit name system;
      outputName = "out";
      drvPath = refused;
      outPath = refused;
    };
in
{
  /**
    The bundles of a kernel on `system`. `bundle` has all bundled variants, and `ci` has the best variant
    of each backend; `backendBundle` and `backendCi` are the same for one backend each. `local` are the
    kernel's variants on the system, `available` describes them (`describeAvailability`), and
    `bundleOf` builds a bundle from names of variants.

    Building a bundle prints a notice about each variant that it lacks, with the reason.

    Type: makeBundles :: { kernel :: Kernel; system :: String; local :: [Variant]; available :: AttrSet;
      bundleOf :: [String] -> Derivation; } -> { bundle, ci :: Derivation; backendBundle, backendCi :: {
      ${backend} :: Derivation; }; }
  */
  makeBundles =
    {
      kernel,
      system,
      local,
      available,
      bundleOf,
    }:
    let
      inherit (kernel.config) general;
      inherit (available) isBuildable obstacle;

      # Each reason once, with the variants that it holds for.
      listReasons =
        variants:
        let
          byReason = groupBy obstacle (filter (variant: !isBuildable variant) variants);
        in
        concatStringsSep "" (
          map (reason: "\n\n       ${toString (nameVariants byReason.${reason})}: ${reason}") (attrNames byReason)
        );

      # The bundle of `chosen`, a part of `variants`. If `chosen` is empty, a placeholder that throws the reason.
      makeBundle =
        noun: variants: chosen:
        let
          bundled = filter isBundled variants;
          refuse = refuseBundle {
            inherit (general) name;
            inherit system;
          };
        in
        if chosen != [ ] then
          bundleOf (nameVariants chosen)
        else if bundled != [ ] then
          refuse "${noun} that can be built on ${system}${listReasons bundled}"
        else if variants != [ ] then
          refuse "${noun} that bundles have on ${system}; built by name: ${toString (nameVariants variants)}"
        else
          refuse "${noun} on ${system}; its variants: ${toString (nameVariants kernel.variants)}${
            concatStringsSep "" (map (reason: "\n\n       ${reason.found}") (kernel.leftOut system))
          }";

      # Nix prints the notice when it instantiates the bundle.
      makeFullBundle =
        noun: variants:
        let
          bundled = filter isBundled variants;
          buildable = filter isBuildable bundled;
          bundle = makeBundle noun variants buildable;
        in
        if buildable == [ ] || all isBuildable bundled then
          bundle
        else
          addNotice "left out of ${general.name}:${listReasons bundled}" bundle;

      best = selectBestVariants {
        variants = filter (variant: isBundled variant && isBuildable variant) local;
        inherit system;
      };
      backends = filter (backend: ofBackend backend local != [ ]) general.backends;
    in
    {
      bundle = makeFullBundle "variant" local;
      ci = makeBundle "variant" local best;
      backendBundle = attributes.generate backends (
        backend: makeFullBundle "variant for ${backend}" (ofBackend backend local)
      );
      backendCi = attributes.generate backends (
        backend: makeBundle "variant for ${backend}" (ofBackend backend local) (ofBackend backend best)
      );
    };
}
