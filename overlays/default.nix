# The order of the package set: a package takes packages of its own group and of groups before it.
# The entries of a group's folder are its packages, see group.nix.
#
# `system` is the system of the kernels. `build` is the package set of the build machine if that has another system,
# else null.
{ build, lib, system }:
let
  inherit (builtins) attrValues filter;
  inherit (lib.values.lists) optionals;
  isDarwin = lib.platforms.systems.isDarwin system;
  group = folder: import ./group.nix { inherit folder; };
  groupOfBackend =
    backend:
    import ./group.nix { folder = backend.packageFolder; prefix = "${backend.name}-"; };

  # These packages do not depend on a variant.
  foundations =
    map group [
      ../pkgs/bootstrap # busybox, and the step that builds everything else
      ../pkgs/sources # fetchers, Debian's packages, and pip, which fetches wheels
      ../pkgs/toolchain # the compiler and its runtime
      ../pkgs/python # Python, wheels, Python environments
      ../pkgs/torch # Torch, and lean headers that replace its own
      ../pkgs/tvm-ffi # TVM FFI
      ../pkgs/glibc # empty libraries that kernels are linked with instead of the C library
      ../pkgs/checks # checks that a variant has to pass
    ]
    ++ optionals (isDarwin && build == null) [
      (group ../pkgs/darwin) # replacements for some packages on macOS
      (import ./darwin.nix)
    ]
    ++ optionals (build != null) [
      (group ../pkgs/cross) # replacements for some packages if the build machine has another system
      (import ./cross.nix build)
    ]
    ++ optionals (isDarwin && build != null) [ (import ./cross-darwin.nix build) ];
in
foundations
++ [ (group ../pkgs/compile) ] # objects of units, and the libraries that they are linked with
++ map groupOfBackend (filter (backend: backend.packageFolder != null) (attrValues lib.backends.all))
++ map group [
  ../pkgs/kernel # variants, bundles, and the files published with them
  ../pkgs/author # shells, tests and tools for authors
  ../pkgs/porting # what `init --from` asks of a project
]
++ [ (import ./variants.nix foundations) ]
