# Bundles of a kernel's variants on one system, and the messages about variants that they lack.
{ values, messages, matrix, outputs, ... }:
let
  inherit (builtins) concatStringsSep filter;
  inherit (values) attributes;
  inherit (messages.check) listChoices throwProblem;
  inherit (matrix.ranking) selectBestVariants;
  inherit (matrix.variants) nameVariants;
  inherit (outputs.extras) makeExtras;
  inherit (outputs.notice) addNotice;

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
    { obstacle, isBuildable, ... }:
    variants:
    let
      byReason = builtins.groupBy obstacle (filter (variant: !isBuildable variant) variants);
    in
    concatStringsSep "" (
      map (reason: "\n\n       ${toString (nameVariants byReason.${reason})}: ${reason}") (builtins.attrNames byReason)
    );

  # The bundle of `chosen`, a part of `variants`. If `chosen` is empty, a placeholder that throws the reason.
  makeBundle =
    here: noun: variants: chosen:
    let
      inherit (here) kernel system;
      bundled = filter (variant: variant.bundle) variants;
      refuse = refuseBundle here;
    in
    if chosen != [ ] then
      here.bundleOf (nameVariants chosen)
    else if bundled != [ ] then
      refuse "${noun} that can be built on ${system}${listReasons here.available bundled}"
    else if variants != [ ] then
      refuse "${noun} that bundles have on ${system}; built by name: ${toString (nameVariants variants)}"
    else
      refuse "${noun} on ${system}; its variants: ${toString (nameVariants kernel.variants)}${
        concatStringsSep "" (map (reason: "\n\n       ${reason.found}") (kernel.leftOut system))
      }";

  # The bundle of all bundled variants that can be built. Nix prints the notice when it instantiates the bundle.
  makeFullBundle =
    here: noun: variants:
    let
      inherit (here.available) isBuildable;
      bundled = filter (variant: variant.bundle) variants;
      buildable = filter isBuildable bundled;
      bundle = makeBundle here noun variants buildable;
    in
    if buildable == [ ] || builtins.all isBuildable bundled then
      bundle
    else
      addNotice "left out of ${here.kernel.config.general.name}:${listReasons here.available bundled}" bundle;
in
{
  /**
    The bundles of a kernel on one system. `bundle` has all bundled variants, and `ci` has the best variant
    of each backend; `backendBundle` and `backendCi` are the same for one backend each. `bundleOf` builds a bundle from
    names of variants, and `contentsOf` a path that refers to everything that was compiled for it. `findingsOf` has the
    findings of variants, and those of the steps with some hashes of failed variants. `here` is the record of
    `makeKernelOutputs`.

    Building a bundle prints a notice about each variant that it lacks, with the reason.

    Type: makeBundles :: AttrSet -> { bundle, ci, contents :: Derivation; backendBundle, backendCi :: {
      ${backend} :: Derivation; }; bundleOf, contentsOf :: [String] -> Derivation; findingsOf :: [String] -> {
      failed, hashes :: [String]; } -> Derivation; card :: Derivation | Null; }
  */
  makeBundles =
    here:
    let
      inherit (here) kernel packageSet system local;
      inherit (kernel.config) general;
      extras = makeExtras here;
      select =
        names:
        attributes.generate names (
          name:
          here.redistributable.${name} or (throwProblem "${general.name} has no such variant" {
            at = "bundleOf";
            found = concatStringsSep ": " (
              [ (builtins.toJSON name) ]
              ++ map (reason: reason.found) (filter (reason: builtins.elem name reason.names) (kernel.leftOut system))
            );
            want = listChoices (nameVariants local);
            fix = "correct the name";
          })
        );
      bundleOf =
        names:
        packageSet.buildBundle {
          kernel = general.name;
          variants = select names;
          extras = extras.beside (select names);
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
      best = selectBestVariants { variants = here.bundled; inherit system; };
      backends = filter (backend: ofBackend backend local != [ ]) general.backends;
    in
    {
      inherit bundleOf contentsOf;
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
      contents = contentsOf (nameVariants here.bundled);
      bundle = makeFullBundle here "variant" local;
      ci = makeBundle here "variant" local best;
      backendBundle = attributes.generate backends (
        backend: makeFullBundle here "variant for ${backend}" (ofBackend backend local)
      );
      backendCi = attributes.generate backends (
        backend: makeBundle here "variant for ${backend}" (ofBackend backend local) (ofBackend backend best)
      );
    };
}
