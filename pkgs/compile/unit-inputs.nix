# What any compile of a unit needs to know, whoever compiles it: where its files are, and its
# flags with the packages' folders in them.
{ lib, toolchain }:
/**
  `fileOf` maps a file of the kernel to its store path, `headersOf` a package to the folder
  that holds its headers; `extension` is the name under which the variant registers itself,
  read only by units that have to know it while they are compiled.

  # Type

  ```
  unitInputs :: {
    kernel :: String; unit :: Unit; fileOf :: String -> StorePath; headersOf :: { ${package} :: StorePath; };
    registration :: StorePath; generatedFolder :: String; extension :: String;
  } -> { kernel :: String; name :: String; flags :: String; files :: String; precompiled :: { header; compiler; flags; } | Null; }
  ```

  `flags` has one in each line, `files` a store path and a name in the kernel.
*/
{
  kernel,
  unit,
  fileOf,
  headersOf,
  registration,
  generatedFolder,
  extension,
}:
let
  inherit (builtins)
    concatStringsSep
    lessThan
    replaceStrings
    sort
    ;

  fillIn = lib.plan.command.fillIn {
    packages = unit.packages ++ [ "extension" ];
    folders = headersOf // {
      inherit extension;
    };
  };

  # What the compiler writes of a file's name (in messages of checks, for one) is its name
  # in the package or the kernel, the same on every machine.
  prefixes = map (package: "-ffile-prefix-map=@${package}@=${package}") (sort lessThan unit.packages) ++ [
    "-ffile-prefix-map=${toolchain}=toolchain"
  ];
in
{
  inherit kernel;
  name = lib.values.storeName.sanitize "${kernel}-${unit.scope}-${replaceStrings [ "/" ] [ "-" ] unit.source}";
  # Of the header that it has precompiled: what of `flags` matters to it.
  precompiled =
    if unit.precompiled == null then
      null
    else
      {
        inherit (unit) compiler;
        inherit (unit.precompiled) header;
        flags = fillIn (concatStringsSep "\n" (unit.precompiled.flags ++ prefixes));
      };
  flags = fillIn (
    concatStringsSep "\n" (
      unit.flags
      ++ unit.nameFlags
      ++ (
        # Shaders say nothing of where they were compiled.
        if unit.isEmbedded then
          [ ]
        else
          prefixes
          # gcc makes the names of some local symbols from it; without it, by chance.
          ++ [ "-frandom-seed=${unit.source}" ]
      )
    )
  );
  files = concatStringsSep "\n" (
    map (file: "${fileOf file} ${file}") ([ unit.source ] ++ unit.headers)
    ++ (if unit.usesRegistration then [ "${registration} ${generatedFolder}/registration.h" ] else [ ])
  );
}
