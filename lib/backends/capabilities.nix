# Which CUDA capabilities and ROCm architectures a component is compiled for.
#
# What the compiler of a toolkit supports is data (capabilities.json, read off
# `ptxas --help` and AMD's compatibility tables). A kernel's own list is met
# with it; whatever is left out is a warning, and nothing left is a problem.
{ versions, ... }:
let
  inherit (builtins)
    attrNames
    attrValues
    compareVersions
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    fromJSON
    listToAttrs
    match
    readFile
    replaceStrings
    sort
    toJSON
    ;

  table = fromJSON (readFile ./capabilities.json);

  # How people call the two backends, and the key that lists their targets.
  words = {
    cuda = {
      toolkit = "CUDA";
      target = "capability";
      minver = "set cuda-minver for the component";
    };
    rocm = {
      toolkit = "ROCm";
      target = "architecture";
      minver = "leave it out of the list";
    };
  };

  # "9.0a+PTX" is compiled by whoever compiles "9.0a".
  real = replaceStrings [ "+PTX" ] [ "" ];

  # Numeric order for capabilities; architectures keep the order of the table.
  number = target: elemAt (match "([0-9]+\\.[0-9]+).*" target) 0;
  inOrder =
    backend: list:
    if backend == "cuda" then
      sort (
        a: b:
        let
          order = compareVersions (number a) (number b);
        in
        order < 0 || (order == 0 && a < b)
      ) list
    else
      list;

  # "9.0" beside "9.0+PTX" says nothing more.
  withoutRepeats =
    list:
    let
      names = attrNames (
        listToAttrs (
          map (name: {
            inherit name;
            value = null;
          }) list
        )
      );
    in
    filter (name: !elem "${name}+PTX" names) names;

  toolkitsWith =
    backend: target:
    filter (toolkit: elem (real target) table.${backend}.${toolkit}.supported) (
      versions.ascending (attrNames table.${backend})
    );

  self = {
    /** What each toolkit's compiler supports, and its default list, by backend and version. */
    compilers = table;

    /**
      Every target that the compiler of some toolkit of the backend supports.

      # Type

      ```
      known :: { backend :: String; } -> [String]
      ```
    */
    known =
      { backend }:
      inOrder backend (
        withoutRepeats (concatMap (compiler: compiler.supported) (attrValues table.${backend}))
      );

    /**
      The parts of a CUDA capability.

      # Example

      ```nix
      parse "12.0f+PTX"
      => { arch = "120f"; virtual = "120"; isPtx = true; }
      ```

      # Type

      ```
      parse :: String -> { arch :: String; virtual :: String; isPtx :: Bool; }
      ```
    */
    parse =
      capability:
      let
        parts = match "([0-9]+)\\.([0-9])([af]?)(\\+PTX)?" capability;
        virtual = "${elemAt parts 0}${elemAt parts 1}";
      in
      {
        inherit virtual;
        arch = "${virtual}${elemAt parts 2}";
        isPtx = elemAt parts 3 != null;
      };

    /**
      Meet a list of targets (null: the toolkit's default list) with what the
      toolkit's compiler supports.

      # Example

      ```nix
      select {
        backend = "cuda";
        toolkit = "12.6";
        targets = [ "9.0a" "10.3a" ];
        at = "kernel.relu.cuda-capabilities";
      }
      => { targets = [ "9.0a" ]; warnings = [ { at = "kernel.relu.cuda-capabilities"; … } ]; problems = [ ]; }
      ```

      # Type

      ```
      select :: { backend :: String; toolkit :: String; targets :: [String] | Null; at :: String; }
        -> { targets :: [String]; warnings :: [Problem]; problems :: [Problem]; }
      ```
    */
    select =
      { backend, toolkit, targets, at }:
      let
        compiler = table.${backend}.${versions.majorMinor toolkit};
        word = words.${backend};
        name = "${word.toolkit} ${versions.majorMinor toolkit}";
        asked = if targets == null then compiler.default else targets;
        isSupported = target: elem (real target) compiler.supported;
        left = filter (target: !isSupported target) asked;
        others =
          target:
          let
            toolkits = toolkitsWith backend target;
          in
          if toolkits == [ ] then "no version can" else "${concatStringsSep ", " toolkits} can";
        kept = filter isSupported asked;
      in
      {
        targets = if backend == "cuda" then inOrder backend (withoutRepeats kept) else kept;
        warnings = map (target: {
          inherit at;
          found = "${toJSON target}, left out: the compiler of ${name} does not know this ${word.target} (${others target})";
          want = "targets that ${name} compiles for";
          fix = "nothing, if the variant may lack it; else ${word.minver}";
        }) left;
        problems =
          if kept != [ ] then
            [ ]
          else
            [
              {
                inherit at;
                found =
                  if asked == [ ] then
                    "an empty list"
                  else
                    "only targets that ${name} cannot compile for: ${toJSON asked}";
                want = "at least one of ${concatStringsSep ", " (map toJSON compiler.supported)}";
                fix = "add one of them, or ${word.minver}";
              }
            ];
      };
  };
in
self
