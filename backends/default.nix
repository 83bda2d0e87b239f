# Everything that depends on a backend, in one folder for each backend. No other file of the library names a backend.
# docs/data.md describes the fields of a backend; their defaults are in fields.json. A folder may have:
#
# - `backend.json`: the fields that are data;
# - `default.nix`: the other fields, and parts of fields that backend.json has, too;
# - `checks.json`: data for the checks of built variants;
# - `packages.json`: the packages of its toolkit;
# - `releases/VERSION.json`: one file for each release of its toolkit;
# - `dependencies.json`: the names for `depends` and `python-depends` that only this backend has, with their pins;
# - `pkgs/`: its packages and its Builder, which overlays/default.nix puts into the package set. The library does not
#   read this folder.
library:
let
  inherit (builtins) attrNames isAttrs mapAttrs match readDir;
  inherit (library.compilers.language) makeTable;
  inherit (library.values) attributes;

  readJson = file: builtins.fromJSON (builtins.readFile file);
  readReleases =
    folder:
    builtins.listToAttrs (
      builtins.concatMap (
        file:
        map (name: {
          inherit name;
          value = readJson (folder + "/${file}");
        }) (match "(.*)[.]json" file)
      ) (attrNames (readDir folder))
    );

  # The fields of each kind of record: those that are required, and the defaults of the others.
  fields = readJson ./fields.json;
  complete = kind: at: library.messages.records.completeRecord (fields.${kind} // { inherit at; });

  # The fields of default.nix, and those of backend.json. A set has the fields of both.
  mergeFields =
    data: code:
    data
    // mapAttrs (
      field: value: if data ? ${field} && isAttrs value then data.${field} // value else value
    ) code;

  read =
    name:
    let
      at = "backends/${name}";
      folder = ./. + "/${name}";
      entries = readDir folder;
      dataIn = file: attributes.optionalAttrs (entries ? ${file}) (readJson (folder + "/${file}"));
      code = attributes.optionalAttrs (entries ? "default.nix") (
        import folder (library // { inherit checks releases; })
      );
      releases = attributes.optionalAttrs (entries ? releases) (readReleases (folder + "/releases"));
      checks = complete "checks" "${at}/checks.json" (dataIn "checks.json");
      # Readers of backend.json alone need its reasons.
      backend = complete "backend" at (mergeFields (removeAttrs (dataIn "backend.json") [ "why" ]) code);
    in
    backend
    // {
      inherit name checks;
      compute = if checks.compute == null then name else checks.compute;
      noarch = if checks.noarch == null then name else checks.noarch;
      dependencies = dataIn "dependencies.json";
      packages = dataIn "packages.json";
      packageFolder = if entries ? pkgs then folder + "/pkgs" else null;
      flags = makeTable backend.flags;
      linker = withTable backend.linker;
      deviceLink = withTable backend.deviceLink;
      onDarwin =
        backend.onDarwin
        // attributes.optionalAttrs (backend.onDarwin ? linker) { linker = withTable backend.onDarwin.linker; };
      toolkit =
        if backend.toolkit == null then
          null
        else
          complete "toolkit" "${at}.toolkit" ({ inherit releases; warningsOf = _: _: [ ]; } // backend.toolkit);
    };
  # A Linker, or null, with its table of flags.
  withTable = linker: if linker == null then null else linker // { flags = makeTable linker.flags; };
  entries = readDir ./.;
in
# Folders whose names begin with a dot belong to tools.
attributes.generate (builtins.filter (
  entry: entries.${entry} == "directory" && match "[.].*" entry == null
) (attrNames entries)) read
