# Edition 3: names had `_`, as in Python, and one library had another name. Kernels without compiled
# code had no framework section, or a [torch] without sources.
{ components, edits, explain, explainAbsent, optional, optionals, schema, table, ... }:
let
  inherit (builtins) any filter isAttrs isList isString match replaceStrings toJSON;

  pattern = schema.sections.general.keys.name.pattern;
  # The Python package keeps its name.
  dashes =
    toml:
    let
      name = toml.general.name or null;
      newName = replaceStrings [ "_" ] [ "-" ] name;
    in
    optional (isString name && match pattern name == null && match pattern newName != null) (
      explain (toJSON newName) (edits.setKey [ "general" "name" ] newName)
    );

  inherit (table) newLibraries;
  libraries =
    toml:
    let
      isOld = library: isString library && newLibraries ? ${library};
      dependsOf = component: optionals (isList (component.depends or null)) component.depends;
      rename = library: if isOld library then newLibraries.${library} else library;
      changeOf =
        name:
        let
          depends = dependsOf toml.kernel.${name};
        in
        edits.setKey [ "kernel" name "depends" ] (map rename depends)
        // {
          notes = map (library: {
            found = toJSON library;
            want = toJSON newLibraries.${library};
          }) (filter isOld depends);
        };
    in
    map changeOf (components (_: component: any isOld (dependsOf component)) toml);

  hasOtherFramework =
    toml: any (name: toml ? ${name}) (filter (name: name != "torch") schema.frameworks);

  noarch = "a section [torch-noarch]";
  isBare = toml: !toml ? torch || (isAttrs toml.torch && (toml.torch.src or [ ]) == [ ]);
in
[
  dashes
  libraries
  (
    toml:
    optionals (toml ? general.backends && !hasOtherFramework toml && (toml.kernel or { }) == { } && isBare toml) (
      if toml ? torch then
        optional (toml.torch ? src) (edits.removeKey [ "torch" "src" ])
        ++ [ (explainAbsent "a section without src" noarch (edits.moveKey [ "torch" ] [ "torch-noarch" ])) ]
      else
        [ (explainAbsent "nothing" noarch (edits.setKey [ "torch-noarch" ] { })) ]
    )
  )
]
