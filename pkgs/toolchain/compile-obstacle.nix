# Reasons why the toolchain cannot compile or link a variant for another system. Code of a device is the same for every
# system, so a cross build compiles it with the build machine's compiler and Torch.
{ buildSet, system }:
/** Type: compileObstacle :: Plan -> String | Null */
plan:
if !plan.compiled || buildSet.system == system then
  null
else if plan.crossObstacle != null then
  plan.crossObstacle
else if
  builtins.any (unit: unit.device != null && builtins.elem "torch" unit.packages) plan.units
  && !buildSet.hasTorch plan.torchBuild
then
  "no wheel of Torch ${plan.torchBuild} is pinned for ${buildSet.system}, whose compiler reads its headers for code of the device"
else
  null
