# Variants for a few targets alone: what somebody who tries one machine builds of a kernel.
#
# What is compiled for a target is what the whole variant has for it, to the derivation: its units
# know the targets that the whole has (`listed`), and are compiled for fewer.
{
  backends,
  check,
  lists,
  targets,
  variants,
  ...
}:
let
  inherit (builtins)
    any
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    genList
    head
    length
    mapAttrs
    match
    toJSON
    ;
  inherit (lists) unique;

  at = "--capability";
  withTargets = filter (backend: backend.targets != null) (attrValues backends);
  isOf = backend: word: backend.targets != null && match backend.targets.pattern word != null;
  # Of a variant without code nothing is compiled for a target.
  isNarrowed =
    words: variant: !variant.noarch && variant.targets != { } && any (isOf backends.${variant.backend}) words;

  problemsOf =
    all: word:
    let
      found = toJSON word;
      ours = filter (backend: isOf backend word) withTargets;
      backend = head ours;
      isKnown = elem (backend.targets.compiledAs word) known;
      known = targets.known { backend = backend.name; };
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
      check.oneOf {
        inherit at;
        allowed = known;
      } word
    else if !any (isNarrowed [ word ]) all then
      [
        {
          inherit at;
          found = "${found}, a target of ${backend.name}";
          want = "a target that the kernel has code for: it compiles none for ${backend.name}";
          fix = "leave it out, or add a component for ${backend.name}";
        }
      ]
    else
      [ ];

  # What a list has for a word: the target itself, or more of the same device.
  answering =
    ours: word:
    filter (
      target:
      elem word [
        target
        (ours.compiledAs target)
        (ours.deviceOf target)
      ]
    );

  # What a component is compiled for that has nothing for these: what such a device would take of
  # the whole, the newest that is older.
  nearest =
    ours: list: words:
    let
      device = ours.deviceOf (head words);
      ordered = ours.inOrder (unique (list ++ [ device ]));
      place = head (filter (index: elemAt ordered index == device) (genList (index: index) (length ordered)));
    in
    if list == [ ] then
      [ ]
    else if place == 0 then
      [ (head list) ]
    else
      [ (elemAt ordered (place - 1)) ];

  narrowOne =
    asked: variant:
    let
      ours = backends.${variant.backend}.targets;
      words = filter (isOf backends.${variant.backend}) asked;
      lists' = variant.targets;
      isListed = word: any (list: answering ours word list != [ ]) (attrValues lists');
      unlisted = filter (word: !isListed word) words;
      added =
        if unlisted == [ ] then
          {
            targets = [ ];
            warnings = [ ];
            problems = [ ];
          }
        else
          targets.select {
            inherit (variant) backend toolkit;
            asked = unlisted;
            inherit at;
          };
      # Code that is for one device alone ("9.0a") is no code for another, unless there is no other.
      isPlain = any (target: ours.compiledAs target == ours.deviceOf target);
      takesAdded = list: isPlain list || !any isPlain (attrValues lists');
      ownOf =
        list:
        unique (
          concatMap (word: answering ours word list) words ++ (if takesAdded list then added.targets else [ ])
        );
      narrowed = mapAttrs (
        _: list: if ownOf list == [ ] then nearest ours list words else ours.inOrder (ownOf list)
      ) lists';
      shown = concatStringsSep ", " (map toJSON words);
      noteOfAdded = target: {
        inherit at;
        found = "${toJSON target}, which the kernel does not list: compiled for it all the same";
        want = "one of the kernel's own: ${concatStringsSep ", " (map toJSON (variants.allTargets variant))}";
        fix = "nothing, to try it; else add it to ${ours.key}";
      };
      noteOfNearest = name: {
        inherit at;
        found = "${shown}, of which ${check.under "kernel" name} lists none: compiled for ${concatStringsSep " " narrowed.${name}}";
        want = "components that list it";
        fix = "nothing, if the component is not used there; else add it to its ${ours.key}";
      };
    in
    variant
    // {
      partial = words;
      targets = narrowed;
      listed = mapAttrs (name: list: ours.inOrder (unique (list ++ narrowed.${name}))) lists';
      warnings =
        added.warnings
        ++ map noteOfAdded added.targets
        ++ map noteOfNearest (filter (name: lists'.${name} != [ ] && ownOf lists'.${name} == [ ]) (attrNames lists'));
      problems = variant.problems ++ (if unlisted == words then added.problems else [ ]);
    };
in
{
  /**
    The variants, of which those that are compiled for targets of the kind that is `asked` for are
    compiled for these alone. Such a one has `partial`, what was asked of it, and `listed`, the targets that it has as a
    whole. A component is compiled for what it lists of the device that is asked for ("9.0a" for "9.0"), where
    no component lists any for just that, and where only others do for the nearest that it lists.

    # Type

    ```
    narrow :: { variants :: [Variant]; asked :: [String]; } -> [Variant]
    ```

    # Errors

    Targets that are none, that no toolkit knows, or that nothing of the kernel is compiled for.
  */
  narrow =
    { variants, asked }:
    let
      words = unique asked;
    in
    check.orThrow "the kernel cannot be built for ${concatStringsSep ", " words} alone" (concatMap (problemsOf variants)
      words
    ) (map (variant: if isNarrowed words variant then narrowOne words variant else variant) variants);
}
