# Reads attribute sets by a declaration of their keys: sections of build.toml, rows of the matrix.
#
# `fillSection` never fails: it treats a value of a wrong type as absent, so that later checks can run
# and users see all problems at once.
{ values, messages, tables, ... }:
let
  inherit (builtins) attrNames concatMap filter fromJSON isAttrs isList lessThan mapAttrs readFile sort toJSON;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey checkChoice checkElements checkKeys checkPattern;
  inherit (messages.check) listMissingKeys showValue;
  inherit (messages.records) completeRecord;
  inherit (tables) types;

  completeKey =
    name:
    completeRecord (fromJSON (readFile ./key.json) // { at = "key ${name}"; });

  # A value of the right type in the spelling that all later stages see.
  readValue = type: type.read or (value: value);

  valueProblems =
    at: key: value:
    let
      type = types.${key.type};
      # The problems of a value, or of an element of a list.
      problemsOf =
        type: at: element:
        let
          ofType = type.problems at element;
          # Other tools have other spellings, so the right text is known.
          right = if key.correct == null then null else key.correct element;
          amend = problem: if right == null then problem else problem // { fix = "write ${toJSON right}"; };
        in
        map amend (if ofType == [ ] then ofElement at (readValue type element) else ofType);
      ofElement =
        at: element:
        optionals (key.allowed != null) (checkChoice { inherit (key) allowed; inherit at; } element)
        ++ optionals (key.pattern != null) (
          checkPattern {
            inherit at;
            inherit (key) fix pattern;
            want = key.form;
          } element
        );
    in
    if !type ? element then
      problemsOf type at value
    else if isList value then
      checkElements at (problemsOf type.element) value
    else
      type.problems at value;
in
{
  /**
    A section with its keys; fields that a key leaves out get defaults. docs/data.md describes the
    fields under "Key".

    Type: declareSection :: { meaning :: String; keys :: { ${name} :: AttrSet; }; since :: Int ? 1; } -> Section
  */
  declareSection =
    { meaning, keys, since ? 1 }:
    { inherit meaning since; keys = mapAttrs completeKey keys; };

  /**
    Problems of the keys of a set and of their values. `parts` are further keys, which the caller
    checks. If the value is not a set, `wanted` and `begin` are the problem's `want` and `fix`.
    `place` is where a missing key belongs.

    Type: checkSection :: { at, wanted, begin, place :: String; section :: Section; parts :: [String] ? [ ]; } -> a
      -> [Problem]
  */
  checkSection =
    { at, section, wanted, begin, place, parts ? [ ] }:
    value:
    let
      names = attrNames section.keys;
      known = sort lessThan (names ++ parts);
      required = filter (name: section.keys.${name}.required) names;
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
      checkKeys { inherit at known; } value
      ++ map (name: {
        at = appendKey at name;
        found = "nothing";
        want = types.${section.keys.${name}.type}.want;
        fix = "add ${name} to ${place}";
      }) (listMissingKeys { inherit known required; } value)
      ++ concatMap (name: valueProblems (appendKey at name) section.keys.${name} value.${name}) (
        filter (name: value ? ${name}) names
      );

  /**
    A set with the default of every key that is absent or has a wrong type; the value itself may have one, too. Versions
    have one spelling.

    Type: fillSection :: Section -> a -> AttrSet
  */
  fillSection =
    section: value:
    mapAttrs (
      name: key:
      if value ? ${name} && types.${key.type}.isValid value.${name} then
        readValue types.${key.type} value.${name}
      else if key.required && key.type == "strings" then
        [ ]
      else
        key.default
    ) section.keys;
}
