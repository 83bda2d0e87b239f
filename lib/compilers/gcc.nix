# C and C++ as gcc compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeLanguage;
  cxx = makeLanguage {
    compiler = "g++";
    standard = year: "gnu++${year}";
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
