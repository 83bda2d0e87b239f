# Everything that depends on a backend, in one folder for each backend. No other file of the library names a backend.
# docs/data.md describes the fields that a folder's default.nix has; their defaults are here.
#
# A folder may also have:
#
# - `checks.json`: data for the checks of built variants;
# - `releases/VERSION.json`: one file for each release of its toolkit;
# - `dependencies.json`: the names for `depends` and `python-depends` that only this backend has, with their pins;
# - `pkgs/`: its packages and its Builder, which overlays/default.nix puts into the package set. The library does not
#   read this folder.
library:
let
  inherit (builtins) attrNames match readDir;
  inherit (library.compilers.language) makeTable;
  inherit (library.messages) records;
  inherit (library.values) attributes paths;

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

  completeChecks =
    at:
    records.completeRecord {
      at = "${at}/checks.json";
      required = [ ];
      defaults = {
        compute = null;
        device = null;
        device-code = null;
        dispatch-key = null;
        driver = [ ];
        libraries = [ ];
        macos = null;
        noarch = null;
      };
    };
  completeToolkit =
    at: releases:
    records.completeRecord {
      at = "${at}.toolkit";
      required = [ "name" ];
      defaults = {
        minverKey = null;
        inherit releases;
        warningsOf = _: _: [ ];
      };
    };

  read =
    name:
    let
      at = "backends/${name}";
      folder = ./. + "/${name}";
      entries = readDir folder;
      releases = if entries ? releases then readReleases (folder + "/releases") else { };
      checks = completeChecks at (
        if entries ? "checks.json" then readJson (folder + "/checks.json") else { }
      );
      backend = records.completeRecord {
        inherit at;
        required = [ "isPresent" "preference" "systems" ];
        defaults = {
          aliases = [ ];
          componentKeys = { };
          crossObstacle = null;
          deviceLink = null;
          flags = [ ];
          generalKeys = { };
          host = "registry";
          isEverywhere = false;
          languages = { };
          launches = null;
          libraries = [ ];
          linker = null;
          onDarwin = { };
          packages = { };
          passUse = [ ];
          runtime = null;
          targetUse = { words = [ ]; headers = [ ]; };
          targets = null;
          toolkit = null;
        };
      } (import folder (library // { inherit checks releases; }));
    in
    backend
    // {
      inherit name checks;
      compute = if checks.compute == null then name else checks.compute;
      noarch = if checks.noarch == null then name else checks.noarch;
      dependencies =
        if entries ? "dependencies.json" then readJson (folder + "/dependencies.json") else { };
      packageFolder = if entries ? pkgs then folder + "/pkgs" else null;
      launches =
        if backend.launches == null then
          null
        else
          backend.launches // { source = paths.alone backend.launches.source; };
      flags = makeTable backend.flags;
      linker = withTable backend.linker;
      deviceLink = withTable backend.deviceLink;
      onDarwin =
        backend.onDarwin
        // (if backend.onDarwin ? linker then { linker = withTable backend.onDarwin.linker; } else { });
      toolkit = if backend.toolkit == null then null else completeToolkit at releases backend.toolkit;
    };
  # A Linker, or null, with its table of flags.
  withTable = linker: if linker == null then null else linker // { flags = makeTable linker.flags; };
  entries = readDir ./.;
in
# Folders whose names begin with a dot belong to tools.
attributes.generate (builtins.filter (
  entry: entries.${entry} == "directory" && match "[.].*" entry == null
) (attrNames entries)) read
