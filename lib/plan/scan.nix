# What the units of a kernel include, found once for all of its variants.
{
  includes,
  lists,
  paths,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatMap
    mapAttrs
    ;
  inherit (lists) unique;
in
{
  /**
    The include graph of all that build.toml names; each file with its own store path, so
    that a header is read once and not for each unit of each variant.

    # Type

    ```
    scanKernel :: { root :: Path; config :: Config; } -> Graph
    ```
  */
  scanKernel =
    { root, config }:
    let
      sections =
        map (name: config.components.${name}) (attrNames config.components)
        ++ (if config.torch == null then [ ] else [ config.torch ]);
      folders = unique (map (paths.join "") (concatMap (section: section.include) sections));
    in
    mapAttrs (file: scanned: scanned // { inStore = paths.alone (root + "/${file}"); }) (
      includes.graph {
        inherit root folders;
        start = unique (map (paths.join "") (concatMap (section: section.src) sections));
      }
    );
}
