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
