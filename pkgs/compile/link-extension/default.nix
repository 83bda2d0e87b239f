# The extension of a variant: its objects, linked as the plan says.
{ lib, launchErrors, planPackages, runStep }:
/**
  Type: linkExtension :: { plan :: Plan; extension :: String; objects :: [Derivation]; }
    -> Derivation // { file :: String; }
*/
{ plan, extension, objects }:
let
  inherit (plan) link;
  fillIn = lib.plan.command.fillCommand {
    packages = [ "extension" "python" "torch" ]
    ++ link.portable.packages
    ++ link.packages;
    folders = planPackages.libraries // {
      inherit extension;
      launch-errors = launchErrors.${plan.backend};
    };
  };
  # One word a line; none is split or expanded.
  words = list: fillIn (builtins.concatStringsSep "\n" list);
in
runStep {
  name = "${plan.kernel}-${plan.variant}-extension";
  script = ./link.sh;
  outputs = [ "out" "findings" ];
  tools = map (tool: planPackages.tools.${tool}) link.tools;
  env = {
    inherit extension;
    inherit (link) program;
    file = fillIn link.file;
    exports = fillIn link.exports;
    nameSource = ./name.c;
    nameProgram = link.name.program;
    nameFlags = words (link.name.flags ++ link.portable.nameFlags);
    flags = words (link.flags ++ link.portable.flags);
    objects = builtins.concatStringsSep "\n" (map toString objects);
    passAsFile = [ "objects" ];
    arguments = words (link.portable.libraries ++ link.arguments);
  };
}
// { file = fillIn link.file; }
