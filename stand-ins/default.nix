# Overlays for machines without a vendor's hardware or download host. A kernel's flake takes one in a line, see
# docs/guide/xpu.md and docs/guide/rocm.md: `overlays = [ (import "${kernel-builder}/stand-ins").xpuOnCpu ];`.
let
  # Only adds the replacements to the package set.
  packages = final: _: {
    rocmDebianHip = final.callPackage ./debian-hip { };
    xpuDebianOcloc = final.callPackage ./debian-ocloc { };
    xpuOpencl = final.callPackage ./opencl { };
    xpuSyclCompileUnit = final.callPackage ./sycl-compile-unit { };
    xpuSyclJit = final.callPackage ./sycl-jit { };
    xpuTorchOnCpu = final.callPackage ./torch-on-cpu { };
  };
  replace =
    replacements: final: previous:
    packages final previous // replacements final previous;
in
{
  inherit packages;

  # The rows of CUDA 12 with the compiler of CUDA 12.4, which Debian and package registries have:
  # `torchVersions = (import "${kernel-builder}/stand-ins").cuda124;`.
  cuda124 =
    rows:
    map (
      row:
      if builtins.match "12[.].*" (row.cudaVersion or "") == null then
        row
      else
        row // { compilerVersion = "12.4"; systems = builtins.filter (system: system == "x86_64-linux") row.systems; }
    ) rows;

  # HIP of Debian instead of AMD's packages.
  debianHip = replace (final: _: { rocmToolkit = final.rocmDebianHip; });

  # Intel's compiler library compiles kernels for Intel GPUs, and they run on the processor.
  xpuOnCpu = replace (
    final: previous: {
      xpuToolkit = final.xpuSyclJit;
      xpuOcloc = final.xpuDebianOcloc;
      # The library makes the code for the GPU of each unit, so no step makes it before the link.
      backends = previous.backends // {
        xpu = previous.backends.xpu // {
          compile = final.xpuSyclCompileUnit;
          link = final.linkExtension;
        };
      };
      torchWheel = final.xpuTorchOnCpu previous.torchWheel;
      importObstacle =
        arguments: if arguments.plan.backend == "xpu" then null else previous.importObstacle arguments;
    }
  );
}
