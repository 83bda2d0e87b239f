# The builds of Torch that a kernel is built for, by its backends and by the bounds in build.toml.
{ values, messages, backends, matrix, ... }:
let
  inherit (builtins) any concatMap concatStringsSep elem filter isAttrs isList toJSON;
  inherit (values) lists versions;
  inherit (values.lists) optional optionals;
  inherit (matrix.variants) findStableAbi hasCompiledCode;

  # `release` shows the version of a row that the bound is about.
  makeBound = release: isWithin: at: value: {
    inherit at release value;
    admits = row: isWithin value (release row).version;
  };
  ofTorch = row: { name = "Torch"; version = row.torch; };
  ofToolkit =
    { backend, toolkit, ... }:
    { inherit (backends.all.${backend}.toolkit) name; version = toolkit; };

  # A component is left out of variants with an older toolkit. If all components are, no variant is left.
  boundOfComponents =
    config: backend:
    let
      components = filter (section: section.backend == backend) config.sections;
      minvers = map (component: component.minver) components;
      inherit (backends.all.${backend}.toolkit) minverKey;
      at = concatStringsSep ", " (map (component: messages.check.appendKey component.at minverKey) components);
      admitsAny = minvers: version: any (minver: versions.atLeast minver version) minvers;
    in
    optionals (components != [ ] && !elem null minvers) [
      (makeBound ofToolkit admitsAny at (lists.unique minvers))
    ];

  self = {
    /**
      The bounds of a kernel for one backend: the place of each, its value, the function `admits` from a row, and the
      function `release` to the name and version that it compares.

      Type: listBounds :: Config -> String -> [{ at :: String; value :: a; admits :: Row -> Bool; release :: Row -> {
        name, version :: String; }; }]
    */
    listBounds =
      config: backend:
      let
        torch = makeBound ofTorch;
        toolkit = makeBound ofToolkit;
        general = config.general.${backend};
        isOfAll = config.torch == null || !isAttrs config.torch.stable-abi;
        ofSections = filter (bound: bound.value != null) (
          optionals (config.torch != null) [
            (torch versions.atLeast "torch.minver" config.torch.minver)
            (torch versions.atMost "torch.maxver" config.torch.maxver)
          ]
          ++ optionals (hasCompiledCode config backend) [
            (torch versions.atLeast (
              if isOfAll then "torch.stable-abi" else "torch.stable-abi.${backend}"
            ) (findStableAbi config backend))
          ]
          ++ [
            (toolkit versions.atLeast "general.${backend}.minver" (general.minver or null))
            (toolkit versions.atMost "general.${backend}.maxver" (general.maxver or null))
          ]
        );
      in
      ofSections ++ boundOfComponents config backend;

    /**
      A problem if a kernel has no variants: its bounds admit no build of Torch.

      Type: checkBounds :: { config :: Config; variants :: [Variant]; } -> [Problem]
    */
    checkBounds =
      { config, variants }:
      let
        bounds = lists.unique (
          map (bound: { inherit (bound) at value; }) (
            concatMap (self.listBounds config) config.general.backends
          )
        );
      in
      optional (variants == [ ]) (
        (messages.catalogue.readCatalogue ./bounds.json).${if bounds == [ ] then "no-build" else "no-build-within"} {
          at = concatStringsSep ", " (map (bound: bound.at) bounds);
          backends = toString config.general.backends;
          bounds = concatStringsSep " and" (map (bound: " with ${self.showBound bound}") bounds);
        }
      );

    /**
      A bound as messages have it.

      # Example

      ```nix
      showBound { at = "torch.minver"; value = "2.12"; … }
      => "torch.minver = \"2.12\""
      ```

      Type: showBound :: Bound -> String
    */
    showBound =
      { at, value, ... }:
      "${at} = ${if isList value then concatStringsSep ", " (map toJSON value) else toJSON value}";
  };
in
self
