# Which targets (CUDA capabilities, ROCm architectures) a component is compiled for: those that
# the kernel asks for, met with what the compiler of a toolkit supports. Whatever is left out is
# a warning, and nothing left is a problem.
{ values, backends, ... }:
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
  inherit (values) lists versions;
  inherit (values.lists) optionals;

  toolkitsWith =
    { targets, toolkit, ... }:
    target:
    filter (version: elem (targets.compiledAs target) toolkit.releases.${version}.supported) (
      versions.ascending (attrNames toolkit.releases)
    );
in
{
  /**
    Every target that the compiler of some toolkit of the backend supports.

    # Type

    ```
    listTargets :: { backend :: String; } -> [String]
    ```
  */
  listTargets =
    { backend }:
    let
      inherit (backends.all.${backend}) targets toolkit;
    in
    targets.inOrder (
      versions.ascending (
        lists.unique (concatMap (compiler: compiler.supported) (attrValues toolkit.releases))
      )
    );

  /**
    Meet a list of targets (null: the toolkit's default list) with what the
    toolkit's compiler supports.

    # Example

    ```nix
    selectTargets {
      backend = "cuda";
      toolkit = "12.6";
      asked = [ "9.0a" "10.3a" ];
      at = "kernel.relu.cuda-capabilities";
    }
    => { targets = [ "9.0a" ]; warnings = [ { at = "kernel.relu.cuda-capabilities"; … } ]; problems = [ ]; }
    ```

    # Type

    ```
    selectTargets :: { backend :: String; toolkit :: String; asked :: [String] | Null; at :: String; }
      -> { targets :: [String]; warnings :: [Problem]; problems :: [Problem]; }
    ```
  */
  selectTargets =
    {
      backend,
      toolkit,
      asked,
      at,
    }:
    let
      ours = backends.all.${backend};
      inherit (ours) targets;
      version = versions.majorMinor toolkit;
      compiler = ours.toolkit.releases.${version};
      name = "${ours.toolkit.name} ${version}";
      narrow =
        if ours.toolkit.minverKey == null then
          "take it out of the list"
        else
          "set ${ours.toolkit.minverKey} for the component";
      wanted = lists.unique (if asked == null then compiler.default else asked);
      isSupported = target: elem (targets.compiledAs target) compiler.supported;
      leftOut =
        target:
        let
          toolkits = toolkitsWith ours target;
        in
        # The same for all toolkits that lack it: one warning for any number of variants.
        {
          inherit at;
          want = "targets that the ${ours.toolkit.name} of every variant compiles for";
        }
        // (
          if toolkits == [ ] then
            {
              found = "${toJSON target}, left out: no known version of ${ours.toolkit.name} compiles for it";
              fix = "correct it, or take it out of the list";
            }
          else
            {
              found = "${toJSON target}, left out: only ${ours.toolkit.name} ${concatStringsSep ", " toolkits} can compile for this ${targets.noun}";
              fix = "${narrow}, or let variants of the others lack it";
            }
        );
      kept = filter isSupported wanted;
    in
    {
      targets = targets.inOrder kept;
      # Nobody wrote the default list, so there is nothing that an author could correct.
      warnings = optionals (asked != null) (map leftOut (filter (target: !isSupported target) wanted));
      problems =
        optionals (kept == [ ]) [
          {
            inherit at;
            found =
              if wanted == [ ] then
                "an empty list"
              else
                "only targets that ${name} cannot compile for: ${toJSON wanted}";
            want = "at least one of ${concatStringsSep ", " (map toJSON compiler.supported)}";
            fix =
              if wanted == [ ] then
                "add one of them, or delete the key: then the default list is compiled for"
              else
                "add one of them, or ${narrow}";
          }
        ];
    };
}
