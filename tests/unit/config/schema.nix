{ schema, tables, ... }:
let
  inherit (builtins) attrNames attrValues concatMap filter isList match;
  inherit (tables) types;
  keys = concatMap (section: attrValues section.keys) (attrValues schema.sections);
in
{
  backends.all = [ schema.backends [ "cann" "cpu" "cuda" "metal" "neuron" "rocm" "tpu" "xpu" ] ];
  edition.isThatOfTheKey = [ schema.sections.general.keys.edition.default schema.edition ];
  frameworks.haveSections = [ (filter (name: !schema.sections ? ${name}) schema.frameworks) [ ] ];
  sections = {
    typesExist = [ (filter (key: !types ? ${key.type}) keys) [ ] ];
    defaultsAreOfTheirType = [ (filter (key: key.default != null && !types.${key.type}.isValid key.default) keys) [ ] ];
    requiredHaveNoDefault = [ (filter (key: key.required && key.default != null) keys) [ ] ];
    everyMeaningIsASentence = [ (filter (key: match "[A-Z].*\\." key.meaning == null) keys) [ ] ];
    patternsAreToldInWords = [ (filter (key: (key.pattern == null) != (key.form == null)) keys) [ ] ];
    editionsExist = [ (filter (key: key.since < 1 || key.since > schema.edition) keys) [ ] ];
    allowedAreLists = [ (filter (key: key.allowed != null && !isList key.allowed) keys) [ ] ];
    names = [
      (attrNames schema.sections)
      [
        "general" "general.cann" "general.cpu" "general.cuda" "general.hub" "general.metal" "general.neuron"
        "general.rocm" "general.tpu" "general.xpu" "kernel.NAME" "torch" "torch-noarch" "tvm-ffi"
      ]
    ];
  };
}
