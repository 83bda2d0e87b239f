# A language: how a compiler compiles files with one ending. docs/data.md describes the fields.
{ messages, ... }:
let
  inherit (builtins) concatMap elem isList;
in
{
  /**
    The flags that a step gets from a table. A row has `steps`, which are some of

    - `"compile"`: each compile of a unit, on any machine;
    - `"build"`: compiles of a build alone, whose objects the flags do not change;
    - `"host"`: the host pass of a unit that is taken apart;
    - `"device-link"`: the link of code for devices;
    - `"link"`: the link of an extension;

    and `flags`: a list, or a function from the `toolkit` and the `packages` that units see to one.

    Type: selectFlags :: String -> { toolkit :: String | Null; packages :: [String]; } -> [{ steps :: [String];
      flags :: [String] | Function; }] -> [String]
  */
  selectFlags =
    step: seen:
    concatMap (
      row:
      if !elem step row.steps then
        [ ]
      else if isList row.flags then
        row.flags
      else
        row.flags seen
    );

  /**
    A Language with these fields, and with defaults for the others.

    Type: makeLanguage :: { compiler :: String; standard :: String -> String; … } -> Language

    # Errors

    A field is unknown, or a required one is missing.
  */
  makeLanguage = messages.records.completeRecord {
    at = "a language";
    required = [
      "compiler"
      "standard"
    ];
    defaults = {
      translator = null;
      optimisation = [
        "-O3"
        "-DNDEBUG"
        "-fPIC"
      ];
      # A table for `selectFlags`.
      flags = [ ];
      # Words by which a file may need `flags`.
      optionalFlags = {
        flags = [ ];
        words = [ ];
      };
      flagsKeys = [ ];
      # Flags that other compilers of the language have, and what a build without them means.
      absentFlags = { };
      packages = [ ];
      tools = [ ];
      takeApart = null;
      leanHeaders = true;
      # gcc shares templates' static data over the whole process (`STB_GNU_UNIQUE`) unless it is told not to.
      isUnique = true;
      isEmbedded = false;
    };
  };
}
