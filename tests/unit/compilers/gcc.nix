{ compilers, ... }:
let
  inherit (compilers) gcc;
in
{
  languages.standards = [
    (builtins.mapAttrs (_: language: language.standard "20") gcc.languages)
    {
      c = "gnu17";
      cc = "gnu++20";
      cpp = "gnu++20";
      cxx = "gnu++20";
    }
  ];
  linker.program = [ gcc.linker.program "g++" ];
}
