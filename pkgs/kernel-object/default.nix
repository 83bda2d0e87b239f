# One translation unit, compiled. Its inputs are the compiler, the unit, the files that the
# unit reaches, and the packages whose headers it may see: nothing else of the kernel, so
# that an edit compiles again just what it touches.
{
  lib,
  runStep,
  toolchain,
}:
/**
  `files` maps a file of the kernel to its store path, `headersOf` a package to the
  folder that holds its headers; `extension` is the name under which the variant registers
  itself, read only by units that have to know it while they are compiled.

  # Type

  ```
  compileObject :: {
    kernel :: String; unit :: Unit; files :: String -> StorePath; headersOf :: { ${package} :: StorePath; };
    registration :: StorePath; generatedFolder :: String; extension :: String;
  } -> Derivation
  ```
*/
{
  kernel,
  unit,
  files,
  headersOf,
  registration,
  generatedFolder,
  extension,
}:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    map
    replaceStrings
    ;
  folders = builtins.intersectAttrs (lib.attributes.fromNames unit.packages) headersOf;
  expand = replaceStrings (map (package: "@${package}@") (attrNames folders)) (
    map (package: "${folders.${package}}") (attrNames folders)
  );
  # What the compiler writes of a file's name (in messages of checks, for one) is its name
  # in the package or the kernel, the same on every machine.
  prefixes = map (package: "-ffile-prefix-map=${folders.${package}}=${package}") (attrNames folders) ++ [
    "-ffile-prefix-map=${toolchain}=toolchain"
  ];
  name =
    {
      none = [ ];
      late = [
        "-DKERNEL_BUILDER_LATE_NAME"
        "-DTORCH_EXTENSION_NAME=kernel_builder_late_name"
      ];
      own = [ "-DTORCH_EXTENSION_NAME=${extension}" ];
    }
    .${unit.extensionName};
in
runStep {
  name = "${kernel}-${unit.scope}-${lib.storeName.sanitize (replaceStrings [ "/" ] [ "-" ] unit.source)}.o";
  script = ./compile.sh;
  tools = [ toolchain ];
  env = {
    inherit (unit) source compiler;
    flags = concatStringsSep "\n" (map expand unit.flags ++ name ++ prefixes);
    files = concatStringsSep "\n" (
      map (file: "${files file} ${file}") ([ unit.source ] ++ unit.headers)
      ++ (if unit.usesRegistration then [ "${registration} ${generatedFolder}/registration.h" ] else [ ])
    );
  };
}
