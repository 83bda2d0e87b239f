# The packages that included names belong to.
#
# A unit sees only packages whose headers it includes, so a unit without Torch is the same object
# under every Torch. A unit that includes an unknown name sees all packages in its `depends`. If a
# package is left out by mistake, the compiler stops; no object can be stale.
{ values, backends, frameworks, config, ... }:
let
  inherit (builtins) any elem filter match;
  inherit (values.texts) hasPrefix hasSuffix;
  inherit (config) dependencies;

  # Headers of the toolchain and Python, of names for `depends`, and of the backends' toolkits.
  table =
    builtins.fromJSON (builtins.readFile ./table.json)
    // builtins.mapAttrs (_: dependency: {
      names = [ ];
      prefixes = dependency.headers;
      suffixes = [ ];
    }) dependencies.table.depends
    // builtins.foldl' (all: backend: all // backend.packages) { } (builtins.attrValues backends.all);
  packages = builtins.attrNames table;

  # The C++ standard library's headers have neither an ending nor a folder.
  isStandard = name: match "[a-z_0-9]+" name != null;

  has =
    name:
    { names, prefixes, suffixes, ... }:
    elem name names
    || any (prefix: hasPrefix prefix name) prefixes
    || any (suffix: hasSuffix suffix name) suffixes;

  self = {
    /**
      Whether `name` refers to the build's `registration.h`. The existing tool writes this file beside the bindings, so
      a kernel may also include it by that path.

      Type: isRegistration :: String -> Bool
    */
    isRegistration =
      name:
      name == "registration.h"
      || match "(.*/)?${frameworks.all.torch.folder}/registration[.]h" name != null;

    /**
      The packages that contain the header `name`, or that this header needs: `[ "toolchain" ]` for headers of the
      compiler, `[ ]` for an unknown name.

      Type: findOwners :: String -> [String]
    */
    findOwners =
      name:
      if isStandard name then
        [ "toolchain" ]
      # registration.h includes Python's headers.
      else if self.isRegistration name then
        [ "python" ]
      else
        filter (package: has name table.${package}) packages;

    /**
      The packages among `allowed` that a unit sees, given the owners of the names that it includes.

      Type: listVisiblePackages :: { allowed :: [String]; owners :: [[String]]; computed :: Bool; } -> [String]
    */
    listVisiblePackages =
      { allowed, owners, computed }:
      let
        named = builtins.concatLists owners;
      in
      if computed || elem [ ] owners then
        allowed
      else
        # A package that is not in the table comes from the kernel's flake.
        filter (package: elem package named || !(table ? ${package})) allowed;
  };
in
self
