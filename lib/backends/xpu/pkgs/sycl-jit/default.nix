# Intel's compiler as a library, which Intel's wheel of SYCL's runtime has for kernels that are compiled when a program runs: a
# stand-in for icpx on machines that do not reach Intel's host. The library compiles for the GPU, clang for the host.
# `overlays = [ (final: _: { xpuToolkit = final.xpuSyclJit; }) ]`.
{
  lib,
  architecture,
  collectHeaders,
  debianClang,
  fetchWheel,
  patchelf,
  relocate,
  runStep,
  runtime,
  toolchain,
  busybox,
}:
let
  inherit (builtins)
    attrNames
    fromJSON
    head
    pathExists
    readDir
    readFile
    replaceStrings
    ;
in
/**
  # Type

  ```
  xpuSyclJit :: { toolkit :: String; ptxas :: String | Null; } -> { onednn; sycl :: Package; }
  ```

  # Errors

  There is no library of that release.
*/
{ toolkit, ... }:
let
  release = lib.values.versions.majorMinor toolkit;
  onednn = head lib.backends.all.xpu.toolkit.releases.${release}.packages.onednn;
  pins = ./wheels + "/${release}.json";
  wheels =
    if pathExists pins then
      fromJSON (readFile pins)
    else
      lib.messages.check.throwProblem "Intel's compiler library of oneAPI ${toolkit} is not pinned" {
        at = "xpuSyclJit";
        found = "oneAPI ${release}";
        want = lib.messages.check.listChoices (
          map (replaceStrings [ ".json" ] [ "" ]) (attrNames (readDir ./wheels))
        );
        fix = "leave other variants out with torchVersions, or take Intel's packages (xpuToolkit)";
      };
in
{
  onednn = collectHeaders {
    name = "onednn-${onednn.version}";
    source = fetchWheel onednn;
    folders = [ "onednn_devel-${onednn.version}.data/data/include" ];
  };
  sycl =
    runStep {
      name = "sycl-jit-${release}";
      script = ./assemble.sh;
      tools = [
        patchelf
        toolchain
      ];
      outputs = [
        "out"
        "dev"
      ];
      env = {
        inherit
          busybox
          relocate
          runtime
          toolchain
          ;
        inherit (architecture) loader triple;
        gcc_version = toolchain.version;
        clang = debianClang;
        # This release lacks a file of its own.
        bfloat16 = if release == "2025.3" then ./bfloat16.cpp else "";
        devicePass = ./device-pass.cpp;
        hostPass = ./host-pass.sh;
        link = ./link.sh;
        wheels = map fetchWheel wheels;
      };
    }
    // {
      /** Units are compiled by `xpuCompileUnit`. */
      isSyclJit = true;
      standIn = "Intel's compiler library ${toolkit}";
    };
}
