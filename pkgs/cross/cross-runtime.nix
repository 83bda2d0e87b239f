# `crossRuntime`: The shared libraries for the kernel's processor.
{ callPackage, runEmulated }: callPackage ../toolchain/runtime { runStep = runEmulated; }
