# The manifest that the command line reads: a kernel's variants, with derivations of the requested ones.
{ values, messages, config, matrix, plan, outputs, ... }:
let
  inherit (builtins) any elem filter;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (values.paths) placeOf;
  inherit (messages.check) renderProblems;
  inherit (matrix.variants) nameVariants;
  inherit (outputs.versions) listRegistryRows;

  outline = derivation: { drv = derivation.drvPath; out = derivation.outPath; };
in
{
  /**
    `manifest` has the derivations of all variants. `manifestOf` has those of the requested ones:
    variants with these names, and bundled variants of these backends. Without names and backends all bundled variants
    are requested, or all partial ones if there are any. A requested variant has `drv` and `out`, or `unavailable` if it
    cannot be built. `bundle` is the bundle of the requested variants that can be built, or null. `bundled` names the
    bundled variants of all systems. `leftOut` has the reasons why the kernel does not have other variants. `place` is
    the folder of build.toml within the flake's repository. For `check-config`, `manifest` has warnings for publishers,
    and the `absent` files that includes may mean. `here` is the record of `makeKernelOutputs`.

    Type: makeManifests :: AttrSet -> { manifest :: AttrSet; manifestOf :: { names, backends :: [String]; } -> AttrSet; }
  */
  makeManifests =
    here:
    let
      inherit (here) kernel system local available;
      inherit (kernel.config) general;
      inherit (available) isBuildable;

      # `reports` are files beside the objects that say whether a unit compiled with lean or full headers of Torch.
      # `reporting` are the outputs of steps with what these warn about.
      # `whole` has the units that one call compiles for all targets, each with the option that causes this.
      # `importedWith` has the Torch with which a variant was imported that is published for every Torch.
      describeBuild =
        variant:
        let
          build = here.redistributable.${variant.name};
          isWhole = unit: unit.device != null && unit.device.whole != null;
          hasOthers = any (row: row.torch != variant.torch) (listRegistryRows variant);
          others = if hasOthers then "; others: nix run .#versionChecks.${variant.name}" else "";
        in
        outline build
        // {
          reports = map (object: "${object.report}") (
            filter (object: object ? report) (build.objects or [ ])
          );
          inherit (build) reporting;
          whole = map (unit: "${unit.source} (${unit.device.whole})") (filter isWhole variant.plan.units);
          importedWith = optionals (!variant.compiled && available.importObstacle variant == null) [
            "Torch ${variant.torch} alone${others}"
          ];
        };
      entry =
        isRequested: variant:
        {
          inherit (variant) name backend torch compute bundle hosts warnings;
          asked = isRequested variant;
          partial = variant.partial or [ ];
          notImported = available.importObstacle variant;
        }
        // (
          if !isBuildable variant then
            { unavailable = available.obstacle variant; }
          else
            optionalAttrs (isRequested variant) (describeBuild variant)
        );
      manifestFor = isRequested: {
        inherit (general) name version;
        inherit system;
        place = placeOf here.options.path;
        hub = { inherit (general.hub) repo-id branch; };
        warnings = map (warning: renderProblems [ warning ]) kernel.config.warnings;
        variants = map (entry isRequested) local;
        bundled = nameVariants (filter (variant: variant.bundle) kernel.variants);
        leftOut = kernel.leftOut system;
      };
    in
    {
      manifest = manifestFor (_: true) // {
        publishing =
          config.publishing.listPublishingWarnings { root = here.options.path; inherit (kernel) config; }
          ++ config.publishing.listUnlistedSources { root = here.options.path; inherit (kernel) config graph; };
        absent = plan.includeGraph.listAbsentFiles { inherit (kernel) config graph; };
      };
      manifestOf =
        { names, backends }:
        let
          isPartial = variant: variant ? partial;
          isDefault = if any isPartial local then isPartial else _: true;
          isRequested =
            variant:
            elem variant.name names
            || variant.bundle
              && (if names ++ backends == [ ] then isDefault variant else elem variant.backend backends);
          requested = filter (variant: isRequested variant && isBuildable variant) local;
        in
        manifestFor isRequested
        // {
          bundle = if requested == [ ] then null else outline (here.bundleOf (nameVariants requested));
        };
    };
}
