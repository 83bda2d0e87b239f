# Narrows variants to a few targets, to try a kernel on one machine (`--capability`).
#
# A device gets the same code as in the full variant, from the same derivations: units know the targets
# of the full variant (`listed`) and compile for fewer. `bestFor` of the backend finds the target for a device.
{ values, messages, backends, platforms, matrix, ... }:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    filter
    head
    mapAttrs
    match
    toJSON
    ;
  inherit (values) lists;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey checkChoice throwProblems;
  inherit (platforms.targetLists) listTargets selectTargets;
  inherit (matrix.variants) listVariantTargets;
  inherit (lists) unique;

  at = "--capability";
  backendsWithTargets = filter (backend: backend.targets != null) (attrValues backends.all);
  isTarget = backend: word: backend.targets != null && match backend.targets.pattern word != null;
  # Variants without compiled code have targets for their metadata only.
  isNarrowed =
    words: variant: variant.compiled && variant.targets != { } && any (isTarget backends.all.${variant.backend}) words;

  problemsOf =
    all: word:
    let
      found = toJSON word;
      matching = filter (backend: isTarget backend word) backendsWithTargets;
      backend = head matching;
      isKnown = elem (backend.targets.compiledAs word) known;
      known = listTargets { backend = backend.name; };
    in
    if matching == [ ] then
      [
        {
          inherit at found;
          want = concatStringsSep ", or " (map (backend: backend.targets.form) backendsWithTargets);
          fix = "write it as build.toml does";
        }
      ]
    else if !isKnown then
      checkChoice {
        inherit at;
        allowed = known;
      } word
    else
      optionals (!any (isNarrowed [ word ]) all) [
        {
          inherit at;
          found = "${found}, a target of ${backend.name}";
          want = "a target that the kernel has code for: it compiles none for ${backend.name}";
          fix = "leave it out, or add a component for ${backend.name}";
        }
      ];

  narrowOne =
    requested: variant:
    let
      backend = backends.all.${variant.backend};
      inherit (backend.targets) bestFor deviceOf inOrder;
      words = filter (isTarget backend) requested;
      listed = variant.targets;
      isRunBy = list: word: bestFor (deviceOf word) list != null;
      isPortable = any backend.targets.isPortable;
      isListedAnywhere = word: any (list: isRunBy list word) (attrValues listed);
      # A component that lists only targets such as "9.0a" is compiled for another device only if no component lists
      # a portable target or has code for that device.
      isCompilable = list: word: isPortable list || !any isPortable (attrValues listed) && !isListedAnywhere word;

      narrowComponent =
        list:
        let
          best = map (word: bestFor (deviceOf word) list) (filter (isRunBy list) words);
          unlisted = filter (word: !isRunBy list word && isCompilable list word) words;
          added =
            if unlisted == [ ] then
              {
                targets = [ ];
                warnings = [ ];
                problems = [ ];
              }
            else
              selectTargets {
                inherit (variant) backend toolkit;
                requested = unlisted;
                inherit at;
              };
          chosen = best ++ added.targets;
        in
        added
        // {
          inherit unlisted;
          chosen =
            if chosen != [ ] || list == [ ] then
              inOrder (unique chosen)
            # Other components have the code for these devices, but the link needs this component, too.
            else
              [ (head list) ];
          problems =
            optionals (best == [ ]) (
              map (
                problem:
                problem
                // {
                  fix = "build a variant whose ${backend.toolkit.name} compiles for it";
                }
              ) added.problems
            );
        };
      narrowed = mapAttrs (_: list: if list == [ ] then null else narrowComponent list) listed;
      results = filter (result: result != null) (attrValues narrowed);
      chosenOf = name: optionals (narrowed.${name} != null) narrowed.${name}.chosen;

      isAdded = target: name: narrowed.${name} != null && elem target narrowed.${name}.targets;
      places = target: filter (isAdded target) (attrNames listed);
      sectionOf = name: if elem name variant.components then appendKey "kernel" name else name;
      noteOfAdded = target: {
        inherit at;
        found = "${toJSON target}, which can load nothing that ${
          concatStringsSep ", " (map sectionOf (places target))
        } lists; only this build compiles for it";
        want = "a target that it can load, beside ${concatStringsSep ", " (map toJSON (listVariantTargets variant))}";
        fix = "add it to ${backend.targets.key} before you publish, if the kernel is to run there";
      };
    in
    variant
    // {
      partial = words;
      targets = mapAttrs (name: _: chosenOf name) listed;
      listed = mapAttrs (name: list: inOrder (unique (list ++ chosenOf name))) listed;
      warnings =
        unique (concatMap (result: result.warnings) results)
        ++ map noteOfAdded (unique (concatMap (result: result.targets) results));
      problems = variant.problems ++ unique (concatMap (result: result.problems) results);
    };
in
{
  /**
    The variants of a kernel, compiled for the requested targets only. Variants of other backends are
    unchanged. A narrowed variant has `partial`, the requested targets, and `listed`, the targets of the
    full variant.

    A component is compiled for the target in its list that runs on the device (`bestFor` of the
    backend). If there is none, it is compiled for the device itself, with a warning. If it lists only
    targets such as "9.0a", and other components have code for the device, it is compiled for the first
    of its targets, because the link needs it.

    Type: narrowVariants :: { variants :: [Variant]; requested :: [String]; } -> [Variant]

    # Errors

    A word is not a target, no toolkit knows it, or the kernel compiles nothing for its backend.
  */
  narrowVariants =
    { variants, requested }:
    let
      words = unique requested;
    in
    throwProblems "the kernel cannot be built for ${concatStringsSep ", " words} alone" (concatMap (problemsOf variants)
      words
    ) (map (variant: if isNarrowed words variant then narrowOne words variant else variant) variants);
}
