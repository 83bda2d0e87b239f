# The shared libraries of the machines that the kernel is for.
{
  runEmulated,
  unpackDebs,
  architecture,
}:
import ../toolchain/runtime {
  runStep = runEmulated;
  inherit unpackDebs architecture;
}
