# What the command line reads of a kernel: its variants, and of those that it asks for where they are built.
{ values, messages, ... }:
let
  inherit (builtins) any elem filter;
  inherit (values.attributes) optionalAttrs;
  inherit (messages.check) renderProblems;

  namesOf = map (variant: variant.name);
  outline = derivation: {
    drv = derivation.drvPath;
    out = derivation.outPath;
  };
in
{
  /**
    `local` are the kernel's variants on `system`, `available` tells of them (`availabilityOf`);
    `redistributable` has their builds, `bundleOf` makes one of some.

    `manifestOf` is for the variants of these names and backends, of no backend that bundles do not have; both
    empty means all that bundles have, or those of them that are partial if some are. `bundle` is theirs, as far as they
    can be built here, or null. A variant that can be has `drv` and `out` if it was asked for; any other has
    `unavailable`. `manifest` is for all.

    # Type

    ```
    makeManifests :: {
      kernel :: Kernel; system :: String; local :: [Variant]; available :: AttrSet;
      redistributable :: { ${name} :: Derivation; }; bundleOf :: [String] -> Derivation;
    } -> { manifest :: AttrSet; manifestOf :: { names :: [String]; backends :: [String]; } -> AttrSet; }
    ```
  */
  makeManifests =
    {
      kernel,
      system,
      local,
      available,
      redistributable,
      bundleOf,
    }:
    let
      inherit (kernel.config) general framework;
      isBuildable = variant: available.obstacle variant == null;

      entry =
        isAsked: variant:
        {
          inherit (variant)
            name
            backend
            torch
            compute
            bundle
            hosts
            warnings
            ;
          asked = isAsked variant;
          partial = variant.partial or [ ];
          notImported = available.importObstacle variant;
        }
        // (
          if !isBuildable variant then
            { unavailable = available.obstacle variant; }
          else
            optionalAttrs (isAsked variant) (outline redistributable.${variant.name})
        );
      manifestFor = isAsked: {
        inherit (general) name version;
        inherit system;
        pythonFolder = "${framework.folder}/${general.python-name}";
        hub = {
          inherit (general.hub) repo-id branch;
        };
        warnings = map (warning: renderProblems [ warning ]) kernel.config.warnings;
        variants = map (entry isAsked) local;
      };
    in
    {
      manifest = manifestFor (_: true);
      manifestOf =
        { names, backends }:
        let
          isPartial = variant: variant ? partial;
          isOfAll = if any isPartial local then isPartial else _: true;
          isAsked =
            variant:
            elem variant.name names
            || variant.bundle && (if names ++ backends == [ ] then isOfAll variant else elem variant.backend backends);
          asked = filter (variant: isAsked variant && isBuildable variant) local;
        in
        manifestFor isAsked
        // {
          bundle = if asked == [ ] then null else outline (bundleOf (namesOf asked));
        };
    };
}
