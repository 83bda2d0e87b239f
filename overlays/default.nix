# The order of the package set: each overlay may build on those before it.
map import [
  ./seed.nix # busybox, and how a step is built with it
  ./fetchers.nix # the three kinds of sources
  ./toolchain.nix # the compiler and what it runs with
  ./python.nix # Python, wheels, environments of them
  ./torch.nix # Torch
  ./cuda.nix # NVIDIA toolkits, and how a unit with device code is compiled
  ./kernels.nix # from a plan to objects, variants and bundles
  ./compliance.nix # what a variant is checked for
  ./shells.nix # what authors work with: shells, tests, tools
  ./variants.nix # the set of one variant
  ./checks.nix # smoke tests of the stages, the Python of the test suite
]
