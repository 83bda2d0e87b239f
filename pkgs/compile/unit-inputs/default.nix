# What the compile of a unit is given: files, tools, and the plan's flags with folders of packages.
{
  lib,
  leanHeaders,
  planPackages,
  precompiledHeader,
}:
let
  # Read once for all units.
  layOut = lib.values.paths.alone ./lay-out.sh;
in
/**
  `fileOf` maps a file of the kernel to its store path. `extension` is the name under which the variant
  registers itself: only units that have to know it while they are compiled read it.

  # Type

  ```
  unitInputs :: {
    plan :: Plan; unit :: Unit; fileOf :: String -> StorePath; registration :: StorePath; extension :: String;
  } -> {
    kernel :: String; name :: String; tools :: [Package]; flags :: String; files :: String; layOut :: StorePath;
    leanFlags :: { ${set} :: String; }; precompiled :: { header :: Derivation; unitFlags :: String; } | Null;
  }
  ```

  Flags are one in each line. Each line of `files` is a store path and a name in the kernel.
*/
{
  plan,
  unit,
  fileOf,
  registration,
  extension,
}:
let
  inherit (builtins) concatStringsSep mapAttrs replaceStrings;

  fillWith =
    folders: words:
    lib.plan.command.fillCommand {
      packages = builtins.attrNames folders;
      inherit folders;
    } (concatStringsSep "\n" words);
  fill =
    words:
    lib.plan.command.fillCommand {
      packages = unit.packages ++ map (tool: "tools/${tool}") unit.tools ++ [ "extension" ];
      folders = planPackages.headers // {
        inherit extension;
      };
    } (concatStringsSep "\n" words);

  tools = map (tool: planPackages.tools.${tool}) unit.tools;
in
{
  inherit (plan) kernel;
  inherit layOut tools;
  name = lib.values.storeName.sanitize "${plan.kernel}-${unit.scope}-${replaceStrings [ "/" ] [ "-" ] unit.source}";
  flags = fill (unit.flags ++ unit.nameFlags ++ unit.buildFlags);
  leanFlags = mapAttrs (_: fillWith { "build/lean-headers" = leanHeaders; }) unit.leanFlags;
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
        unitFlags = fillWith { "build/precompiled" = header; } unit.precompiled.unitFlags;
      };
  files = concatStringsSep "\n" (
    map (file: "${fileOf file} ${file}") ([ unit.source ] ++ unit.headers)
    ++ lib.values.lists.optionals unit.usesRegistration [
      "${registration} ${plan.generatedFolder}/registration.h"
    ]
  );
}
