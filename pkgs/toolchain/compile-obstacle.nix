# Reasons why the toolchain cannot compile or link a variant. On Linux, only C and C++ can be compiled for macOS
# (pkgs/cross/mac-toolchain).
{
  buildSet,
  lib,
  system,
}:
/**
  # Type

  ```
  compileObstacle :: Plan -> String | Null
  ```
*/
plan:
if
  plan.compiled
  && lib.platforms.systems.isDarwin system
  && buildSet.system != system
  && builtins.elem "-framework" plan.link.flags
then
  "it needs Apple's frameworks, Objective-C and shader compilers, which only Xcode on a Mac has; Linux compiles C and C++ for macOS alone"
else
  null
