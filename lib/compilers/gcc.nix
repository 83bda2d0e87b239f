# C and C++ as gcc compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeLanguage;
  cxx = makeLanguage {
    compiler = "g++";
    standard = year: "gnu++${year}";
    flagsKeys = [ "cxx-flags" ];
    flags = [
      {
        # Up to this heap, in kB, gcc does not look for memory to free. With Torch's headers, that saves 8 % of its time
        # and takes a quarter more memory.
        steps = [ "build" ];
        flags = [ "--param=ggc-min-heapsize=4194304" ];
      }
    ];
  };
in
{
  /** Language by ending. */
  languages = {
    c = makeLanguage {
      compiler = "gcc";
      standard = _: "gnu17";
    };
    cc = cxx;
    cpp = cxx;
    inherit cxx;
  };

  /** The program that links, and its flags. */
  linker = {
    program = "g++";
    flags = [ ];
  };
}
