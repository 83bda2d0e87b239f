# The processor itself.
{
  definitions = [ "CPU_KERNEL" ];
  packages = [ ];
  languages = import ./cxx.nix;
  targetFlags = _: [ ];
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = {
    program = "g++";
    flags = [ ];
  };
}
