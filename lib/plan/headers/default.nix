# Which package does an included name belong to?
#
# An object sees only the packages whose headers it may reach, so that one which does
# not reach Torch is the same object under every Torch. A name that the table does not
# know may be anybody's and makes the object see all that it depends on. A package that
# was wrongly left out makes the compiler stop; it can never make an object stale.
{ backends, config, ... }:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatLists
    elem
    filter
    foldl'
    fromJSON
    mapAttrs
    match
    readFile
    stringLength
    substring
    ;
  inherit (config) dependencies;

  # Of the toolchain and Python, of what `depends` may name, of the backends.
  table =
    fromJSON (readFile ./table.json)
    // mapAttrs (_: dependency: {
      names = [ ];
      prefixes = dependency.headers;
      suffixes = [ ];
    }) dependencies.table.depends
    // foldl' (all: backend: all // backend.packages) { } (attrValues backends.all);
  packages = attrNames table;

  hasPrefix = prefix: name: substring 0 (stringLength prefix) name == prefix;
  hasSuffix =
    suffix: name:
    let
      extra = stringLength name - stringLength suffix;
    in
    extra >= 0 && substring extra (stringLength suffix) name == suffix;

  # The C++ standard library's headers have neither an ending nor a folder.
  isStandard = name: match "[a-z_0-9]+" name != null;

  has =
    name:
    {
      names,
      prefixes,
      suffixes,
      ...
    }:
    elem name names
    || any (prefix: hasPrefix prefix name) prefixes
    || any (suffix: hasSuffix suffix name) suffixes;

  self = {
    /**
      The packages that provide the header `name`, or without which it does not compile;
      `[ "toolchain" ]` for the compiler's own, `[ ]` for a name that the table does not know.

      # Type

      ```
      findOwners :: String -> [String]
      ```
    */
    findOwners =
      name:
      if isStandard name then
        [ "toolchain" ]
      # This one is made by the build, and includes Python's.
      else if name == "registration.h" then
        [ "python" ]
      else
        filter (package: has name table.${package}) packages;

    /**
      Of the packages `allowed`, those that a unit may see which includes names of these owners.

      # Type

      ```
      listVisiblePackages :: { allowed :: [String]; owners :: [[String]]; computed :: Bool; } -> [String]
      ```
    */
    listVisiblePackages =
      {
        allowed,
        owners,
        computed,
      }:
      let
        named = concatLists owners;
      in
      if computed || elem [ ] owners then
        allowed
      else
        # What the table does not know at all, the kernel has brought itself.
        filter (package: elem package named || !(table ? ${package})) allowed;
  };
in
self
