# Why a build of Torch cannot be imported here, although kernels can be built against it: its
# headers and libraries are the same for every Python, its modules are not.
{
  lib,
  buildSet,
  system,
  torchPins,
}:
/**
  # Type

  ```
  importObstacle :: String -> String | Null
  ```
*/
build:
let
  python = builtins.head (
    builtins.match ".*-cp3([0-9]+)-.*" torchPins.${build}.${system}.file
  );
  # Torch for macOS has all in its wheel.
  needsNothingElse =
    builtins.match ".*-darwin" system != null
    || builtins.any (
      backend: backend.isEverywhere && builtins.match ".*[+]${backend.compute}" build != null
    ) (builtins.attrValues lib.backends);
in
if !(torchPins ? ${build}.${system}) then
  "no wheel of Torch ${build} is pinned for ${system}"
else if python != "11" then
  "its wheel is for CPython 3.${python}, and the package set has 3.11"
else if !needsNothingElse && system != buildSet.system then
  "what it loads beside itself is not fetched for ${system} on ${buildSet.system}"
else if !needsNothingElse && !builtins.pathExists (./torch-wheel/locks + "/${build}.json") then
  "the libraries that it loads are not pinned in pkgs/torch/torch-wheel/locks"
else
  null
