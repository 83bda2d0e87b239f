# What the units of a kernel include, found once for all of its variants.
{ includes, paths, ... }:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    foldl'
    ;

  unique = foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];
in
{
  /**
    The include graph of all that build.toml names.

    # Type

    ```
    scanKernel :: { root :: Path; config :: Config; } -> Graph
    ```
  */
  scanKernel =
    { root, config }:
    let
      sections =
        map (name: config.kernel.${name}) (attrNames config.kernel)
        ++ (if config.torch == null then [ ] else [ config.torch ]);
      folders = unique (map (paths.join "") (concatMap (section: section.include) sections));
    in
    includes.graph {
      inherit root folders;
      start = unique (
        map (paths.join "") (concatMap (section: section.src) sections)
        ++ concatMap (paths.filesBelow root) folders
      );
    };
}
