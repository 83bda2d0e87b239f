# Intel's compiler as a library: a stand-in for icpx on machines that cannot reach Intel's host. Intel's wheel of SYCL's
# runtime contains the library to compile kernels when a program runs. The library compiles for the GPU, and clang for
# the host.
{ lib, buildToolkit, fetchWheel, runnableClang, xpuOnednn }:
/**
  Type: xpuSyclJit :: { toolkit :: String; ptxas :: String | Null; } -> { onednn; sycl :: Package; }

  # Errors

  No library of the release `toolkit` is pinned.
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  pins = ./wheels + "/${release}.json";
  wheels =
    if builtins.pathExists pins then
      builtins.fromJSON (builtins.readFile pins)
    else
      lib.messages.check.throwProblem "Intel's compiler library of oneAPI ${toolkit} is not pinned" {
        at = "xpuSyclJit";
        found = "oneAPI ${release}";
        want = lib.messages.check.listChoices (
          map (builtins.replaceStrings [ ".json" ] [ "" ]) (builtins.attrNames (builtins.readDir ./wheels))
        );
        fix = "leave other variants out with torchVersions, or take Intel's packages (xpuToolkit)";
      };
in
{
  onednn = xpuOnednn release;
  sycl =
    buildToolkit {
      name = "sycl-jit-${release}";
      script = ./assemble.sh;
      sources = map fetchWheel wheels;
      env = {
        clang = runnableClang;
        # The wheel of oneAPI 2025.3 lacks conversions of bfloat16 for devices without their own.
        bfloat16 = if release == "2025.3" then ./bfloat16.cpp else "";
        devicePass = ./device-pass.cpp;
        hostPass = ./host-pass.sh;
        link = ./link.sh;
      };
    }
    // { standIn = "Intel's compiler library ${toolkit}"; };
}
