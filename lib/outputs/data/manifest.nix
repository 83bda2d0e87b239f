# The manifest that the command line reads: a kernel's variants, with derivations of the requested ones.
{
  values,
  messages,
  config,
  matrix,
  plan,
  ...
}:
let
  inherit (builtins) any elem filter;
  inherit (values.attributes) optionalAttrs;
  inherit (matrix.variants) nameVariants;
in
{
  /**
    `manifest` has the derivations of all variants. `manifestOf` has those of the requested ones: variants with
    these names, and bundled variants of these backends. Without names and backends all bundled variants are
    requested, or all partial ones if there are any. A requested variant has `drv` and `out`, or `unavailable` if it
    cannot be built. `identity` is the part of its metadata that follows from its inputs. `bundle` is the bundle of
    the requested variants that can be built, or null. `bundled` names the bundled variants of all systems.
    `leftOut` has the reasons why the kernel does not have other variants. `place` is the folder of build.toml
    within the flake's repository. For `check-config`, `manifest` has warnings for publishers, and the `absent`
    files that includes may mean.

    Type: makeManifests :: Context -> [Output] -> ([String] -> Derivation) -> { manifest :: AttrSet; manifestOf :: {
      names, backends :: [String]; } -> AttrSet; }
  */
  makeManifests =
    {
      kernel,
      options,
      system,
      ...
    }:
    variants: bundleOf:
    let
      inherit (kernel.config) general;
      root = options.path;

      describe =
        isRequested: variant:
        variant.entry
        // { asked = isRequested variant; }
        // (
          if variant.cannotBuild != null then
            { unavailable = variant.cannotBuild; }
          else
            optionalAttrs (isRequested variant) variant.buildEntry
        );
      manifestFor = isRequested: {
        inherit (general) name version;
        inherit system;
        place = values.paths.placeOf root;
        hub = {
          inherit (general.hub) repo-id branch;
        };
        warnings = map (warning: messages.check.renderProblems [ warning ]) kernel.config.warnings;
        variants = map (describe isRequested) variants;
        bundled = nameVariants (filter (variant: variant.bundle) kernel.variants);
        leftOut = kernel.leftOut system;
      };
      unlisted = config.publishing.listUnlistedSources {
        inherit root;
        inherit (kernel) config graph;
      };
    in
    {
      manifest = manifestFor (_: true) // {
        publishing =
          config.publishing.listPublishingWarnings {
            inherit root;
            inherit (kernel) config;
          }
          ++ unlisted;
        absent = plan.includeGraph.listAbsentFiles { inherit (kernel) config graph; };
      };
      manifestOf =
        { names, backends }:
        let
          isPartial = variant: variant ? partial;
          isDefault = if any isPartial variants then isPartial else _: true;
          isRequested =
            variant:
            elem variant.name names
            ||
              variant.bundle
              && (if names ++ backends == [ ] then isDefault variant else elem variant.backend backends);
          requested = filter (variant: isRequested variant && variant.cannotBuild == null) variants;
          bundle = bundleOf (nameVariants requested);
        in
        manifestFor isRequested
        // {
          unlisted = map ({ at, found, ... }: "${at}: ${found}") unlisted;
          bundle =
            if requested == [ ] then
              null
            else
              {
                drv = bundle.drvPath;
                out = bundle.outPath;
              };
        };
    };
}
