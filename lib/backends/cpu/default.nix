# The processor itself.
{ compilers, ... }:
{
  systems = [
    "aarch64-darwin"
    "aarch64-linux"
    "x86_64-linux"
  ];
  preference = 5;
  isPresent = "true";
  isEverywhere = true;
  definitions = [ "CPU_KERNEL" ];
  inherit (compilers.gcc) languages linker;
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  onDarwin = {
    # Published kernels for the processor of Macs are built for this version.
    inherit (compilers.clang.targetMacos { least = "15.0"; }) languages linker;
  };
}
