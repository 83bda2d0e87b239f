# `crossPython`: The Python that imports kernels for another processor.
{ runEmulated, unpackDebs, runtime, patchelf, architecture }:
import ../python/python {
  runStep = runEmulated;
  inherit unpackDebs runtime patchelf architecture;
}
