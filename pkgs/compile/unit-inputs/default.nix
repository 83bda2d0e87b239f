# The inputs of a unit's compile: files, tools, and the plan's flags with package folders.
{ joinLines, leanHeaders, lib, planPackages, precompiledHeader }:
let
  inherit (lib.plan.command) fillCommand;

  # Read once for all units.
  layOut = lib.values.paths.alone ./lay-out.sh;
  fillOne =
    name: folder: words:
    fillCommand {
      packages = [ name ];
      folders.${name} = folder;
    } (joinLines words);
in
/**
  `fileOf` maps a file of the kernel to its store path. `extension` is the name under which the variant registers
  itself: only units that contain the name depend on it.

  Type: unitInputs :: { plan :: Plan; fileOf :: String -> StorePath; registration :: StorePath; extension :: String; }
    -> Unit -> { kernel :: String; name :: String; tools :: [Package]; flags :: String; files :: String;
    layOut :: StorePath; leanFlags :: { ${set} :: String; }; leanFlagsJson :: String; precompiled :: {
    header :: Derivation; unitFlags :: String; } | Null; }

  Flags are one in each line. Each line of `files` is a store path and a name in the kernel, or `folder` and
  the name of a folder that may hold no file.
*/
{ plan, fileOf, registration, extension }:
let
  folders = planPackages.headers // { inherit extension; };
in
unit:
let
  fill =
    words:
    fillCommand {
      packages = unit.packages ++ map (tool: "tools/${tool}") unit.tools ++ [ "extension" ];
      inherit folders;
    } (joinLines words);

  tools = map (tool: planPackages.tools.${tool}) unit.tools;
  leanFlags = builtins.mapAttrs (_: fillOne "build/lean-headers" leanHeaders) unit.leanFlags;
in
{
  inherit (plan) kernel;
  inherit layOut leanFlags tools;
  name = lib.values.storeName.sanitize "${plan.kernel}-${unit.scope}-${builtins.replaceStrings [ "/" ] [ "-" ] unit.source}";
  flags = fill (unit.flags ++ unit.nameFlags ++ unit.buildFlags);
  leanFlagsJson = builtins.toJSON leanFlags;
  precompiled =
    if unit.precompiled == null then
      null
    else
      let
        header = precompiledHeader {
          inherit tools;
          inherit (unit) compiler;
          inherit (unit.precompiled) header;
          flags = fill unit.precompiled.flags;
        };
      in
      {
        inherit header;
        unitFlags = fillOne "build/precompiled" header unit.precompiled.unitFlags;
      };
  files = joinLines (
    map (file: "${fileOf file} ${file}") ([ unit.source ] ++ unit.headers)
    ++ map (file: "${registration} ${file}") unit.registrations
    ++ map (folder: "folder ${folder}") unit.folders
  );
}
