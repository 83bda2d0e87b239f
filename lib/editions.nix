# Older editions of build.toml, read as the newest one where their meaning is
# plain. What cannot be read stays as it is and is answered as an unknown key.
#
# Every step is one change between two editions. A step that has nothing to do
# leaves the file alone and says nothing; one that changes it leaves a warning.
{ check, schema, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    filter
    foldl'
    isAttrs
    isInt
    isString
    listToAttrs
    mapAttrs
    removeAttrs
    toJSON
    ;

  table = value: if isAttrs value then value else { };
  general = toml: table (toml.general or { });
  components = toml: filter isAttrs (attrValues (table (toml.kernel or { })));

  note = edition: at: found: want: {
    inherit at found want;
    edition = edition;
  };

  unchanged = toml: {
    inherit toml;
    notes = [ ];
  };

  # Edition 1 named a language instead of a backend; `cuda-hipify` meant both.
  languages =
    toml:
    let
      kernel = table (toml.kernel or { });
      isOld =
        name: isAttrs kernel.${name} && kernel.${name} ? language && !kernel.${name} ? backend;
      old = filter isOld (attrNames kernel);
      without = component: keys: removeAttrs component ([ "language" ] ++ keys);
      split =
        name:
        let
          component = kernel.${name};
          backend = if component.language == "metal" then "metal" else "cuda";
          cuda = {
            inherit name;
            value = without component [ "rocm-archs" ] // {
              inherit backend;
            };
          };
          rocm = {
            name = "${name}_rocm";
            value = without component [ "cuda-capabilities" ] // {
              backend = "rocm";
            };
          };
        in
        if component.language == "cuda-hipify" then
          [
            cuda
            rocm
          ]
        else
          [ cuda ];
      known = filter (
        name:
        elem kernel.${name}.language [
          "cuda"
          "cuda-hipify"
          "metal"
        ]
      ) old;
    in
    if known == [ ] then
      unchanged toml
    else
      {
        toml = toml // {
          kernel = removeAttrs kernel known // listToAttrs (concatMap split known);
        };
        notes = map (
          name:
          note 1 "${check.under "kernel" name}.language" (toJSON kernel.${name}.language)
            "a component of each backend, with the key backend"
        ) known;
      };

  # Edition 1 let the backend of a component be absent, and meant CUDA.
  absentBackends =
    toml:
    let
      kernel = table (toml.kernel or { });
      isOld =
        name: isAttrs kernel.${name} && !kernel.${name} ? backend && !kernel.${name} ? language;
      old = filter isOld (attrNames kernel);
    in
    if old == [ ] || (general toml) ? backends || (general toml) ? edition then
      unchanged toml
    else
      {
        toml = toml // {
          kernel = kernel // listToAttrs (
            map (name: {
              inherit name;
              value = kernel.${name} // {
                backend = "cuda";
              };
            }) old
          );
        };
        notes = map (
          name: note 1 "${check.under "kernel" name}.backend" "nothing, which meant \"cuda\"" "backend = \"cuda\""
        ) old;
      };

  # Editions 1 and 2 marked kernels without compiled code as universal.
  universal =
    toml:
    let
      torch = table (toml.torch or { });
      isUniversal = (general toml).universal or false == true || torch.universal or false == true;
      isMarked = (general toml) ? universal || torch ? universal;
      at = if (general toml) ? universal then "general.universal" else "torch.universal";
      plain =
        toml
        // {
          general = removeAttrs (general toml) [ "universal" ];
        }
        // (if toml ? torch then { torch = removeAttrs torch [ "universal" ]; } else { });
    in
    if !isMarked then
      unchanged toml
    else if !isUniversal then
      {
        toml = plain;
        notes = [ (note 2 at "false" "no such key") ];
      }
    else
      {
        toml = removeAttrs plain [ "torch" ] // {
          general = {
            inherit (schema) backends;
          }
          // plain.general;
          torch-noarch = if torch ? pyext then { inherit (torch) pyext; } else { };
        };
        notes = [ (note 2 at "true" "a section [torch-noarch] and the list general.backends") ];
      };

  # Before edition 3 the backends were those of the components.
  derivedBackends =
    toml:
    let
      named = filter isString (map (component: component.backend or null) (components toml));
      backends = filter (backend: elem backend named) schema.backends;
    in
    if !toml ? general || (general toml) ? backends || backends == [ ] || (general toml) ? edition then
      unchanged toml
    else
      {
        toml = toml // {
          general = general toml // {
            inherit backends;
          };
        };
        notes = [
          (note 2 "general.backends" "nothing, which meant the components' backends" "backends = ${toJSON backends}")
        ];
      };

  # Edition 2 had the CUDA bounds in [general] itself.
  cudaBounds =
    toml:
    let
      moved = filter (name: (general toml) ? "cuda-${name}") [
        "minver"
        "maxver"
      ];
      bounds = listToAttrs (
        map (name: {
          inherit name;
          value = (general toml)."cuda-${name}";
        }) moved
      );
    in
    if moved == [ ] then
      unchanged toml
    else
      {
        toml = toml // {
          general = removeAttrs (general toml) (map (name: "cuda-${name}") moved) // {
            cuda = bounds // table ((general toml).cuda or { });
          };
        };
        notes = map (
          name: note 2 "general.cuda-${name}" (toJSON bounds.${name}) "${name} in a section [general.cuda]"
        ) moved;
      };

  # Edition 3 had no word for a kernel without compiled code.
  absentFramework =
    toml:
    let
      torch = table (toml.torch or { });
      hasFramework = builtins.any (name: toml ? ${name}) (
        filter (name: name != "torch") schema.frameworks
      );
      isEmptyTorch = toml ? torch && isAttrs toml.torch && (torch.src or [ ]) == [ ];
      hasComponents = table (toml.kernel or { }) != { };
    in
    if
      !toml ? general
      || hasFramework
      || hasComponents
      || (general toml) ? edition
      || (toml ? torch && !isEmptyTorch)
    then
      unchanged toml
    else
      {
        toml = removeAttrs toml [ "torch" ] // {
          torch-noarch = if torch ? pyext then { inherit (torch) pyext; } else { };
        };
        notes = [
          (note 3 "torch" (if toml ? torch then "a section without src" else "nothing") "a section [torch-noarch]")
        ];
      };

  # Edition 4 had lists of capabilities and architectures for the whole kernel.
  generalTargets =
    {
      backend,
      key,
      newKey,
    }:
    toml:
    let
      part = table ((general toml).${backend} or { });
      add =
        component:
        if isAttrs component && component.backend or null == backend then
          { ${newKey} = part.${key}; } // component
        else
          component;
    in
    if !part ? ${key} then
      unchanged toml
    else
      {
        toml =
          toml
          // {
            general = general toml // {
              ${backend} = removeAttrs part [ key ];
            };
          }
          // (if toml ? kernel && isAttrs toml.kernel then { kernel = mapAttrs (_: add) toml.kernel; } else { })
          // (
            if toml ? torch-noarch && isAttrs toml.torch-noarch then
              { torch-noarch = { ${newKey} = part.${key}; } // toml.torch-noarch; }
            else
              { }
          );
        notes = [
          (note 4 "general.${backend}.${key}" (toJSON part.${key}) "${newKey} in each component or in [torch-noarch]")
        ];
      };

  steps = [
    languages
    absentBackends
    universal
    derivedBackends
    cudaBounds
    absentFramework
    (generalTargets {
      backend = "cuda";
      key = "capabilities";
      newKey = "cuda-capabilities";
    })
    (generalTargets {
      backend = "rocm";
      key = "archs";
      newKey = "rocm-archs";
    })
  ];

  # A number of an older edition is dropped once the steps have run.
  current =
    toml:
    let
      edition = (general toml).edition or null;
    in
    if isInt edition && edition >= 1 && edition < schema.edition then
      {
        toml = toml // {
          general = general toml // {
            inherit (schema) edition;
          };
        };
        notes = [ (note edition "general.edition" (toString edition) (toString schema.edition)) ];
      }
    else
      unchanged toml;
in
{
  /**
    Read a build.toml of any edition as one of the newest.

    # Type

    ```
    upgrade :: AttrSet -> { toml :: AttrSet; warnings :: [Problem]; }
    ```
  */
  upgrade =
    toml:
    let
      isCurrent = (general toml).edition or null == schema.edition;
      isOldNumber = isInt ((general toml).edition or null) && !isCurrent;
      # The steps see no edition, so that a file which states an old one is
      # read like one that states none.
      start =
        if isOldNumber && (general toml).edition < schema.edition then
          toml // { general = removeAttrs (general toml) [ "edition" ]; }
        else
          toml;
      done =
        foldl'
          (
            state: step:
            let
              result = step state.toml;
            in
            {
              inherit (result) toml;
              notes = state.notes ++ result.notes;
            }
          )
          {
            toml = start;
            inherit (current toml) notes;
          }
          steps;
    in
    if isCurrent then
      {
        inherit toml;
        warnings = [ ];
      }
    else
      {
        inherit (done) toml;
        warnings = map (
          { at, found, want, edition }:
          {
            inherit at want;
            found = "${found}, as edition ${toString edition} has it";
            fix = "run `kernel-builder update-build`";
          }
        ) done.notes;
      };
}
