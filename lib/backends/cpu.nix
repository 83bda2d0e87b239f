# The processor itself: plain C++ with gcc.
let
  cxx = {
    compiler = "g++";
    flags = [ ];
  };
in
{
  definitions = [ "CPU_KERNEL" ];
  languages = {
    c = {
      compiler = "gcc";
      flags = [ ];
    };
    cc = cxx;
    cpp = cxx;
    cxx = cxx;
  };
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
}
