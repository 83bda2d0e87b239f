# Edition 2 marked kernels without compiled code as universal (edition 1 did so
# in [torch]), took the backends from the components, and had the bounds of CUDA
# in [general] itself.
{
  general,
  kernel,
  schema,
  table,
  unchanged,
  ...
}:
let
  inherit (builtins)
    attrValues
    elem
    filter
    isAttrs
    isString
    listToAttrs
    removeAttrs
    toJSON
    ;

  universal =
    toml:
    let
      torch = table (toml.torch or { });
      at = if (general toml) ? universal then "general.universal" else "torch.universal";
      value = (general toml).universal or torch.universal;
      plain = toml // {
        general = removeAttrs (general toml) [ "universal" ];
      };
    in
    if !(general toml) ? universal && !torch ? universal then
      unchanged toml
    else if value != true then
      {
        toml = plain // (if toml ? torch then { torch = removeAttrs torch [ "universal" ]; } else { });
        notes = [
          {
            edition = 2;
            inherit at;
            found = toJSON value;
            want = "no such key";
          }
        ];
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
        notes = [
          {
            edition = 2;
            inherit at;
            found = "true";
            want = "a section [torch-noarch], and the list general.backends";
          }
        ];
      };

  derivedBackends =
    toml:
    let
      components = filter isAttrs (attrValues (kernel toml));
      named = filter isString (map (component: component.backend or null) components);
      backends = filter (backend: elem backend named) schema.backends;
    in
    if !isAttrs (toml.general or null) || (general toml) ? backends || backends == [ ] then
      unchanged toml
    else
      {
        toml = toml // {
          general = general toml // {
            inherit backends;
          };
        };
        notes = [
          {
            edition = 2;
            at = "general.backends";
            found = "nothing, which means those of the components";
            want = "backends = ${toJSON backends}";
          }
        ];
      };

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
        notes = map (name: {
          edition = 2;
          at = "general.cuda-${name}";
          found = toJSON bounds.${name};
          want = "${name} in a section [general.cuda]";
        }) moved;
      };
in
[
  universal
  derivedBackends
  cudaBounds
]
