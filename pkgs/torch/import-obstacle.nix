# Reasons why a build of Torch cannot be imported or used here, although kernels can be built against
# it: its headers and libraries are the same for every Python, its modules are not.
{
  python,
  system,
  torchPins,
}:
/**
  `isUsed` says that something computes with Torch: then it needs every library that it loads.

  # Type

  ```
  importObstacle :: { plan :: Plan; isUsed :: Bool; } -> String | Null
  ```
*/
{ plan, isUsed }:
let
  build = plan.torchBuild;
  wheelVersion = "3.${builtins.head (builtins.match ".*-cp3([0-9]+)-.*" torchPins.${build}.${system}.file)}";
  hasLibraries =
    plan.torchIsAlone
    || (!isUsed && plan.runtime != null)
    || builtins.pathExists (./torch-wheel/locks + "/${build}.json");
in
if !(torchPins ? ${build}.${system}) then
  "no wheel of Torch ${build} is pinned for ${system}"
else if wheelVersion != python.pythonVersion then
  "its wheel is for CPython ${wheelVersion}, and the package set has ${python.pythonVersion}"
else if !hasLibraries then
  "the libraries that this Torch loads are not pinned"
else
  null
