# The processor itself.
_:
let
  inherit (import ./cxx.nix) languages;
in
{
  systems = [
    "aarch64-darwin"
    "aarch64-linux"
    "x86_64-linux"
  ];
  host = "registry";
  preference = 5;
  compute = "cpu";
  isPresent = "true";
  isEverywhere = true;
  definitions = [ "CPU_KERNEL" ];
  inherit languages;
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = {
    program = "g++";
    flags = [ ];
  };
  onDarwin = {
    # As old as published kernels for the processor of Macs are built for.
    inherit (import ./clang.nix { least = "15.0"; }) languages linker;
  };
}
