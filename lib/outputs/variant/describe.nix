# The description of a variant, for `list-variants`, the manifest, and readers of its plan.
{
  values,
  messages,
  outputs,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    concatMap
    concatStringsSep
    filter
    replaceStrings
    ;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) renderProblems;
  inherit (outputs.versions) listRegistryRows;

  # The paragraph of `list-variants --explain`.
  writeText =
    details:
    let
      indent = replaceStrings [ "\n\n" "\n" ] [ "\n\n  " "\n  " ];
      words = concatStringsSep " ";
      line = name: value: optionals (value != null && value != "") [ "${name}: ${value}" ];
      section = title: text: [
        ""
        "${title}:"
        "  ${indent text}"
      ];
      backend = filter (word: word != null) [
        details.backend
        details.toolkit
      ];
      lines =
        line "backend" (words backend)
        ++ line "torch" (if details.compiled then details.torchVersion else null)
        ++ line "pre-release" (if details.pre == null then null else "upload refuses it, until Torch ${details.torch} is out")
        ++ line "stable ABI" details.stableAbi
        ++ line "sources" (concatStringsSep ", " details.hosts)
        ++ line "bundles" (if details.bundle then null else "no, built by its name")
        ++ line "partial" (words details.partial)
        ++ concatMap (of: line "component ${of.name}" (words of.targets)) details.components
        ++ concatMap (name: line name details.${name}) [
          "import"
          "shell"
          "tests"
        ]
        ++ concatMap (warning: section "warning" (renderProblems [ warning ])) details.warnings
        ++ optionals (details.unavailable != null) (section "cannot be built" details.unavailable);
    in
    indent (concatStringsSep "\n" ([ details.name ] ++ lines));

  # The components with their targets. Noarch variants have targets, but no sections.
  listComponents =
    { backend, targets, ... }@variant:
    let
      isListed = section: section.backend == backend || targets ? ${section.at};
    in
    map (section: {
      inherit (section) name;
      targets = targets.${section.at} or [ ];
    }) (filter isListed variant.sections)
    ++ optionals (!variant.compiled) (
      map (name: {
        inherit name;
        targets = targets.${name};
      }) (attrNames targets)
    );

  # The derivation that the manifest names, and what the command line tells about its build:
  # - `reports` are files beside the objects that say whether a unit compiled with lean or full headers of Torch;
  # - `reporting` are the outputs of steps with what these warn about;
  # - `whole` has the units that one call compiles for all targets, each with the option that causes this;
  # - `importedWith` has the Torch with which a variant was imported that is published for every Torch.
  describeBuild =
    output:
    let
      inherit (output) build torch;
      isWhole = unit: unit.device != null && unit.device.whole != null;
      hasOthers = any (row: row.torch != torch) (listRegistryRows output);
      otherVersions = if hasOthers then "; others: nix run .#versionChecks.${output.name}" else "";
    in
    {
      drv = build.drvPath;
      out = build.outPath;
      reports = map (object: "${object.report}") (filter (object: object ? report) build.objects);
      inherit (build) identity reporting;
      whole = map (unit: "${unit.source} (${unit.device.whole})") (filter isWhole output.plan.units);
      importedWith = optionals (!output.compiled && output.cannotImport == null) [
        "Torch ${torch} alone${otherVersions}"
      ];
    };
in
{
  /**
    - `details` is the data that `list-variants --explain` shows;
    - `explainedPlan` is the plan with `warnings`, `problems` and `unavailable`, also of a variant that cannot be built;
    - `entry` is in every manifest, `buildEntry` in those that request the variant, and `authorEntry` in the list for
      authors.

    Type: describeOutput :: Context -> Output -> { details, explainedPlan, entry, buildEntry, authorEntry :: AttrSet; }
  */
  describeOutput =
    { kernel, ... }@context:
    output:
    let
      # Releases that can build a variant, with the derivations of their wheels: those that are fetched have one.
      choices = optionalAttrs (output ? choices) {
        torches = map (variant: {
          inherit (variant) torch;
          wheel = (context.packageSet.torchWheel variant.torchBuild).source.drvPath or "";
        }) output.choices;
      };
      # "yes", or a short answer and the reason.
      answer =
        no: reason:
        if output.cannotBuild != null then
          "no: it cannot be built"
        else if reason != null then
          "${no}: ${reason}"
        else
          "yes";
      # The release of Torch, or the full version if it is another build than that of the release.
      release =
        if output.torchBuild == "${output.torch}+${output.compute}" then
          output.torch
        else
          output.torchBuild;
      details = {
        inherit (kernel.config.framework) isOfTorch;
        inherit (output)
          name
          backend
          torch
          toolkit
          compute
          stableAbi
          compiled
          bundle
          hosts
          warnings
          ;
        torchVersion = output.wheel.build or release;
        pre = output.pre or null;
        partial = output.partial or [ ];
        components = listComponents output;
        notImported = if output.cannotBuild != null then null else output.cannotImport;
        import = answer "no" output.cannotImport;
        shell = answer "compiles only" output.cannotTest;
        tests = answer "no" output.cannotTest;
        unavailable = output.cannotBuild;
      };
    in
    {
      details = details // {
        text = writeText details;
      };
      explainedPlan = output.plan // {
        inherit (output) problems warnings;
        unavailable = output.cannotBuild;
      };
      entry = {
        inherit (details)
          name
          backend
          torch
          compute
          bundle
          hosts
          warnings
          pre
          partial
          notImported
          ;
        insteadOf = output.insteadOf or null;
      };
      buildEntry = describeBuild output // choices;
      authorEntry = { inherit (output) name backend; } // choices;
    };
}
