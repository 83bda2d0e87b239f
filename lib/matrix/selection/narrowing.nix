# Variants for a few targets alone: what somebody who tries one machine builds of a kernel.
#
# A device gets the code that the whole variant has for it, to the derivation: units know the targets of
# the whole (`listed`), and are compiled for fewer. Which target that is, the backend says.
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
  withTargets = filter (backend: backend.targets != null) (attrValues backends.all);
  isOf = backend: word: backend.targets != null && match backend.targets.pattern word != null;
  # Variants without compiled code state targets, and compile for none.
  isNarrowed =
    words: variant: variant.compiled && variant.targets != { } && any (isOf backends.all.${variant.backend}) words;

  problemsOf =
    all: word:
    let
      found = toJSON word;
      ours = filter (backend: isOf backend word) withTargets;
      backend = head ours;
      isKnown = elem (backend.targets.compiledAs word) known;
      known = listTargets { backend = backend.name; };
    in
    if ours == [ ] then
      [
        {
          inherit at found;
          want = concatStringsSep ", or " (map (backend: backend.targets.form) withTargets);
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
    asked: variant:
    let
      backend = backends.all.${variant.backend};
      inherit (backend.targets) bestFor deviceOf inOrder;
      words = filter (isOf backend) asked;
      lists' = variant.targets;
      isRunBy = list: word: bestFor (deviceOf word) list != null;
      isPortable = any backend.targets.isPortable;
      isListedAnywhere = word: any (list: isRunBy list word) (attrValues lists');
      # Sources for "9.0a" are compiled for another device only if that is all there is to try.
      takes = list: word: isPortable list || !any isPortable (attrValues lists') && !isListedAnywhere word;

      narrowComponent =
        list:
        let
          best = map (word: bestFor (deviceOf word) list) (filter (isRunBy list) words);
          unlisted = filter (word: !isRunBy list word && takes list word) words;
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
                asked = unlisted;
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
            # Its code for these devices is that of others; it has to be compiled for the link.
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
      narrowed = mapAttrs (_: list: if list == [ ] then null else narrowComponent list) lists';
      results = filter (result: result != null) (attrValues narrowed);
      chosenOf = name: optionals (narrowed.${name} != null) narrowed.${name}.chosen;

      places = target: filter (name: narrowed.${name} != null && elem target narrowed.${name}.targets) (attrNames lists');
      sectionOf = name: if elem name variant.components then appendKey "kernel" name else name;
      noteOfAdded = target: {
        inherit at;
        found = "${toJSON target}, which can load nothing that ${concatStringsSep ", " (map sectionOf (places target))} lists; this build alone compiles for it";
        want = "a target that it can load, beside ${concatStringsSep ", " (map toJSON (listVariantTargets variant))}";
        fix = "add it to ${backend.targets.key} before you publish, if the kernel is to run there";
      };
    in
    variant
    // {
      partial = words;
      targets = mapAttrs (name: _: chosenOf name) lists';
      listed = mapAttrs (name: list: inOrder (unique (list ++ chosenOf name))) lists';
      warnings =
        unique (concatMap (result: result.warnings) results)
        ++ map noteOfAdded (unique (concatMap (result: result.targets) results));
      problems = variant.problems ++ unique (concatMap (result: result.problems) results);
    };
in
{
  /**
    The variants, those with targets of the `asked` kind compiled for the asked devices alone. Such a variant has
    `partial`, the words that were asked for, and `listed`, its targets as a whole.

    A component is compiled for the target of its list that runs on the device (`bestFor` of the backend), so for
    the code that the whole variant has there. Where it lists none, it is compiled for the device
    itself, with a warning. A component that lists only targets such as "9.0a" is compiled for
    the first of them instead, if others have code for the device: the link needs it, the device does not.

    # Type

    ```
    narrowVariants :: { variants :: [Variant]; asked :: [String]; } -> [Variant]
    ```

    # Errors

    Targets that are none, that no toolkit knows, or that nothing of the kernel is compiled for.
  */
  narrowVariants =
    { variants, asked }:
    let
      words = unique asked;
    in
    throwProblems "the kernel cannot be built for ${concatStringsSep ", " words} alone" (concatMap (problemsOf variants)
      words
    ) (map (variant: if isNarrowed words variant then narrowOne words variant else variant) variants);
}
