{ compilers, gcc, ... }:
{
  languages.standards = [
    (builtins.mapAttrs (_: language: language.standard "20") gcc.languages)
    {
      c = "gnu17"; cc = "gnu++20"; cpp = "gnu++20"; cxx = "gnu++20";
    }
  ];
  # Else two builds of one kernel would share templates' static data.
  optimised.nothingIsUnique = [
    (builtins.elem "-fno-gnu-unique" (compilers.language.selectFlags "first" { } gcc.languages.cpp.flags))
    true
  ];
  linker.program = [ gcc.linker.program "g++" ];
}
