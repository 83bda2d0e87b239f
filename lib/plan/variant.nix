# The plan of one variant: its units and its link. A plan is only data: builders turn it into derivations, CMake files
# and reports.
{ values, backends, platforms, matrix, plan, ... }:
let
  inherit (builtins) concatMap filter;
  inherit (values) paths;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) unique;
  inherit (platforms.systems) isDarwin;
  inherit (matrix.variants) listVariantTargets;
  inherit (plan.precompiledHeaders) choosePrecompiledHeaders;
  inherit (plan.sections) joinSections listSources;
  inherit (plan.link) planLink;
  inherit (plan.unit) generatedFolder planUnit;

  planUnits =
    { config, graph, backend, variant }:
    let
      order = backend.targets.inOrder or (targets: targets);
      # A section without its own targets gets the targets of all sections.
      targetsIn = variant: section: order (variant.targets.${section.at} or (listVariantTargets variant));
      whole = variant // { targets = variant.listed or variant.targets; };
      # `listed` are all targets also with --capability.
      addTargets =
        section: section // { targets = targetsIn variant section; listed = targetsIn whole section; };
      sources = listSources backend (map addTargets variant.sections);
      isEmbedded = { source, ... }: backend.languages.${paths.ending source}.isEmbedded;
      embeddable = map ({ source, ... }: source) (filter isEmbedded sources);
    in
    map (
      { source, sections }:
      let
        section = joinSections graph sections;
        # Once for each section, which may have hundreds of sources.
        inOrder = if builtins.length sections == 1 then targets: targets else order;
      in
      planUnit {
        inherit config backend variant embeddable;
        section = section // { targets = inOrder section.targets; listed = inOrder section.listed; };
      } source
    ) sources;
in
{
  /**
    The plan of a variant. The first argument is the same for all variants of a kernel; `precompiled` says
    where precompiled headers are used, as for `choosePrecompiledHeaders`.

    Type: planVariant :: { config :: Config; graph :: Graph; precompiled :: Bool | Null; } -> Variant -> Plan
  */
  planVariant =
    { config, graph, precompiled }:
    variant:
    let
      base = backends.all.${variant.backend};
      backend =
        base
        // optionalAttrs (isDarwin variant.system) base.onDarwin;
      units = choosePrecompiledHeaders precompiled (planUnits {
        inherit config graph backend variant;
      });
      seen = unique (concatMap (unit: unit.packages) units);
    in
    {
      inherit generatedFolder units;
      inherit (variant) backend compiled compute ptxas system toolkit torch torchBuild;
      inherit (backend) crossObstacle runtime;
      inherit (config.framework) isOfTorch;
      kernel = config.general.name;
      pythonName = config.general.python-name;
      variant = variant.name;
      framework = config.framework.name;
      inherit (config) pythonFolder;
      extensionPrefix = "_${config.general.python-name}_${variant.backend}_";
      torchIsAlone = isDarwin variant.system || backend.isEverywhere;
      link =
        if !variant.compiled || backend.linker == null then
          null
        else
          planLink {
            inherit backend seen variant;
            kernel = config.general.name;
            inherit (config) framework;
          };
    };
}
