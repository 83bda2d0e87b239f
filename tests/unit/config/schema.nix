{ tables, config, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    filter
    isList
    match
    ;
  inherit (tables) types;
  inherit (config) schema;
  keys = concatMap (section: attrValues section.keys) (attrValues schema.sections);
in
{
  backends.all = {
    expr = schema.backends;
    expected = [
      "cann"
      "cpu"
      "cuda"
      "metal"
      "neuron"
      "rocm"
      "tpu"
      "xpu"
    ];
  };
  edition.isThatOfTheKey = {
    expr = schema.sections.general.keys.edition.default;
    expected = schema.edition;
  };
  frameworks.haveSections = {
    expr = filter (name: !schema.sections ? ${name}) schema.frameworks;
    expected = [ ];
  };
  sections = {
    typesExist = {
      expr = filter (key: !types ? ${key.type}) keys;
      expected = [ ];
    };
    defaultsAreOfTheirType = {
      expr = filter (key: key.default != null && !types.${key.type}.isValid key.default) keys;
      expected = [ ];
    };
    requiredHaveNoDefault = {
      expr = filter (key: key.required && key.default != null) keys;
      expected = [ ];
    };
    everyMeaningIsASentence = {
      expr = filter (key: match "[A-Z].*\\." key.meaning == null) keys;
      expected = [ ];
    };
    patternsAreToldInWords = {
      expr = filter (key: (key.pattern == null) != (key.form == null)) keys;
      expected = [ ];
    };
    editionsExist = {
      expr = filter (key: key.since < 1 || key.since > schema.edition) keys;
      expected = [ ];
    };
    allowedAreLists = {
      expr = filter (key: key.allowed != null && !isList key.allowed) keys;
      expected = [ ];
    };
    names = {
      expr = attrNames schema.sections;
      expected = [
        "general"
        "general.cann"
      "general.cpu"
        "general.cuda"
        "general.hub"
        "general.metal"
        "general.neuron"
      "general.rocm"
      "general.tpu"
        "general.xpu"
        "kernel.NAME"
        "torch"
        "torch-noarch"
        "tvm-ffi"
      ];
    };
  };
}
