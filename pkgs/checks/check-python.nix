# `checkPython`: The Python of the checks, the same for all kernels.
{ pythonWith, withBytecode }:
withBytecode {
  environment = pythonWith {
    name = "check-python";
    packages = [ "abi3info" "auditwheel" "kernels" "macholib" ];
    # Of `kernels`, the checks import the compiled module alone.
    without = [ "huggingface-hub" "pyyaml" "sigstore" "tomlkit" ];
  };
  modules = [ "abi3info" "auditwheel.policy" "elftools.elf.elffile" "macholib.MachO" ];
}
