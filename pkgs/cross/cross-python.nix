# `crossPython`: The Python that imports kernels for another processor.
{ architecture, patchelf, readWords, runEmulated, runtime, unpackDebs }:
import ../python/python {
  runStep = runEmulated;
  inherit architecture patchelf readWords runtime unpackDebs;
}
