# The code for the GPU of all units of a variant, as one object. It is a derivation of its own because extensions that
# differ only in their names share it, for example after an edit of Python files.
{ joinLines, planPackages, runStep, xpuOcloc }:
/**
  Type: xpuLinkDeviceCode :: { plan :: Plan; objects :: [Derivation]; } -> Derivation
*/
{ plan, objects }:
let
  inherit (plan.link) device;
in
runStep {
  name = "${plan.kernel}-${plan.variant}-device-code.o";
  script = ./link.sh;
  tools = map (tool: (planPackages.tools // { ocloc = xpuOcloc; }).${tool}) device.tools;
  env = {
    step = "link";
    inherit (device) program;
    flags = joinLines device.flags;
    objects = joinLines objects;
    passAsFile = [ "objects" ];
  };
}
