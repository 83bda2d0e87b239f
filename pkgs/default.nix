# The package set: overlays folded over a small base; a later one wins.
#
# A package is a function of the names it needs. `callPackage` reads them off the
# function's own argument list, so that list is the package's complete list of
# dependencies, and a name that is missing is an error here and not in a build.
{ system, lib, overlays }:
let
  callPackageFrom =
    final: file: overrides:
    let
      function = import file;
      wanted = builtins.functionArgs function;
      arguments = builtins.intersectAttrs wanted final // overrides;
      missing = builtins.filter (name: !wanted.${name} && !(arguments ? ${name})) (builtins.attrNames wanted);
    in
    if missing == [ ] then
      function arguments
    else
      (import ./bootstrap/refuse.nix { inherit lib; } ./problems.json).missing { file = toString file; inherit missing; };

  # `layers` is kept in the set's closure so that `extend` can put one more on
  # top: a variant gets its own Torch and shares every other package.
  close =
    layers:
    let
      base = {
        inherit system lib;
        # The package set of the build machine: this set, unless an overlay replaces it.
        buildSet = final;
        callPackage = callPackageFrom final;
        extend = layer: close (layers ++ [ layer ]);
      };
      final = builtins.foldl' (previous: layer: previous // layer final previous) base layers;
    in
    final;
in
close overlays
