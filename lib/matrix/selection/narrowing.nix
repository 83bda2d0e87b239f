# Narrows variants to a few targets, to try a kernel on one machine (`--capability`).
#
# A device gets the same code as in the full variant, from the same derivations: units know the targets
# of the full variant (`listed`) and compile for fewer. `bestFor` of the backend finds the target for a device.
{ values, messages, backends, config, ... }:
let
  inherit (builtins) any attrValues concatMap concatStringsSep elem filter head mapAttrs match toJSON;
  inherit (values.lists) optional unique;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey checkChoice throwProblems;
  inherit (config.targets) listTargets;

  problems = readCatalogue ./narrowing.json;
  at = "--capability";
  backendsWithTargets = filter (backend: backend.targets != null) (attrValues backends.all);
  isTarget = backend: word: backend.targets != null && match backend.targets.pattern word != null;
  # Variants without compiled code have targets for their metadata only.
  isNarrowed =
    words: variant: variant.compiled && variant.targets != { } && any (isTarget backends.all.${variant.backend}) words;

  problemsOf =
    all: word:
    let
      matching = filter (backend: isTarget backend word) backendsWithTargets;
      backend = head matching;
      isKnown = elem (backend.targets.compiledAs word) known;
      known = listTargets backend.name;
    in
    if matching == [ ] then
      [
        (problems.no-target {
          inherit at word;
          forms = concatStringsSep ", or " (map (backend: backend.targets.form) backendsWithTargets);
        })
      ]
    else if !isKnown then
      checkChoice { inherit at; allowed = known; } word
    else
      optional (!any (isNarrowed [ word ]) all) (problems.no-code { inherit at word; backend = backend.name; });

  # A component without code for the devices is compiled for its first target, because the link needs it: in the full
  # variant, too, these devices have no code of the component.
  narrowComponent =
    backend: words: list:
    let
      inherit (backend.targets) bestFor deviceOf inOrder;
      loaded = filter (target: target != null) (map (word: bestFor (deviceOf word) list) words);
    in
    if loaded == [ ] && list != [ ] then [ (head list) ] else inOrder loaded;

  # A problem for each word that no component has code for.
  lackingProblems =
    backend: words: variant:
    let
      inherit (backend.targets) bestFor deviceOf key;
      isLoadable = word: any (list: bestFor (deviceOf word) list != null) (attrValues variant.targets);
      targetsOf = section: variant.targets.${section.at} or [ ];
      placeOf =
        section: if section.backend == backend.name then appendKey section.at key else section.at;
    in
    map (
      word:
      problems.nothing-loads {
        inherit at key word;
        toolkit = backend.toolkit.name;
        compiled = concatStringsSep "; " (
          map (section: "${placeOf section} has ${concatStringsSep ", " (map toJSON (targetsOf section))}") (
            filter (section: targetsOf section != [ ]) variant.sections
          )
        );
      }
    ) (filter (word: !isLoadable word) words);

  narrowOne =
    requested: variant:
    let
      backend = backends.all.${variant.backend};
      words = filter (isTarget backend) requested;
    in
    variant
    // {
      partial = words;
      listed = variant.targets;
      targets = mapAttrs (_: narrowComponent backend words) variant.targets;
      # Warnings about other targets are dropped.
      warnings = [ ];
      problems =
        if variant.problems == [ ] then lackingProblems backend words variant else variant.problems;
    };
in
{
  /**
    The variants of a kernel, compiled for the requested targets only. Variants of other backends are
    unchanged. A narrowed variant has `partial`, the requested targets, and `listed`, the targets of the
    full variant.

    A component is compiled for the target in its list that runs on the device (`bestFor` of the
    backend), or for its first target if there is none. If no component has code for a device, the variant has a
    problem.

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
