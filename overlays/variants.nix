# What differs between variants: the set with the Torch and the toolkit of one of them. All
# else is shared.
foundations:
let
  # Taken as they are, they are evaluated once for all variants. Only their names are read here.
  foundationNames = builtins.foldl' (names: group: names // group { } { }) { } foundations;
in
base: _: {
  # Those whose kernels this set can build: `backends.NAME` is the package `NAME-backend`.
  backends = builtins.listToAttrs (
    builtins.filter (backend: backend.value != null) (
      map (name: {
        inherit name;
        value = base."${name}Backend" or null;
      }) (builtins.attrNames base.lib.backends.all)
    )
  );

  # The release of a variant's toolkit, and what it gives by the names that plans have for it.
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
        toolkitPackages =
          if base.backends ? ${plan.backend} then
            base.backends.${plan.backend}.toolkitPackages { inherit (plan) toolkit ptxas; }
          else
            { };
      }
      // (
        if base.buildSet.system == base.system then
          { }
        else
          { buildSet = base.buildSet.forPlan plan; }
      )
    );
}
