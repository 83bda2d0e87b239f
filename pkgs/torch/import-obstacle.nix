# Reasons why a build of Torch cannot be imported or used here. Kernels can still be built against it, because its
# headers and libraries are the same for every Python, unlike its modules.
{ buildSet, lib, lockedBeside, otherPythons, python, system, wheelPython }:
/**
  `isUsed` says whether a program computes with Torch. Then Torch needs every library that it loads.

  Type: importObstacle :: { plan :: Plan; isUsed :: Bool; } -> String | Null
*/
{ plan, isUsed }:
let
  build = plan.torchBuild;
  version = wheelPython build;
  hasLibraries =
    plan.torchIsAlone
    || (!isUsed && plan.runtime != null)
    || lockedBeside { inherit build; locks = ./torch-wheel/locks; } != { };
in
if lib.platforms.systems.isDarwin system && buildSet.system != system then
  "it is compiled on Linux and never loaded on a Mac, and only a Mac can import it"
else if version == null then
  "no wheel of Torch ${build} is pinned for ${system}"
else if version != python.pythonVersion && !(otherPythons ? ${version}) then
  "its wheel is for CPython ${version}, and the package set has ${
    builtins.concatStringsSep " and " ([ python.pythonVersion ] ++ builtins.attrNames otherPythons)
  }"
else if !hasLibraries then
  "the libraries that this Torch loads are not pinned"
else
  null
