# Plain C and C++ as gcc compiles them, and what a language is made of. A language is how files
# with one ending are compiled:
#
# - `compiler`: the program; `translator`: one that rewrites the file before, or null;
# - `standard`: the language standard, out of the year that the unit has;
# - `flags`: its own;
# - `flagsKey`: the key of the component that has flags for this compiler, or null;
# - `packages`: those that it always sees;
# - `optimisation`: the flags that come first;
# - `takeApart`: how a unit is compiled in parts, or null for a language that compiles it whole;
# - `leanHeaders`: whether its parts are tried with lean headers of Torch;
# - `isUnique`: whether its compiler shares things over the whole process (`STB_GNU_UNIQUE`), as gcc
#   does unless it is told not to, which clang cannot be told;
# - `isEmbedded`: whether units are put into a library that others embed, rather than linked.
let
  language =
    {
      compiler,
      standard,
      translator ? null,
      optimisation ? [
        "-O3"
        "-DNDEBUG"
        "-fPIC"
      ],
      flags ? [ ],
      flagsKey ? null,
      packages ? [ ],
      takeApart ? null,
      leanHeaders ? true,
      isUnique ? true,
      isEmbedded ? false,
    }:
    {
      inherit
        compiler
        standard
        translator
        optimisation
        flags
        flagsKey
        packages
        takeApart
        leanHeaders
        isUnique
        isEmbedded
        ;
    };
  cxx = language {
    compiler = "g++";
    standard = year: "gnu++${year}";
  };
in
{
  inherit language;

  languages = {
    c = language {
      compiler = "gcc";
      standard = _: "gnu17";
    };
    cc = cxx;
    cpp = cxx;
    inherit cxx;
  };
}
