# Edition 3: names had `_`, as in Python, and one library had another name. Kernels without compiled
# code had no framework section, or a [torch] without sources.
{ check, components, edits, general, kernel, note, optionals, schema, unchanged, ... }:
let
  inherit (builtins) any concatMap filter isAttrs isList isString match replaceStrings toJSON;

  pattern = schema.sections.general.keys.name.pattern;
  # The Python package keeps its name.
  dashes =
    toml:
    let
      name = (general toml).name or null;
      newName = replaceStrings [ "_" ] [ "-" ] name;
    in
    if !isString name || match pattern name != null || match pattern newName == null then
      unchanged
    else
      {
        edits = [ (edits.setKey [ "general" "name" ] newName) ];
        notes = [ (note "general.name" (toJSON name) (toJSON newName)) ];
      };

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
      changes = map changeOf (components (_: component: any isOld (dependsOf component)) toml);
    in
    {
      edits = concatMap (change: change.edits) changes;
      notes = concatMap (change: change.notes) changes;
    };

  hasOtherFramework =
    toml: any (name: toml ? ${name}) (filter (name: name != "torch") schema.frameworks);

  isBare = toml: !toml ? torch || (isAttrs toml.torch && (toml.torch.src or [ ]) == [ ]);
in
[
  dashes
  libraries
  (
    toml:
    if !(general toml) ? backends || hasOtherFramework toml || kernel toml != { } || !isBare toml then
      unchanged
    else
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
  )
]
