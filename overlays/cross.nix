# A package set for kernels of another system than the build machine's: what runs while a kernel
# is built comes from `build`, the set of that machine, and what belongs to the kernel is its own.
build: final: _: {
  buildSet = build;

  # Steps and their tools.
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
    fetchWheel
    pythonWith
    runPython
    ;

  runtime = final.crossRuntime;
  toolchain = final.crossToolchain;
  targetPythonWith = final.crossPythonWith;
}
