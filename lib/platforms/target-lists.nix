# Selects the targets (CUDA capabilities, ROCm architectures) that a component is compiled for: the listed targets that
# the toolkit's compiler supports. Each unsupported target causes a warning. If no target is left, that is a problem.
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
    All targets of a backend that any release of its toolkit supports.

    Type: listTargets :: { backend :: String; } -> [String]
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
    The targets in `requested` (null: the default list of the toolkit) that a release of the toolkit supports.

    # Example

    ```nix
    selectTargets {
      backend = "cuda";
      toolkit = "12.6";
      requested = [ "9.0a" "10.3a" ];
      at = "kernel.relu.cuda-capabilities";
    }
    => { targets = [ "9.0a" ]; warnings = [ { at = "kernel.relu.cuda-capabilities"; … } ]; problems = [ ]; }
    ```

    Type: selectTargets :: { backend :: String; toolkit :: String; requested :: [String] | Null; at :: String; } -> {
      targets :: [String]; warnings :: [Problem]; problems :: [Problem]; }
  */
  selectTargets =
    {
      backend,
      toolkit,
      requested,
      at,
    }:
    let
      inherit (backends.all.${backend}) targets;
      kit = backends.all.${backend}.toolkit;
      version = versions.majorMinor toolkit;
      compiler = kit.releases.${version};
      name = "${kit.name} ${version}";
      narrow =
        if kit.minverKey == null then
          "take it out of the list"
        else
          "set ${kit.minverKey} for the component";
      wanted = lists.unique (if requested == null then compiler.default else requested);
      isSupported = target: elem (targets.compiledAs target) compiler.supported;
      leftOut =
        target:
        let
          toolkits = toolkitsWith backends.all.${backend} target;
        in
        # The text does not name the variant's toolkit, so that several variants have the same warning.
        {
          inherit at;
          want = "targets that the ${kit.name} of every variant compiles for";
        }
        // (
          if toolkits == [ ] then
            {
              found = "${toJSON target}, left out: no known version of ${kit.name} compiles for it";
              fix = "correct it, or take it out of the list";
            }
          else
            {
              found = "${toJSON target}, left out: only ${kit.name} ${concatStringsSep ", " toolkits} can compile for this ${targets.noun}";
              fix = "${narrow}, or let variants of the others lack it";
            }
        );
      kept = filter isSupported wanted;
    in
    {
      targets = targets.inOrder kept;
      # Authors cannot correct the default list, so it causes no warnings.
      warnings = optionals (requested != null) (map leftOut (filter (target: !isSupported target) wanted));
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
