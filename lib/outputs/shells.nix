# The shells, tests and benchmarks of a kernel on one system, and the variants that those without a name of a variant use.
{
  values,
  backends,
  matrix,
  outputs,
  ...
}:
let
  inherit (builtins) filter head;
  inherit (values.attributes) byName optionalAttrs;
  inherit (values.lists) unique;
  inherit (matrix.ranking) sortVariants;
in
{
  /**
    `flakeShells` has the development shells that do not throw, because `nix flake check` evaluates them all.

    Type: makeShellOutputs :: Context -> [Output] -> AttrSet
  */
  makeShellOutputs =
    { kernel, packageSet, ... }:
    variants:
    let
      buildable = filter (variant: variant.cannotBuild == null) variants;
      isTestable = variant: variant.cannotTest == null;
      testable = sortVariants (filter isTestable buildable);
      untestable = sortVariants (filter (variant: !isTestable variant) buildable);
      ordered = testable ++ untestable;
      # A shell cannot look at the machine, so its default is a backend that every machine has,
      # if the kernel has one.
      default = head (
        filter (variant: backends.all.${variant.backend}.isEverywhere) testable ++ ordered
      );
      chooseProgram =
        program:
        { folder, field, output }:
        packageSet.chooseProgram {
          inherit program folder output;
          kernel = kernel.config.general.name;
          candidates = map (variant: {
            inherit (variant) name backend build;
            run = variant.${field};
          }) testable;
          untested = unique (map (variant: "${variant.backend}: ${variant.cannotTest}") untestable);
        };
      flakeShells =
        byName (variant: variant.devShell) buildable
        // optionalAttrs (buildable != [ ]) { default = default.defaultShell; }
        // optionalAttrs (testable != [ ]) { test = default.testShell; };
    in
    {
      inherit flakeShells;
      devShells = byName (variant: variant.devShell) variants // flakeShells;
      operatorChecks = byName (variant: variant.operatorCheck) (
        filter (variant: variant.operatorCheck != null) testable
      );
      # The command line takes the first variant that suits the machine.
      authorVariants = map (variant: variant.authorEntry) (
        ordered ++ filter (variant: variant.cannotBuild != null) variants
      );
    }
    // builtins.mapAttrs chooseProgram outputs.author.programs;
}
