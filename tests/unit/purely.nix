# Imports a file with a part of Nix only: nothing in it can make a derivation, fetch, ask the
# machine, look at a search path, or import what lies outside `folder` or in a folder of packages. A library that passes
# its tests so is pure because it had nothing else, whatever its text says.
{ folder }:
let
  inherit (builtins)
    concatMap
    listToAttrs
    match
    scopedImport
    stringLength
    substring
    ;

  refused = [
    "currentSystem"
    "currentTime"
    "derivation"
    "derivationStrict"
    "exec"
    "fetchClosure"
    "fetchGit"
    "fetchMercurial"
    "fetchTarball"
    "fetchTree"
    "fetchurl"
    "findFile"
    "getEnv"
    "getFlake"
    "importNative"
    "nixPath"
    "nixVersion"
    "scopedImport"
    "storePath"
  ];
  refuse = name: throw "${name} is used where evaluation has to be pure";

  isInside = file: substring 0 (stringLength folder + 1) (toString file) == "${folder}/";
  import' =
    file:
    if (isInside file || isInside "${toString file}/") && match ".*/pkgs(/.*)?" (toString file) == null then
      scopedImport scope (if isFolder file then file + "/default.nix" else file)
    else
      refuse "import of ${toString file}";
  isFolder = file: builtins.pathExists (file + "/default.nix");

  offered =
    builtins
    // listToAttrs (
      map (name: {
        inherit name;
        value = refuse name;
      }) refused
    )
    // {
      builtins = offered;
      import = import';
    };

  # Some are there without `builtins.` as well, all of them with `__` before their names.
  scope =
    listToAttrs (
      concatMap (name: [
        {
          inherit name;
          value = offered.${name};
        }
        {
          name = "__${name}";
          value = offered.${name};
        }
      ]) refused
    )
    // {
      builtins = offered;
      import = import';
    };
in
{
  inherit refused;
  import = import';
  # A text in place of a file.
  evaluate = text: scopedImport scope (builtins.toFile "text.nix" text);
}
