# Edition 2: `universal` marked kernels without compiled code (in [torch] in edition 1), the components
# implied the list of backends, and [general] had the bounds of CUDA.
{ check, components, edits, general, isTableOrAbsent, kernel, note, optionals, schema, setOrEmpty }:
let
  inherit (builtins) attrNames elem filter isAttrs toJSON;

  # The backends that `universal` stood for. Do not add newer backends: old files were not written for them.
  universalBackends = [ "cann" "cpu" "cuda" "metal" "neuron" "rocm" "xpu" ];

  # Keys of [torch] that have no meaning without compiled code. `src` stays: sources contradict
  # `universal`, and the later check reports them.
  unusedKeys =
    torch:
    filter (
      key: !elem key [ "pyext" "universal" ] && !(key == "src" && torch.src != [ ])
    ) (attrNames torch);

  toNoarch =
    toml: torch:
    optionals (!(general toml) ? backends) [ (edits.setKey [ "general" "backends" ] universalBackends) ]
    ++ map (key: edits.removeKey [ "torch" key ]) (unusedKeys torch)
    ++ [
      (if toml ? torch then edits.moveKey [ "torch" ] [ "torch-noarch" ] else edits.setKey [ "torch-noarch" ] { })
    ];

  universal =
    toml:
    let
      torch = setOrEmpty (toml.torch or { });
      marks = filter (section: (setOrEmpty (toml.${section} or { })) ? universal) [ "general" "torch" ];
      isMarked = builtins.any (section: toml.${section}.universal == true) marks;
      isReadable = isTableOrAbsent toml "general" && isTableOrAbsent toml "torch";
      becomesNoarch = isMarked && !toml ? torch-noarch;
    in
    optionals (marks != [ ] && isReadable) [
      {
        edits =
          map (section: edits.removeKey [ section "universal" ]) marks
          ++ optionals becomesNoarch (toNoarch toml torch);
        notes =
          map (
            section:
            note "${section}.universal" (check.showValue toml.${section}.universal) (
              if becomesNoarch then "a section [torch-noarch], and the list general.backends" else "no such key"
            )
          ) marks
          ++ optionals becomesNoarch (
            map (
              key:
              note (check.appendKey "torch" key) (check.showValue torch.${key}) "no such key without compiled code"
            ) (unusedKeys torch)
          );
      }
    ];

  derivedBackends =
    toml:
    let
      isUsed = backend: components (_: component: component.backend or null == backend) toml != [ ];
      backends = filter isUsed schema.backends;
    in
    optionals (isAttrs (toml.general or null) && !(general toml) ? backends && backends != [ ]) [
      {
        edits = [ (edits.setKey [ "general" "backends" ] backends) ];
        notes = [
          (note "general.backends" "nothing, which means those of the components" "backends = ${toJSON backends}")
        ];
      }
    ];

  cudaBounds =
    toml:
    let
      old = name: [ "general" "cuda-${name}" ];
      new = name: [ "general" "cuda" name ];
      moved = filter (name: (general toml) ? "cuda-${name}") [ "minver" "maxver" ];
      # If both are present, the newer key wins.
      isStated = name: (setOrEmpty ((general toml).cuda or { })) ? ${name};
    in
    map (name: {
      edits = [ (if isStated name then edits.removeKey (old name) else edits.moveKey (old name) (new name)) ];
      notes = [
        (note "general.cuda-${name}" (check.showValue (general toml)."cuda-${name}")
          "${name} in a section [general.cuda]"
        )
      ];
    }) (optionals (isTableOrAbsent (general toml) "cuda") moved);

  # Newer versions of the shading language compile sources of older ones.
  shadingLanguage =
    toml:
    let
      key = "metal-std-version";
    in
    map (name: {
      edits = [ (edits.removeKey [ "kernel" name key ]) ];
      notes = [
        (note (check.appendKey (check.appendKey "kernel" name) key) (check.showValue (kernel toml).${name}.${key})
          "no such key: one language is compiled for all"
        )
      ];
    }) (components (_: component: component ? ${key}) toml);
in
[ universal derivedBackends cudaBounds shadingLanguage ]
