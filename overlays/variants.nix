# What differs between variants: the set with the Torch and the toolkit of one of them. All
# else is shared.
final: _: {
  # The backends whose compilers are in this set.
  builtBackends = [
    "cpu"
    "cuda"
  ];

  forVariant =
    variant: torchBuild:
    final.extend (
      final: _: {
        torch = final.torchWheel torchBuild;
        cudaPackages = if variant.backend == "cuda" then final.cudaToolkit variant.toolkit else { };
      }
    );
}
