{ compilers, ... }:
let
  inherit (compilers) gcc;
in
{
  languages.standards = {
    expr = builtins.mapAttrs (_: language: language.standard "20") gcc.languages;
    expected = {
      c = "gnu17";
      cc = "gnu++20";
      cpp = "gnu++20";
      cxx = "gnu++20";
    };
  };
  linker.program = {
    expr = gcc.linker.program;
    expected = "g++";
  };
}
