# Which targets (CUDA capabilities, ROCm architectures) a component is compiled for: those that
# the kernel asks for, met with what the compiler of a toolkit supports. Whatever is left out is
# a warning, and nothing left is a problem.
{
  backends,
  lists,
  versions,
  ...
}:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    filter
    toJSON
    ;

  toolkitsWith =
    { targets, toolkit, ... }:
    target:
    filter (version: elem (targets.compiledAs target) toolkit.versions.${version}.supported) (
      versions.ascending (attrNames toolkit.versions)
    );
in
{
  /**
    Every target that the compiler of some toolkit of the backend supports.

    # Type

    ```
    known :: { backend :: String; } -> [String]
    ```
  */
  known =
    { backend }:
    let
      inherit (backends.${backend}) targets toolkit;
    in
    targets.inOrder (
      versions.ascending (
        lists.unique (concatMap (compiler: compiler.supported) (attrValues toolkit.versions))
      )
    );

  /**
    Meet a list of targets (null: the toolkit's default list) with what the
    toolkit's compiler supports.

    # Example

    ```nix
    select {
      backend = "cuda";
      toolkit = "12.6";
      asked = [ "9.0a" "10.3a" ];
      at = "kernel.relu.cuda-capabilities";
    }
    => { targets = [ "9.0a" ]; warnings = [ { at = "kernel.relu.cuda-capabilities"; … } ]; problems = [ ]; }
    ```

    # Type

    ```
    select :: { backend :: String; toolkit :: String; asked :: [String] | Null; at :: String; }
      -> { targets :: [String]; warnings :: [Problem]; problems :: [Problem]; }
    ```
  */
  select =
    {
      backend,
      toolkit,
      asked,
      at,
    }:
    let
      ours = backends.${backend};
      inherit (ours) targets;
      version = versions.majorMinor toolkit;
      compiler = ours.toolkit.versions.${version};
      name = "${ours.toolkit.name} ${version}";
      narrow =
        if ours.toolkit.minverKey == null then
          "leave it out of the list"
        else
          "set ${ours.toolkit.minverKey} for the component";
      wanted = if asked == null then compiler.default else asked;
      isSupported = target: elem (targets.compiledAs target) compiler.supported;
      leftOut =
        target:
        let
          toolkits = toolkitsWith ours target;
        in
        {
          inherit at;
          want = "targets that ${name} compiles for";
        }
        // (
          if toolkits == [ ] then
            {
              found = "${toJSON target}, left out: no known version of ${ours.toolkit.name} compiles for it";
              fix = "nothing, if variants may lack it; else correct it";
            }
          else
            {
              found = "${toJSON target}, left out: the compiler of ${name} does not know this ${targets.noun} (${concatStringsSep ", " toolkits} can)";
              fix = "nothing, if the variant may lack it; else ${narrow}";
            }
        );
      kept = filter isSupported wanted;
    in
    {
      targets = targets.inOrder kept;
      warnings = map leftOut (filter (target: !isSupported target) wanted);
      problems =
        if kept != [ ] then
          [ ]
        else
          [
            {
              inherit at;
              found =
                if wanted == [ ] then
                  "an empty list"
                else
                  "only targets that ${name} cannot compile for: ${toJSON wanted}";
              want = "at least one of ${concatStringsSep ", " (map toJSON compiler.supported)}";
              fix = "add one of them, or ${narrow}";
            }
          ];
    };
}
