# The order of the package set: a package takes those of its own group and of groups before it.
# What is in a group is what its folder holds, see group.nix.
#
# `build` is the set of the machine that builds where the kernels are for another one, else null; `system` is that of the kernels.
{
  build,
  lib,
  system,
}:
let
  # They know nothing of a variant.
  foundations = map (import ./group.nix) [
    ../pkgs/bootstrap # busybox, and how a step is built with it
    ../pkgs/sources # how files are fetched, Debian's packages, and pip, which fetches the rest
    ../pkgs/toolchain # the compiler and what it runs with
    ../pkgs/python # Python, wheels, environments of them
    ../pkgs/torch # Torch, and headers in the place of its own
    ../pkgs/tvm-ffi # TVM FFI
  ]
  ++ (
    if lib.backends.systems.isDarwin system then
      [
        (import ./group.nix ../pkgs/darwin) # what is in the place of some of these on macOS
        (import ./darwin.nix)
      ]
    else
      [ ]
  )
  ++ (
    if build == null then
      [ ]
    else
      [
        (import ./group.nix ../pkgs/cross) # what is in the place of some of these
        (import ./cross.nix build)
      ]
  );
in
foundations
++ map (import ./group.nix) [
  ../pkgs/compile # objects of units, and what they are linked to
  ../pkgs/cpu # how kernels for the processor are built
  ../pkgs/cuda # the same for NVIDIA GPUs: toolkits, headers, units with device code
  ../pkgs/rocm # the same for AMD GPUs
  ../pkgs/xpu # the same for Intel GPUs
  ../pkgs/metal # the same for Apple GPUs
  ../pkgs/checks # what a variant has to pass before it is one
  ../pkgs/kernel # variants, bundles, and what is published beside them
  ../pkgs/author # what authors work with: shells, tests, tools
]
++ [ (import ./variants.nix foundations) ]
