{ config, ... }:
let
  inherit (config) endings schema;
in
{
  headers.notUnits = {
    expr = builtins.filter (ending: endings.isUnit { inherit (schema) backends; } "a.${ending}") endings.headers;
    expected = [ ];
  };
  neverIncluded.noSources = {
    expr = builtins.filter (
      ending: builtins.elem ending endings.headers || endings.isUnit { inherit (schema) backends; } "a.${ending}"
    ) endings.neverIncluded;
    expected = [ ];
  };
  foreignSources.notUnits = {
    expr = builtins.filter (ending: endings.isUnit { inherit (schema) backends; } "a.${ending}") endings.foreignSources;
    expected = [ ];
  };
  units.everyBackend = {
    expr = builtins.attrNames endings.units;
    expected = schema.backends;
  };
  isUnit = {
    cuda = {
      expr = endings.isUnit { backends = [ "cuda" ]; } "a/b.cu";
      expected = true;
    };
    otherBackend = {
      expr = endings.isUnit { backends = [ "cpu" ]; } "a/b.cu";
      expected = false;
    };
    any = {
      expr = endings.isUnit {
        backends = [
          "cpu"
          "metal"
        ];
      } "a.mm";
      expected = true;
    };
    none = {
      expr = endings.isUnit { backends = [ ]; } "a.cpp";
      expected = false;
    };
    noEnding = {
      expr = endings.isUnit { backends = [ "cpu" ]; } "folder.cpp/Makefile";
      expected = false;
    };
  };
}
