# The types of values in build.toml: the name of each in messages, its check, and its JSON Schema.
#
# A type with `read` has several spellings of one value; `read` returns the one that all later stages see.
#
# These checks look at a value alone. Other values and the kernel's files are the business of
# config/meaning.nix and config/sources.
{ values, messages, ... }:
let
  inherit (builtins) all attrNames attrValues concatMap isAttrs isBool isInt isList isString;
  inherit (builtins) mapAttrs match toJSON;
  inherit (values) repository versions;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey checkElements showValue;

  mismatch =
    { at, want, fix }:
    value: [
      { inherit at want fix; found = showValue value; }
    ];

  simple =
    { want, fix, isValid, jsonSchema }:
    {
      inherit want isValid jsonSchema;
      problems = { at }: value: optionals (!isValid value) (mismatch { inherit at want fix; } value);
    };

  string = simple {
    want = "a string";
    fix = "write a string in quotes";
    isValid = isString;
    jsonSchema.type = "string";
  };

  # Files with lines of `KEY: value` have these texts: METADATA of a wheel, and the head of a card.
  hasOneLine = value: isString value && match "[^[:cntrl:]]*" value != null;
  line =
    let
      text = simple {
        want = "a string of one line, without control characters";
        fix = "write the text without line breaks and tabs";
        isValid = hasOneLine;
        jsonSchema = string.jsonSchema // { pattern = "^[^\\x00-\\x1f\\x7f]*$"; };
      };
    in
    text
    // {
      inherit (string) want;
      problems = at: value: (if isString value then text else string).problems at value;
    };

  int = simple {
    want = "a whole number, 0 or more";
    fix = "write a number without quotes";
    isValid = value: isInt value && value >= 0;
    jsonSchema = { type = "integer"; minimum = 0; };
  };

  # A bound: "13" admits all releases of 13.
  version =
    simple {
      want = "a version such as \"2.12\"";
      fix = "write one to four numbers in quotes, with dots between them";
      isValid = versions.isVersion;
      jsonSchema = { type = "string"; pattern = "^${versions.pattern}$"; };
    }
    // { read = versions.readVersion; };

  # A list of values of one type. `fixOf` is the fix for a value that is no list.
  listOf =
    { element, want, fixOf }:
    {
      inherit want;
      isValid = value: isList value && all element.isValid value;
      jsonSchema = { type = "array"; items = element.jsonSchema; };
      problems =
        { at }:
        value:
        if isList value then
          checkElements { inherit at; } (at: element.problems { inherit at; }) value
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
  flag =
    let
      text = simple {
        want = "a flag without line breaks";
        fix = "write each flag as an element of the list";
        isValid = value: isString value && match "[^\n\r]*" value != null;
        jsonSchema = string.jsonSchema // { pattern = "^[^\n\r]*$"; };
      };
    in
    text
    // { problems = at: value: (if isString value then text else string).problems at value; };

  kernelDependencyKeys = [ "repo-id" "revision" "version" ];
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

  bool = simple {
    want = "true or false";
    fix = "write true or false without quotes";
    isValid = isBool;
    jsonSchema.type = "boolean";
  };

  # One release for every backend, or a table from backend to release.
  releasePerBackend = {
    read =
      value: if isAttrs value then mapAttrs (_: versions.readRelease) value else versions.readRelease value;
    want = "a version such as \"2.11\", or a table from backend to version";
    isValid =
      value: versions.isVersion value || (isAttrs value && all versions.isVersion (attrValues value));
    jsonSchema.oneOf = [
      version.jsonSchema
      { type = "object"; additionalProperties = version.jsonSchema; }
    ];
    problems =
      { at }:
      value:
      if isAttrs value then
        concatMap (key: version.problems { at = appendKey at key; } value.${key}) (attrNames value)
      else
        version.problems { inherit at; } value;
  };

  kernelDependencies =
    let
      want = "a list of tables, each with repo-id and either version, a number, or revision, a string";
      fix = "write [{ repo-id = \"owner/name\", version = 1 }]";
    in
    listOf {
      inherit want;
      fixOf = _: fix;
      element = simple {
        inherit want fix;
        isValid =
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
          && all (key: builtins.elem key kernelDependencyKeys) (attrNames entry);
        jsonSchema = {
          type = "object";
          required = [ "repo-id" ];
          properties = {
            repo-id = string.jsonSchema;
            # The Hub decides which versions and revisions there are.
            revision = string.jsonSchema // { minLength = 1; };
            version = int.jsonSchema;
          };
          additionalProperties = false;
          oneOf = [
            { required = [ "version" ]; }
            { required = [ "revision" ]; }
          ];
        };
      };
    };
}
