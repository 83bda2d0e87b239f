# Runs kernels for Intel GPUs on a machine without such a GPU: Intel's compiler library compiles them, and they run on
# the processor. A kernel's flake takes this overlay, see docs/guide/xpu.md.
final: previous: {
  xpuToolkit = final.xpuSyclJit;
  xpuOcloc = final.xpuDebianOcloc;
  torchWheel = final.xpuTorchOnCpu previous.torchWheel;
  importObstacle =
    arguments: if arguments.plan.backend == "xpu" then null else previous.importObstacle arguments;
}
