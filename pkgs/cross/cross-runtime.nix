# `crossRuntime`: The shared libraries for the kernel's processor.
{ architecture, readWords, runEmulated, unpackDebs }:
import ../toolchain/runtime { runStep = runEmulated; inherit architecture readWords unpackDebs; }
