# A language: how a compiler compiles files with one ending. docs/data.md describes the fields.
{ messages, ... }:
{
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
      flags = [ ];
      flagsFor = _: [ ];
      # Words by which a file may need `flags`.
      optionalFlags = {
        flags = [ ];
        words = [ ];
      };
      # Flags of a build that do not change the object.
      buildFlags = [ ];
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
