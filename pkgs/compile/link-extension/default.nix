# The objects of one variant, linked to the library that is loaded, as the plan says.
{
  lib,
  runStep,
  toolchain,
}:
/**
  `folders` are those of the packages that the plan names; `tools` are those of a toolkit, beside gcc.

  # Type

  ```
  linkExtension :: { plan :: Plan; extension :: String; objects :: [Derivation]; folders :: { ${package} :: String; }; tools :: [Package] ? [ ]; } -> Derivation // { file :: String; }
  ```
*/
{
  plan,
  extension,
  objects,
  folders,
  tools ? [ ],
}:
let
  inherit (plan) link;
  fillIn = lib.plan.command.fillIn {
    packages = [
      "extension"
      "python"
      "torch"
    ]
    ++ link.portable.packages
    ++ link.packages;
    folders = folders // {
      inherit extension;
    };
  };
  # One word a line; none is split or expanded.
  words = list: fillIn (builtins.concatStringsSep "\n" list);
in
runStep {
  name = "${plan.kernel}-${plan.variant}-extension";
  script = ./link.sh;
  tools = tools ++ [ toolchain ];
  env = {
    inherit extension;
    inherit (link) program;
    file = fillIn link.file;
    exports = fillIn link.exports;
    nameSource = ./name.c;
    nameProgram = link.name.program;
    nameFlags = words link.name.flags;
    flags = words (link.flags ++ link.portable.flags);
    objects = builtins.concatStringsSep "\n" (map toString objects);
    arguments = words (link.portable.libraries ++ link.arguments);
  };
}
// {
  file = fillIn link.file;
}
