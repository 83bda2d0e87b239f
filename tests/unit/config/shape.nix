{ config, shape, tables, ... }:
let
  inherit (builtins) attrNames concatMap filter listToAttrs;
  good = { general = { name = "relu"; backends = [ "cpu" ]; }; torch.src = [ "a.cpp" ]; };
  ats = toml: map (problem: problem.at) (shape.checkShape toml);

  # All keys of all sections whose values have several spellings, with a value of such a spelling.
  respelled =
    section:
    listToAttrs (
      map (key: {
        name = key;
        value = " 013";
      }) (filter (key: tables.types.${section.keys.${key}.type} ? read) (attrNames section.keys))
    );
  readSection = name: tables.reader.fillSection config.schema.sections.${name} (respelled config.schema.sections.${name});
in
{
  fillConfig.everyVersionHasOneSpelling = [
    (concatMap (
      name:
      map (key: "${name}.${key} ${(readSection name).${key}}") (attrNames (respelled config.schema.sections.${name}))
    ) (attrNames config.schema.sections))
    [
      "general.cuda.maxver 13"
      "general.cuda.minver 13"
      "kernel.NAME.cuda-minver 13"
      "torch.maxver 13"
      "torch.minver 13"
      "torch.stable-abi 13.0"
    ]
  ];
  checkShape = {
    none = [ (shape.checkShape good) [ ] ];
    requiredKeys = [
      (ats { general = { }; torch = { }; kernel.a = { }; })
      [ "general.backends" "general.name" "torch.src" "kernel.a.backend" "kernel.a.depends" "kernel.a.src" ]
    ];
    componentNameWithUnderscoreFirst = [
      (ats (good // { kernel._a = { backend = "cpu"; depends = [ ]; src = [ ]; }; }))
      [ ]
    ];
  };
  fillConfig = {
    defaults = [
      (shape.fillConfig good).torch
      {
        src = [ "a.cpp" ]; include = [ ]; pyext = [ "py" "pyi" ]; minver = null; maxver = null;
        stable-abi = null; cxx-flags = [ ]; headers = null;
      }
    ];
    absentSectionsAreNull = [ (shape.fillConfig good).torch-noarch null ];
    wrongTypesCountAsAbsent = [
      (shape.fillConfig { general = { name = 3; backends = "cpu"; }; }).general.backends
      [ ]
    ];
    nothingIsNeeded = [ (shape.fillConfig { general = 1; kernel = 2; torch = 3; }).torch.src [ ] ];
  };
}
