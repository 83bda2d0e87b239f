# What differs between variants: the set with the Torch and the toolkit of one of them. All
# else is shared.
foundations:
let
  # Taken as they are, they are evaluated once for all variants. Only their names are read here.
  foundationNames = builtins.foldl' (names: group: names // group { } { }) { } foundations;
in
base: _: {
  forVariant =
    variant: torchBuild:
    base.extend (
      _: _:
      builtins.intersectAttrs foundationNames base
      // {
        torch = base.torchWheel torchBuild;
        cudaPackages = if variant.backend == "cuda" then base.cudaToolkit variant.toolkit else { };
      }
    );
}
