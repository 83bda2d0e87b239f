# Why a build of Torch cannot be imported or used here, although kernels can be built against it: its
# headers and libraries are the same for every Python, its modules are not.
{
  lib,
  system,
  torchPins,
}:
/**
  `isUsed` says that something is computed with it, so that all libraries are needed which it loads beside itself.

  # Type

  ```
  importObstacle :: { build :: String; isUsed :: Bool; } -> String | Null
  ```
*/
{ build, isUsed }:
let
  python = builtins.head (
    builtins.match ".*-cp3([0-9]+)-.*" torchPins.${build}.${system}.file
  );
  # Torch for macOS has all in its wheel.
  needsNothingElse =
    lib.platforms.systems.isDarwin system
    || builtins.any (
      backend:
      (backend.isEverywhere || (!isUsed && backend.runtime != null))
      && builtins.match ".*[+]${backend.compute}[0-9]*" build != null
    ) (builtins.attrValues lib.backends.all);
in
if !(torchPins ? ${build}.${system}) then
  "no wheel of Torch ${build} is pinned for ${system}"
else if python != "11" then
  "its wheel is for CPython 3.${python}, and the package set has 3.11"
else if !needsNothingElse && !builtins.pathExists (./torch-wheel/locks + "/${build}.json") then
  "the libraries that this Torch loads are not pinned"
else
  null
