# Edition 3: names had `_`, as in Python, and one library had another name. Kernels without compiled
# code had no framework section, or a [torch] without sources.
{ check, components, edits, general, kernel, note, optionals, schema, ... }:
let
  inherit (builtins) any filter isAttrs isList isString match replaceStrings toJSON;

  pattern = schema.sections.general.keys.name.pattern;
  # The Python package keeps its name.
  dashes =
    toml:
    let
      name = (general toml).name or null;
      newName = replaceStrings [ "_" ] [ "-" ] name;
    in
    optionals (isString name && match pattern name == null && match pattern newName != null) [
      {
        edits = [ (edits.setKey [ "general" "name" ] newName) ];
        notes = [ (note "general.name" (toJSON name) (toJSON newName)) ];
      }
    ];

  newLibraries.cutlass_sycl = "sycl_tla";
  libraries =
    toml:
    let
      isOld = library: isString library && newLibraries ? ${library};
      dependsOf = component: optionals (isList (component.depends or null)) component.depends;
      rename = library: if isOld library then newLibraries.${library} else library;
      changeOf =
        name:
        let
          depends = dependsOf (kernel toml).${name};
          at = "${check.appendKey "kernel" name}.depends";
        in
        {
          edits = [ (edits.setKey [ "kernel" name "depends" ] (map rename depends)) ];
          notes = map (library: note at (toJSON library) (toJSON newLibraries.${library})) (
            filter isOld depends
          );
        };
    in
    map changeOf (components (_: component: any isOld (dependsOf component)) toml);

  hasOtherFramework =
    toml: any (name: toml ? ${name}) (filter (name: name != "torch") schema.frameworks);

  isBare = toml: !toml ? torch || (isAttrs toml.torch && (toml.torch.src or [ ]) == [ ]);
in
[
  dashes
  libraries
  (
    toml:
    optionals ((general toml) ? backends && !hasOtherFramework toml && kernel toml == { } && isBare toml) [
      {
        edits =
          if toml ? torch then
            optionals (toml.torch ? src) [ (edits.removeKey [ "torch" "src" ]) ]
            ++ [ (edits.moveKey [ "torch" ] [ "torch-noarch" ]) ]
          else
            [ (edits.setKey [ "torch-noarch" ] { }) ];
        notes = [
          (note "torch" (if toml ? torch then "a section without src" else "nothing")
            "a section [torch-noarch]"
          )
        ];
      }
    ]
  )
]
