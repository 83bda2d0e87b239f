# The types of values in build.toml: the name of each in messages, its check, and its JSON Schema.
#
# A type with `read` has several spellings of one value; `read` returns the one that all later stages see.
#
# These checks look at a value alone. Other values and the kernel's files are the business of
# config/meaning.nix and config/sources.
{ values, messages, ... }:
let
  inherit (builtins) all attrNames attrValues concatMap fromJSON isAttrs isBool isInt isList isString;
  inherit (builtins) mapAttrs match readFile toJSON;
  inherit (values) repository versions;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey checkElements showValue;

  mismatch =
    { at, want, fix }:
    value: [
      { inherit at want fix; found = showValue value; }
    ];

  # types.json has the texts and the JSON Schema of each type.
  table = fromJSON (readFile ./types.json);
  makeType =
    name: isValid:
    let
      inherit (table.${name}) want fix jsonSchema;
    in
    {
      inherit want isValid jsonSchema;
      problems = at: value: optionals (!isValid value) (mismatch { inherit at want fix; } value);
    };
  # A string with a further condition. Other values have the problem of a string.
  makeText =
    name: isValid:
    let
      text = makeType name isValid;
    in
    text // { problems = at: value: (if isString value then text else string).problems at value; };

  string = makeType "string" isString;

  # Files with lines of `KEY: value` have these texts: METADATA of a wheel, and the head of a card.
  hasOneLine = value: isString value && match "[^[:cntrl:]]*" value != null;
  line = makeText "line" hasOneLine // { inherit (string) want; };

  int = makeType "int" (value: isInt value && value >= 0);

  # A bound: "13" admits all releases of 13.
  version =
    makeType "version" versions.isVersion
    // {
      jsonSchema = { type = "string"; pattern = "^${versions.pattern}$"; };
      read = versions.readVersion;
    };

  # A list of values of one type. `fixOf` is the fix for a value that is no list.
  listOf =
    { element, want, fixOf }:
    {
      inherit element want;
      isValid = value: isList value && all element.isValid value;
      jsonSchema = { type = "array"; items = element.jsonSchema; };
      problems =
        at: value:
        if isList value then
          checkElements at element.problems value
        else
          mismatch { inherit at want; fix = fixOf value; } value;
    };

  listOfStrings =
    element:
    listOf {
      inherit element;
      want = "a list of strings";
      fixOf = value: if isString value then "write [${toJSON value}]" else "write a list: [\"…\"]";
    };

  # Builds write one flag in each line.
  flag = makeText "flag" (value: isString value && match "[^\n\r]*" value != null);

in
{
  inherit int version;
  string = line;
  strings = listOfStrings string;
  flags = listOfStrings flag;

  # The version of one release: "13" is 13.0.
  release = version // { read = versions.readRelease; };

  # The releases with the same first two numbers: "13.0.1" is of 13.0.
  series = version // { read = value: versions.majorMinor (versions.readRelease value); };

  bool = makeType "bool" isBool;

  # One release for every backend, or a table from backend to release.
  releasePerBackend = {
    read =
      value: if isAttrs value then mapAttrs (_: versions.readRelease) value else versions.readRelease value;
    inherit (table.releasePerBackend) want;
    isValid =
      value: versions.isVersion value || (isAttrs value && all versions.isVersion (attrValues value));
    jsonSchema.oneOf = [
      version.jsonSchema
      { type = "object"; additionalProperties = version.jsonSchema; }
    ];
    problems =
      at: value:
      if isAttrs value then
        concatMap (key: version.problems (appendKey at key) value.${key}) (attrNames value)
      else
        version.problems at value;
  };

  kernelDependencies = listOf {
    inherit (table.kernelDependencies) want;
    fixOf = _: table.kernelDependencies.fix;
    element = makeType "kernelDependencies" (
      entry:
      isAttrs entry
      && isString (entry.repo-id or null)
      && match repository.pattern entry.repo-id != null
      && (
        if entry ? version then
          !entry ? revision && int.isValid entry.version
        else
          hasOneLine (entry.revision or null) && entry.revision != ""
      )
      && removeAttrs entry [ "repo-id" "revision" "version" ] == { }
    );
  };
}
