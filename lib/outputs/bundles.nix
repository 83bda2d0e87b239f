# Bundles of a kernel's variants on one system, and the messages about variants that they lack.
{ values, messages, matrix, outputs, ... }:
let
  inherit (builtins) concatStringsSep filter length;
  inherit (values) attributes;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) listChoices throwProblem;
  inherit (matrix.ranking) selectBestVariants;
  inherit (matrix.variants) nameVariants;
  inherit (outputs.extras) makeExtras;
  inherit (outputs.notice) addNotice;

  problems = readCatalogue ./bundles.json;

  ofBackend = backend: filter (variant: variant.backend == backend);

  # A placeholder for a bundle without variants. Nix can list it; using its paths throws the message.
  # Every path throws by itself: Nix 2.8 reports an attribute that throws twice as "not a set".
  refuseBundle =
    { kernel, system, ... }:
    message:
    let
      inherit (kernel.config.general) name;
      refused = throw "${name} has no ${message}";
    in
    {
      type = "derivation";
      inherit name system;
      outputName = "out";
      drvPath = refused;
      outPath = refused;
    };

  # Each reason once, with the variants that it holds for.
  listReasons =
    variants:
    let
      byReason = builtins.groupBy (variant: variant.cannotBuild) (
        filter (variant: variant.cannotBuild != null) variants
      );
    in
    concatStringsSep "" (
      map (reason: "\n\n       ${toString (nameVariants byReason.${reason})}: ${reason}") (
        builtins.attrNames byReason
      )
    );

  # The bundle of `chosen`, a part of `variants`. If `chosen` is empty, a placeholder that throws the reason.
  makeBundle =
    { kernel, system, ... }@context:
    bundleOf: noun: variants: chosen:
    let
      bundled = filter (variant: variant.bundle) variants;
      refuse = refuseBundle context;
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

  # The bundle of all bundled variants that can be built. Nix prints the notice when it instantiates the bundle.
  makeFullBundle =
    kernel: makeOne: noun: variants:
    let
      bundled = filter (variant: variant.bundle) variants;
      buildable = filter (variant: variant.cannotBuild == null) bundled;
      bundle = makeOne noun variants buildable;
    in
    if buildable == [ ] || length buildable == length bundled then
      bundle
    else
      addNotice "left out of ${kernel}:${listReasons bundled}" bundle;
in
{
  /**
    The bundles of a kernel on one system. `bundle` has all bundled variants, and `ci` has the best variant
    of each backend; `backendBundle` and `backendCi` are the same for one backend each. `bundleOf` builds a bundle from
    names of variants, and `contentsOf` a path that refers to everything that was compiled for it. `findingsOf` has the
    findings of variants, and those of the steps with some hashes of failed variants. `wheelsOf` makes a folder with
    the wheels of variants, and `wheels` has those of all bundled ones, and each variant's wheel as an attribute.

    Building a bundle prints a notice about each variant that it lacks, with the reason.

    Type: makeBundles :: Context -> [Output] -> { bundle, ci, contents :: Derivation; backendBundle, backendCi :: {
      ${backend} :: Derivation; }; bundleOf, contentsOf, wheelsOf :: [String] -> Derivation; findingsOf :: [String]
      -> { failed, hashes :: [String]; } -> Derivation; wheels, card :: Derivation | Null; }
  */
  makeBundles =
    { kernel, packageSet, system, ... }@context:
    variants:
    let
      inherit (kernel.config) general;
      byVariant = attributes.byName (variant: variant) variants;
      bundled = filter (variant: variant.bundle && variant.cannotBuild == null) variants;
      extras = makeExtras context;
      select =
        names:
        attributes.generate names (
          name:
          byVariant.${name}.build or (throwProblem "${general.name} has no such variant" (
            problems.unknown-variant {
              inherit name;
              reasons = concatStringsSep "" (
                map (reason: ": ${reason.found}") (
                  filter (reason: builtins.elem name reason.names) (kernel.leftOut system)
                )
              );
              choices = listChoices (nameVariants variants);
            }
          ))
        );
      bundleOf =
        names:
        packageSet.buildBundle {
          kernel = general.name;
          variants = select names;
          extras = extras.listFiles (select names);
        };
      contentsOf =
        names:
        packageSet.listContents {
          kernel = general.name;
          steps = builtins.concatMap (variant: [ variant ] ++ variant.steps ++ variant.objects) (
            builtins.attrValues (select names)
          );
          bundle = bundleOf names;
        };
      wheelsOf =
        names:
        packageSet.buildWheelIndex {
          kernel = general.name;
          distribution = general.python-name;
          wheels = map (variant: {
            described = variant.wheelNames;
            wheel = variant.builtWheel;
          }) (filter (variant: builtins.elem variant.name names) variants);
        };
      makeOne = makeBundle context bundleOf;
      makeFull = makeFullBundle general.name makeOne;
      bundle = makeFull "variant" variants;
      best = selectBestVariants bundled;
      backends = filter (backend: ofBackend backend variants != [ ]) general.backends;
    in
    {
      inherit bundle bundleOf contentsOf wheelsOf;
      findingsOf =
        names:
        { failed, hashes }:
        packageSet.buildBundle {
          kernel = "${general.name}-findings";
          variants = { };
          extras."findings/all.json" = packageSet.mergeFindings {
            kernel = general.name;
            variants =
              builtins.mapAttrs (_: build: build.findings) (select names)
              // builtins.mapAttrs (_: build: build.findingsOf hashes) (select failed);
          };
        };
      inherit (extras) card;
      contents = contentsOf (nameVariants bundled);
      wheels =
        (if bundled == [ ] then bundle else wheelsOf (nameVariants bundled))
        // attributes.byName (variant: variant.builtWheel) variants;
      ci = makeOne "variant" variants best;
      backendBundle = attributes.generate backends (
        backend: makeFull "variant for ${backend}" (ofBackend backend variants)
      );
      backendCi = attributes.generate backends (
        backend:
        makeOne "variant for ${backend}" (ofBackend backend variants) (ofBackend backend best)
      );
    };
}
