# The shared libraries of the kernel's processor.
{
  runEmulated,
  unpackDebs,
  architecture,
}:
import ../toolchain/runtime {
  runStep = runEmulated;
  inherit unpackDebs architecture;
}
