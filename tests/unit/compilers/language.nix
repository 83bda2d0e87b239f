{ compilers, ... }:
{
  makeLanguage.hasDefaults = {
    expr =
      (compilers.language.makeLanguage {
        compiler = "vpucc";
        standard = _: "c17";
      }).optimisation;
    expected = [
      "-O3"
      "-DNDEBUG"
      "-fPIC"
    ];
  };
}
