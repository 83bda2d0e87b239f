# `checkPython`: The Python of the checks, the same for all kernels.
{ pythonWith, withBytecode }:
withBytecode {
  environment = pythonWith {
    name = "check-python";
    packages = [ "abi3info" "auditwheel" "kernels" "macholib" ];
  };
  modules = [ "abi3info" "auditwheel.policy" "elftools.elf.elffile" "kernels" "macholib.MachO" ];
}
