# A language: how a compiler compiles files with one ending. docs/data.md describes the fields.
{ values, messages, ... }:
let
  # `optionalFlags` has words by which a file may need its `flags`. `absentFlags` are flags that other compilers of the
  # language have, and what a build without them means.
  table = builtins.fromJSON (builtins.readFile ./language.json);
  completeLanguage = messages.records.completeRecord {
    at = "a language";
    required = [ "compiler" "standard" ];
    defaults = table.defaults // {
      flags = [ self.optimised ];
    };
  };

  self = {
    /**
      Flags with the steps of a build that get them:

      | step | gets flags for |
      |---|---|
      | `first` | each compile of a unit, before the standard of the language |
      | `compile` | each compile of a unit |
      | `embed` | each compile of a unit that embeds other units |
      | `build` | compiles of a build alone, whose objects the flags do not change |
      | `device` | the pass of one target |
      | `host` | the host pass of a unit that is compiled in passes |
      | `host-compiler` | the compiler that nvcc calls in the host pass |
      | `whole` | one call that compiles all targets |
      | `device-link` | the link of code for devices |
      | `link` | the link of an extension |
      | `libraries` | the link of an extension, before the libraries |
      | `portable` | the link of an extension that loads on other machines |
      | `stripped` | such a link, unless the names of local symbols are wanted |
      | `portable-libraries` | such a link, before all other libraries |

      `flags` is a list, or a function that returns one. Its argument has the `toolkit` and the `packages` that units
      see; for steps of compiles in passes also `passes`, `packing` and `moduleId` of `takeApart`; for links of
      extensions `exports`, and `wrapped`, the functions that the link replaces.

      Type: makeFlags :: [String] -> [String] | (AttrSet -> [String]) -> Flags
    */
    makeFlags = steps: flags: { inherit steps flags; };

    /**
      A table of flags: for each step, those that it gets. Tables are made once for all units.

      Type: makeTable :: [Flags] -> { ${step} :: [Flags]; }
    */
    makeTable =
      rows:
      values.attributes.generate (builtins.concatMap (row: row.steps) rows) (
        step: builtins.filter (row: builtins.elem step row.steps) rows
      );

    /**
      The flags in a table that a step gets. `seen` is the argument of functions in the table.

      Type: selectFlags :: String -> AttrSet -> { ${step} :: [Flags]; } -> [String]
    */
    selectFlags =
      step: seen: table:
      builtins.concatMap ({ flags, ... }: if builtins.isList flags then flags else flags seen) (
        table.${step} or [ ]
      );

    /**
      A language with more flags, after those that it has for the same steps.

      Type: addFlags :: Language -> [Flags] -> Language
    */
    addFlags =
      language: rows:
      language
      // { flags = builtins.zipAttrsWith (_: builtins.concatLists) [ language.flags (self.makeTable rows) ]; };

    /** The usual flags of each compile. */
    optimised = self.makeFlags [ "first" ] table.optimised;

    /**
      A Language with these fields, and with defaults for the others.

      Type: makeLanguage :: { compiler :: String; standard :: String -> String; … } -> Language

      # Errors

      A field is unknown, or a required one is missing.
    */
    makeLanguage =
      given:
      let
        language = completeLanguage given;
      in
      language // { flags = self.makeTable language.flags; };
  };
in
self
