# Plain C and C++ as gcc compiles them, and what a language is made of. A language is how files
# with one ending are compiled:
#
# - `compiler`: the program; `translator`: one that rewrites the file before, or null;
# - `standard`: the language standard, out of the year that the unit has;
# - `flags`: its own, `targetFlags`: those for the targets of the component;
# - `flagsKey`: the key of the component that has flags for this compiler, or null;
# - `packages`: those that it always sees;
# - `takeApart`: how a unit is compiled in parts, or null for a language that compiles it whole.
let
  language =
    {
      compiler,
      standard,
      translator ? null,
      flags ? [ ],
      targetFlags ? _: [ ],
      flagsKey ? null,
      packages ? [ ],
      takeApart ? null,
    }:
    {
      inherit
        compiler
        standard
        translator
        flags
        targetFlags
        flagsKey
        packages
        takeApart
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
