# `crossRuntime`: The shared libraries for the kernel's processor.
{ runEmulated, unpackDebs, architecture }:
import ../toolchain/runtime { runStep = runEmulated; inherit unpackDebs architecture; }
