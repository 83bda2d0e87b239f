# The Python that a kernel for another processor is imported with.
{
  runEmulated,
  unpackDebs,
  runtime,
  patchelf,
  architecture,
}:
import ../python/python {
  runStep = runEmulated;
  inherit
    unpackDebs
    runtime
    patchelf
    architecture
    ;
}
