# What differs between variants: the set with the Torch and the toolkit of one of them. All
# else is shared.
let
  # They know nothing of a variant. Taken as they are, they are evaluated once for all variants.
  foundations = [
    ./seed.nix
    ./fetchers.nix
    ./toolchain.nix
    ./python.nix
    ./torch.nix
  ];
  # Only the names of what they define are read here.
  foundationNames = builtins.foldl' (names: file: names // import file { } { }) { } foundations;
in
base: _: {
  # The backends whose compilers are in this set.
  builtBackends = [
    "cpu"
    "cuda"
  ];

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
