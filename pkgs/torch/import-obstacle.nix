# Reasons why a build of Torch cannot be imported or used here, although kernels can be built against
# it: its headers and libraries are the same for every Python, its modules are not.
{
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
  python = builtins.head (
    builtins.match ".*-cp3([0-9]+)-.*" torchPins.${build}.${system}.file
  );
  hasLibraries =
    plan.torchIsAlone
    || (!isUsed && plan.runtime != null)
    || builtins.pathExists (./torch-wheel/locks + "/${build}.json");
in
if !(torchPins ? ${build}.${system}) then
  "no wheel of Torch ${build} is pinned for ${system}"
else if python != "11" then
  "its wheel is for CPython 3.${python}, and the package set has 3.11"
else if !hasLibraries then
  "the libraries that this Torch loads are not pinned"
else
  null
