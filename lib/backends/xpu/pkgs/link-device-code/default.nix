# The code for the GPU of all units of a variant, as one object: a derivation of its own, so that
# it is made once for extensions that differ in their names alone, as after an edit of Python files.
{
  xpuOcloc,
  runStep,
  toolchain,
  toolkitPackages,
}:
/**
  # Type

  ```
  xpuLinkDeviceCode :: { plan :: Plan; objects :: [Derivation]; } -> Derivation
  ```
*/
{ plan, objects }:
let
  inherit (builtins) concatStringsSep;
  inherit (plan.link) device;
in
runStep {
  name = "${plan.kernel}-${plan.variant}-device-code.o";
  script = ./link.sh;
  tools = [
    toolkitPackages.sycl
    xpuOcloc
    toolchain
  ];
  env = {
    inherit (device) program;
    flags = concatStringsSep "\n" device.flags;
    objects = concatStringsSep "\n" (map toString objects);
  };
}
