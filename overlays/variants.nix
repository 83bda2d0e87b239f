# The package set of each variant (`forPlan`), with the Torch and toolkit of the variant. Variants share
# all other packages.
foundations:
let
  # Evaluated once for all variants. Only the names are read here.
  foundationNames = builtins.foldl' (names: group: names // group { } { }) { } foundations;
in
base: _: {
  # The release of a variant's toolkit, and the packages of the toolkit by their names in plans.
  toolkit = null;
  toolkitPackages = { };

  forPlan =
    plan:
    base.extend (
      _: _:
      builtins.intersectAttrs foundationNames base
      // {
        inherit (plan) toolkit;
        torch = base.torchWheel plan.torchBuild;
        toolkitPackages = base.backends.${plan.backend}.toolkitPackages { inherit (plan) toolkit ptxas; };
      }
      // base.otherPythons.${toString (base.wheelPython plan.torchBuild)} or { }
      // base.lib.values.attributes.optionalAttrs (base.buildSet.system != base.system) {
        buildSet = base.buildSet.forPlan plan;
      }
    );
}
