# The targets (CUDA capabilities, ROCm architectures) that a component is compiled for: the listed targets that the
# toolkit's compiler supports. Each unsupported target causes a warning. If no target is left, that is a problem.
{ values, messages, backends, ... }:
let
  inherit (builtins) attrNames concatMap elem filter partition toJSON;
  inherit (values) lists versions;
  inherit (values.lists) optional optionals;

  problems = messages.catalogue.readCatalogue ./target-problems.json;

  isSupported = backend: release: target: elem (backend.targets.compiledAs target) release.supported;

  narrowing =
    toolkit:
    if toolkit.minverKey == null then
      "take it out of the list"
    else
      "set ${toolkit.minverKey} for the component";

  # The text does not name the variant's toolkit, so that several variants have the same warning.
  describeLeftOut =
    { targets, toolkit, ... }@backend:
    at: target:
    let
      capable = filter (version: isSupported backend toolkit.releases.${version} target) (
        versions.ascending (attrNames toolkit.releases)
      );
    in
    (if capable == [ ] then problems.unknown else problems.unsupported) {
      inherit at target capable;
      inherit (targets) noun;
      toolkit = toolkit.name;
      narrowing = narrowing toolkit;
    };

  describeNothingLeft =
    { toolkit, ... }:
    version: at: wanted:
    (if wanted == [ ] then problems.empty else problems.none-left) {
      inherit at version;
      inherit (toolkit.releases.${version}) supported;
      wanted = toJSON wanted;
      toolkit = toolkit.name;
      narrowing = narrowing toolkit;
    };
in
{
  /**
    The targets in `requested` (null: the default list of the toolkit), and those that `flags` at `flagsAt` name, that a
    release of the toolkit supports.

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

    Type: selectTargets :: { backend :: String; toolkit :: String; requested :: [String] | Null; at :: String;
      flags :: [String] ? [ ]; flagsAt :: String ? at; } -> {
      targets :: [String]; warnings :: [Problem]; problems :: [Problem]; }
  */
  selectTargets =
    { backend, toolkit, requested, at, flags ? [ ], flagsAt ? at }:
    let
      of = backends.all.${backend};
      version = versions.majorMinor toolkit;
      release = of.toolkit.releases.${version};
      sort = list: partition (isSupported of release) (lists.unique list);
      wanted = sort (if requested == null then release.default else requested);
      named = sort (concatMap (flag: flag.select release.supported) (of.targets.readFlags flags));
      targets = of.targets.inOrder (wanted.right ++ named.right);
    in
    {
      inherit targets;
      # Authors cannot correct the default list, so it causes no warnings.
      warnings =
        optionals (requested != null) (map (describeLeftOut of at) wanted.wrong)
        ++ map (describeLeftOut of flagsAt) named.wrong;
      problems = optional (targets == [ ]) (describeNothingLeft of version at (wanted.wrong ++ named.wrong));
    };
}
