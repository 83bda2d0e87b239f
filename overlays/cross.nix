# A package set for kernels of another system than that of the build machine. Programs that run during a build come from `build`, the set
# of the build machine; libraries and headers of the kernel come from this set.
build: final: _: {
  buildSet = build;

  # Build steps and their tools.
  inherit (build)
    seed
    busybox
    makeStep
    runStep
    pip
    caCertificates
    bash
    patchelf
    relocate
    python
    fetchArchive
    fetchKernel
    fetchWheel
    pythonWith
    runPython
    ;

  runtime = final.crossRuntime;
  toolchain = final.crossToolchain;
  targetPythonWith = final.crossPythonWith;
  # Kernels of Torch builds without a wheel for this Python are imported on machines of their own system.
  otherPythons = { };
}
