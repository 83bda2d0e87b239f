# Plain C and C++, as every backend compiles them with gcc.
let
  cxx = {
    compiler = "g++";
    standard = "gnu++";
    flags = [ ];
    packages = [ ];
  };
in
{
  c = cxx // {
    compiler = "gcc";
    standard = "gnu";
  };
  cc = cxx;
  cpp = cxx;
  cxx = cxx;
}
