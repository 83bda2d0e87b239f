# Edition 3: names had `_`, as in Python, and one library had another name. Kernels without compiled
# code had no framework section, or a [torch] without sources.
{
  check,
  edits,
  general,
  kernel,
  optionals,
  schema,
  unchanged,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    concatMap
    filter
    isAttrs
    isList
    isString
    match
    replaceStrings
    toJSON
    ;

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
        notes = [
          {
            edition = 3;
            at = "general.name";
            found = toJSON name;
            want = toJSON newName;
          }
        ];
      };

  newLibraries.cutlass_sycl = "sycl_tla";
  libraries =
    toml:
    let
      isOld = library: isString library && newLibraries ? ${library};
      dependsOf =
        name:
        let
          component = (kernel toml).${name};
          depends = optionals (isAttrs component) (component.depends or [ ]);
        in
        optionals (isList depends) depends;
      rename = library: if isOld library then newLibraries.${library} else library;
      affectedComponents = filter (name: any isOld (dependsOf name)) (attrNames (kernel toml));
    in
    {
      edits = map (
        name:
        edits.setKey [
          "kernel"
          name
          "depends"
        ] (map rename (dependsOf name))
      ) affectedComponents;
      notes = concatMap (
        name:
        map (library: {
          edition = 3;
          at = "${check.appendKey "kernel" name}.depends";
          found = toJSON library;
          want = toJSON newLibraries.${library};
        }) (filter isOld (dependsOf name))
      ) affectedComponents;
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
          {
            edition = 3;
            at = "torch";
            found = if toml ? torch then "a section without src" else "nothing";
            want = "a section [torch-noarch]";
          }
        ];
      }
  )
]
