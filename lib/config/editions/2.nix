# Edition 2: `universal` marked kernels without compiled code (in [torch] in edition 1), the components
# implied the list of backends, and [general] had the bounds of CUDA.
{
  components,
  edits,
  explain,
  explainAbsent,
  isTableOrAbsent,
  optional,
  optionals,
  schema,
  table,
  ...
}:
let
  inherit (builtins) attrNames elem filter isAttrs toJSON;

  # Keys of [torch] that have no meaning without compiled code. `src` stays: sources contradict
  # `universal`, and the later check reports them.
  unusedKeys =
    torch:
    filter (
      key: !elem key [ "pyext" "universal" ] && !(key == "src" && torch.src != [ ])
    ) (attrNames torch);

  toNoarch =
    toml:
    optional (!toml ? general.backends) (edits.setKey [ "general" "backends" ] table.universalBackends)
    ++ map (
      key: explain "no such key without compiled code" (edits.removeKey [ "torch" key ])
    ) (optionals (toml ? torch) (unusedKeys toml.torch))
    ++ [
      (if toml ? torch then edits.moveKey [ "torch" ] [ "torch-noarch" ] else edits.setKey [ "torch-noarch" ] { })
    ];

  universal =
    toml:
    let
      marks = filter (section: toml ? ${section}.universal) [ "general" "torch" ];
      isMarked = builtins.any (section: toml.${section}.universal == true) marks;
      isReadable = isTableOrAbsent toml "general" && isTableOrAbsent toml "torch";
      becomesNoarch = isMarked && !toml ? torch-noarch;
    in
    optionals (marks != [ ] && isReadable) (
      map (
        section:
        explain (
          if becomesNoarch then "a section [torch-noarch], and the list general.backends" else "no such key"
        ) (edits.removeKey [ section "universal" ])
      ) marks
      ++ optionals becomesNoarch (toNoarch toml)
    );

  derivedBackends =
    toml:
    let
      isUsed = backend: components (_: component: component.backend or null == backend) toml != [ ];
      backends = filter isUsed schema.backends;
    in
    optional (isAttrs (toml.general or null) && !toml ? general.backends && backends != [ ]) (
      explainAbsent "nothing, which means those of the components" "backends = ${toJSON backends}" (
        edits.setKey [ "general" "backends" ] backends
      )
    );

  cudaBounds =
    toml:
    let
      old = name: [ "general" "cuda-${name}" ];
      new = name: [ "general" "cuda" name ];
      moved = filter (name: toml ? general."cuda-${name}") [ "minver" "maxver" ];
    in
    map (
      name:
      explain "${name} in a section [general.cuda]" (
        # If both are present, the newer key wins.
        if toml ? general.cuda.${name} then
          edits.removeKey (old name)
        else
          edits.moveKey (old name) (new name)
      )
    ) (optionals (isTableOrAbsent (toml.general or { }) "cuda") moved);

  # Newer versions of the shading language compile sources of older ones.
  shadingLanguage =
    toml:
    let
      key = "metal-std-version";
    in
    map (
      name: explain "no such key: one language is compiled for all" (edits.removeKey [ "kernel" name key ])
    ) (components (_: component: component ? ${key}) toml);
in
[ universal derivedBackends cudaBounds shadingLanguage ]
