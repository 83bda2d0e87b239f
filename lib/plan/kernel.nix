# A kernel as data: everything that is known without a package set.
{ messages, config, matrix, plan, ... }:
let
  inherit (builtins) elem filter head;
  inherit (messages.check) throwProblems;
  inherit (config) buildToml;
  inherit (config.kernelLocks) readKernelLocks;
  inherit (matrix.bounds) checkBounds;
  inherit (matrix.decisions) decideRows;
  inherit (matrix.exclusions) listMissingBackends listReasons;
  inherit (matrix.narrowing) narrowVariants;
  inherit (matrix.ownWheel) makeWheels;
  inherit (matrix.torchBuilds) readRows;
  inherit (plan.findings) listFindings;
  inherit (plan.includeGraph) makeKernelGraph;
  inherit (plan.sections) extendSections;
  inherit (plan.variant) planVariant;
in
{
  /**
    The kernel in `root`, with its variants on every system and their plans. `brought` are names for
    `depends` that the kernel's flake adds. `precompiled` says which units use a precompiled header of
    Torch: see `choosePrecompiledHeaders`.

    Type: readKernel :: { root :: Path; torchVersions :: [Row] -> [Row]; brought :: [String];
      precompiled :: Bool | Null; } -> Kernel

    # Errors

    build.toml or the list of Torch versions has problems, or no variant is left.
  */
  readKernel =
    { root, torchVersions, brought, precompiled ? null }:
    let
      config = buildToml.readConfig { inherit root brought; };
      graph = makeKernelGraph { inherit root config; };
      rows = readRows { inherit torchVersions; };
      decide =
        matrix:
        decideRows {
          config = config // { sections = extendSections graph config.sections; };
          inherit matrix;
        };
      decided = decide rows;
      excluded = { inherit config; inherit (decided) rows; };
      problems = checkBounds { inherit config; inherit (decided) variants; };
      findings = listFindings { inherit root config graph; };
      planned = planVariant { inherit config graph precompiled; };
      kernelOf = variants: {
        config = config // { warnings = config.warnings ++ listMissingBackends excluded ++ findings; };
        inherit graph;
        leftOut = listReasons excluded;
        wheels = makeWheels rows;
        locks = readKernelLocks root;
        variants = map (variant: variant // { plan = planned variant; }) variants;
        # The same kernel, compiled for the requested targets alone.
        narrowedTo = requested: kernelOf (narrowVariants { inherit variants requested; });
        # The same kernel on a machine that lacks the wheels of some releases of Torch, by the names of variants. A
        # variant without another release stays as it is.
        withoutTorch =
          lacking:
          let
            replace =
              variant:
              let
                isHad = choice: !elem choice.torch lacking.${variant.name} or [ ];
                left = filter isHad variant.choices or [ ];
              in
              if left == [ ] || isHad variant then
                variant
              else
                head left // { inherit (variant) choices; insteadOf = variant.torch; };
          in
          kernelOf (map replace variants);
        # The same kernel, built with the Torch of this row alone. It may have no variant.
        builtWith = row: kernelOf (decide [ row ]).variants;
      };
    in
    kernelOf (throwProblems "${config.general.name} has no variant" problems decided.variants);
}
