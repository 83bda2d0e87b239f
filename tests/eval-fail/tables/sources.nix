# Paths in `src` and `include`. tests/unit/kernels/odd has a text file and links to another kernel.
import ../shared/changes.nix {
  root = ../../unit/kernels/odd;
  base = { general.name = "odd"; general.backends = [ "cpu" ]; torch.src = [ "src/a.cpp" ]; };
} {
  paths.torch.src = [
    "src/a.cpp"
    "/etc/hostname"
    "linked/relu.cpp"
    ""
    "src/b.cu"
    "src"
    "src/b.f90"
    "src/linked.cpp"
    "lib/a.cpp"
    "src/a.hh"
    "src/unknown.cpp"
    "-fplugin=evil.cpp"
    "src/../../relu/relu_cpu/relu.cpp"
    "../relu/relu_cpu/relu.cpp"
    "src/*.cpp"
  ];
  folders.torch.include = [ "src" "src/a.h" "include" ".." "linked" ];
  headers-only.torch.src = [ "src/a.h" ];
  none.kernel.a = { backend = "cpu"; depends = [ "torch" ]; src = [ ]; };
}
