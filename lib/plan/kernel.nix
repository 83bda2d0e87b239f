# All that is known of a kernel before there is a package set.
{ messages, config, matrix, plan, ... }:
let
  inherit (messages.check) throwProblems;
  inherit (config) buildToml;
  inherit (config.dependencies) addDependencies;
  inherit (matrix.bounds) checkBounds;
  inherit (matrix.narrowing) narrowVariants;
  inherit (matrix.torchBuilds) readRows;
  inherit (matrix.variants) listVariants;
  inherit (plan.includeGraph) makeKernelGraph;
  inherit (plan.variant) planVariant;
in
{
  /**
    The variants of the kernel in `root`, on every system, each with its `plan`. `brought` are the names that
    `depends` may use beside those of the table: what the kernel's flake adds. `precompiled` says whether
    units have headers of Torch precompiled: see `choosePrecompiledHeaders`.

    # Type

    ```
    readKernel :: { root :: Path; torchVersions :: [Row] -> [Row]; brought :: [String]; precompiled :: Bool | Null; } -> Kernel
    ```

    # Errors

    All problems of build.toml, or all of the list of Torch versions, at once; that the two admit no
    variant.
  */
  readKernel =
    {
      root,
      torchVersions,
      brought,
      precompiled ? null,
    }:
    let
      read = buildToml.readConfig {
        inherit root;
        dependencies = addDependencies brought;
      };
      graph = makeKernelGraph {
        inherit root;
        config = read;
      };
      all = listVariants {
        config = read;
        matrix = readRows { inherit torchVersions; };
      };
      problems = checkBounds {
        config = read;
        variants = all;
      };
      planned = planVariant {
        config = read;
        inherit graph precompiled;
      };
      kernelOf = variants: {
        config = read;
        inherit graph;
        variants = map (variant: variant // { plan = planned variant; }) variants;
        # The same for a few targets alone.
        narrowedTo = asked: kernelOf (narrowVariants { inherit variants asked; });
      };
    in
    kernelOf (throwProblems "${read.general.name} has no variant" problems all);
}
