# Imports a file with a restricted Nix: without derivations, downloads, the environment and search paths, and
# without imports from outside `folder` or from a folder of packages. Tests on a library that was imported
# this way show that it is pure.
{ folder }:
let
  inherit (builtins) concatMap listToAttrs match scopedImport stringLength substring;

  refused = [
    "currentSystem" "currentTime" "derivation" "derivationStrict" "exec" "fetchClosure" "fetchGit"
    "fetchMercurial" "fetchTarball" "fetchTree" "fetchurl" "findFile" "getEnv" "getFlake" "importNative"
    "nixPath" "nixVersion" "scopedImport" "storePath"
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
    // listToAttrs (map (name: { inherit name; value = refuse name; }) refused)
    // { builtins = offered; import = import'; };

  # Every builtin also exists with `__` before its name, and some without `builtins.`.
  scope =
    listToAttrs (
      concatMap (name: [
        { inherit name; value = offered.${name}; }
        { name = "__${name}"; value = offered.${name}; }
      ]) refused
    )
    // { builtins = offered; import = import'; };
in
{
  inherit refused;
  import = import';
  # Evaluates a text instead of a file.
  evaluate = text: scopedImport scope (builtins.toFile "text.nix" text);
}
