# Reasons why the toolchain cannot compile or link a variant. On Linux, only C and C++ can be compiled for macOS
# (pkgs/cross/mac-toolchain). Code of a device is the same for every system, so a cross build compiles it with the build
# machine's compiler and Torch.
{
  buildSet,
  lib,
  system,
}:
/** Type: compileObstacle :: Plan -> String | Null */
plan:
if
  plan.compiled
  && lib.platforms.systems.isDarwin system
  && buildSet.system != system
  && builtins.elem "-framework" plan.link.flags
then
  "it needs Apple's frameworks, Objective-C and shader compilers, which only Xcode on a Mac has; Linux compiles C and C++ for macOS alone"
else if
  plan.compiled
  && buildSet.system != system
  && builtins.any (unit: unit.device != null && builtins.elem "torch" unit.packages) plan.units
  && !buildSet.hasTorch plan.torchBuild
then
  "no wheel of Torch ${plan.torchBuild} is pinned for ${buildSet.system}, whose compiler reads its headers for code of the device"
else
  null
