# A package set for kernels whose system is not that of the build machine. Programs that run during a build come from
# `build`, the package set of the build machine. Libraries and headers of the kernel come from this set.
build: final: _: {
  buildSet = build;

  # Build steps and their tools.
  inherit (build) seed busybox makeStep runStep pip caCertificates bash patchelf relocate python;
  inherit (build) fetchArchive fetchKernel fetchWheel pythonWith runPython;

  runtime = final.crossRuntime;
  toolchain = final.crossToolchain;
  targetPythonWith = final.crossPythonWith;
  # A cross build has only one Python. Kernels for a Torch without a wheel for it are imported on their own system.
  otherPythons = { };
}
