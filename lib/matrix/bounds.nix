# The builds of Torch that a kernel is built for, by its backends and by the bounds in build.toml.
{ values, messages, backends, ... }:
let
  inherit (builtins)
    attrNames
    concatMap
    concatStringsSep
    elem
    filter
    toJSON
    ;
  inherit (values) versions;
  inherit (values.attributes) optionalAttrs;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey;

  # The bounds that build.toml states.
  boundsOf =
    config:
    let
      bound = at: section: key: {
        at = "${at}.${key}";
        value = section.${key} or null;
      };
      ofTorch = optionalAttrs (config.torch != null) config.torch;
      ofComponent =
        name:
        let
          component = config.components.${name};
          toolkit = backends.all.${component.backend}.toolkit;
        in
        optionals (toolkit != null && toolkit.minverKey != null) [
          (bound (appendKey "kernel" name) component toolkit.minverKey)
        ];
    in
    filter (bound: bound.value != null) (
      map (bound "torch" ofTorch) [
        "minver"
        "maxver"
        "stable-abi"
      ]
      ++ concatMap (
        backend:
        map (bound "general.${backend}" config.general.${backend}) [
          "minver"
          "maxver"
        ]
      ) config.general.backends
      ++ concatMap ofComponent (attrNames config.components)
    );
in
{
  /**
    Whether a kernel is built for a row of the matrix.

    # Type

    ```
    isWithinBounds :: Config -> Row -> Bool
    ```
  */
  isWithinBounds =
    config: row:
    let
      toolkitBounds = config.general.${row.backend};
      torchBounds =
        if config.torch == null then
          {
            minver = null;
            maxver = null;
          }
        else
          config.torch;
    in
    elem row.backend config.general.backends
    && versions.atLeast torchBounds.minver row.torch
    && versions.atMost torchBounds.maxver row.torch
    && versions.atLeast (toolkitBounds.minver or null) row.toolkit
    && versions.atMost (toolkitBounds.maxver or null) row.toolkit;

  /**
    A problem if a kernel has no variants: its bounds admit no build of Torch.

    # Type

    ```
    checkBounds :: { config :: Config; variants :: [Variant]; } -> [Problem]
    ```
  */
  checkBounds =
    { config, variants }:
    let
      stated = boundsOf config;
    in
    optionals (variants == [ ]) [
      {
        at = if stated == [ ] then "general.backends" else concatStringsSep ", " (map (bound: bound.at) stated);
        found = "no build of Torch for ${toString config.general.backends}${
          concatStringsSep " and" (map (bound: " with ${bound.at} = ${toJSON bound.value}") stated)
        }";
        want = "at least one variant";
        fix = "${if stated == [ ] then "" else "widen the bounds, "}add a backend, or add builds through torchVersions";
      }
    ];
}
