# A set of keys as a table says it may be: a section of build.toml, a row of the matrix.
#
# `fill` never fails: a value of the wrong type counts as absent there. So the checks that come
# after can run on anything, and a reader learns all mistakes at once.
{ values, messages, tables, ... }:
let
  inherit (builtins)
    attrNames
    concatMap
    filter
    isAttrs
    isList
    mapAttrs
    sort
    ;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey checkChoice checkEach checkKeys checkPattern showValue;
  inherit (tables) types;

  key =
    {
      type,
      meaning,
      since ? 1,
      required ? false,
      default ? null,
      allowed ? null,
      pattern ? null,
      form ? null,
      backends ? null,
      perSource ? true,
    }:
    {
      inherit
        type
        meaning
        since
        required
        default
        allowed
        pattern
        form
        backends
        perSource
        ;
    };

  valueProblems =
    at: key: value:
    let
      ofType = types.${key.type}.problems { inherit at; } value;
      ofElement =
        at: element:
        optionals (key.allowed != null) (checkChoice { inherit (key) allowed; inherit at; } element)
        ++ optionals (key.pattern != null) (
          checkPattern {
            inherit at;
            inherit (key) pattern;
            want = key.form;
            fix = "correct the spelling";
          } element
        );
    in
    if ofType != [ ] then
      ofType
    else if isList value then
      checkEach { inherit at; } ofElement value
    else
      ofElement at value;
in
{
  /**
    A section, of keys that may leave out what most of them do not say.

    A key is `{ type; meaning; since; required; default; allowed; pattern; form; backends; perSource; }`:
    `type` names an entry of types.nix; `allowed` and `pattern` speak of each element where the
    type is a list, and `form` says the pattern in words; `backends` says for which backends a
    key of a component exists (null: all of them); `since` is the first edition with the key.
    `perSource` says whether sources are compiled by a component's key, as by flags: a source that several components list
    gets the values of all, if they are lists, and a warning where they differ.

    # Type

    ```
    declareSection :: { meaning :: String; keys :: { ${name} :: AttrSet; }; since :: Int ? 1; } -> Section
    ```
  */
  declareSection =
    {
      meaning,
      keys,
      since ? 1,
    }:
    {
      inherit meaning since;
      keys = mapAttrs (_: key) keys;
    };

  /**
    What is wrong with the keys of a set and their values. `parts` are keys that the caller
    looks at himself; `wanted` and `begin` say what should be in the place of something that is
    no set, `place` where a key that is missing belongs.

    # Type

    ```
    checkSection :: { at :: String; section :: Section; parts :: [String] ? [ ]; wanted :: String; begin :: String; place :: String; } -> a -> [Problem]
    ```
  */
  checkSection =
    {
      at,
      section,
      wanted,
      begin,
      place,
      parts ? [ ],
    }:
    value:
    let
      names = attrNames section.keys;
    in
    if !isAttrs value then
      [
        {
          inherit at;
          found = showValue value;
          want = wanted;
          fix = begin;
        }
      ]
    else
      checkKeys {
        inherit at;
        known = sort (a: b: a < b) (names ++ parts);
      } value
      ++ map (name: {
        at = appendKey at name;
        found = "nothing";
        want = types.${section.keys.${name}.type}.want;
        fix = "add ${name} to ${place}";
      }) (filter (name: section.keys.${name}.required && !value ? ${name}) names)
      ++ concatMap (name: valueProblems (appendKey at name) section.keys.${name} value.${name}) (
        filter (name: value ? ${name}) names
      );

  /**
    A set with a default for every key that is absent or of a wrong type.

    # Type

    ```
    fillSection :: Section -> AttrSet -> AttrSet
    ```
  */
  fillSection =
    section: value:
    mapAttrs (
      name: key:
      if value ? ${name} && types.${key.type}.isValid value.${name} then
        value.${name}
      else if key.required && key.type == "strings" then
        [ ]
      else
        key.default
    ) section.keys;
}
