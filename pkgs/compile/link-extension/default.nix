# The extension of a variant: its objects, linked as the plan says.
{ joinLines, launchErrors, lib, planPackages, runStep }:
/**
  The result of a variant for the stable ABI has an output `boxed`: names and addresses of the functions that `TORCH_BOX`
  makes, and a library that lets the import check see their registrations.

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
  words = list: fillIn (joinLines list);
in
runStep {
  name = "${plan.kernel}-${plan.variant}-extension";
  script = ./link.sh;
  tools = map (tool: planPackages.tools.${tool}) link.tools;
  outputs = [ "out" "findings" ] ++ lib.values.lists.optionals (link.boxed != null) [ "boxed" ];
  env = {
    step = "link";
    inherit extension;
    inherit (link) program;
    file = fillIn link.file;
    exports = fillIn link.exports;
    nameSource = ./name.c;
    nameProgram = link.name.program;
    nameFlags = words (link.name.flags ++ link.portable.nameFlags);
    flags = words (link.flags ++ link.portable.flags);
    objects = joinLines objects;
    passAsFile = [ "objects" ];
    arguments = words (link.portable.libraries ++ link.arguments);
  }
  // lib.values.attributes.optionalAttrs (link.boxed != null) {
    namedFlags = words link.boxed.flags;
    watchSource = ./watch.c;
  };
}
// { file = fillIn link.file; }
