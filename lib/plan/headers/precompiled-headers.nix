# The units that are compiled with a precompiled header of Torch.
#
# gcc accepts a precompiled header only for the first include of a unit. If a token or a macro before
# it prevents that, gcc reads the header as text: a wrong guess here costs time and changes no object.
# For a unit that begins with a header of the kernel which begins with Torch's, the flags name the
# precompiled header (`-include`).
_:
let
  inherit (builtins)
    all
    elem
    filter
    groupBy
    length
    match
    toJSON
    ;

  # With this many units, the time to compile the header pays on any number of cores: see
  # docs/decisions/precompiled-headers.md.
  enough = 8;

  # Flags that name no file of the kernel and make no debug information, which records how headers
  # were read.
  isPlain = flag: match "-[DUOm].*|-W[^,]*|-f[^/]*|-std=.*|-pthread" flag != null;

  keyOf =
    unit:
    toJSON {
      inherit (unit) compiler;
      inherit (unit.precompiled) header flags;
    };

  self = {
    /**
      The header that a unit might have precompiled, the flags to compile it, and the flags that come
      first for units with it; or null. `first` is as in `describeReachedFiles`, `componentFlags` are the flags
      that the kernel's author wrote, and `flags` are all that do not name folders of the kernel.

      # Type

      ```
      findPrecompiledHeader :: { first :: { quoted, isInside :: Bool; name :: String; owners :: [String]; } | Null; componentFlags :: [String]; flags :: [String]; } -> { header :: String; flags :: [String]; unitFlags :: [String]; } | Null
      ```
    */
    findPrecompiledHeader =
      {
        first,
        componentFlags,
        flags,
      }:
      if first != null && !first.quoted && elem "torch" first.owners && all isPlain componentFlags then
        {
          header = first.name;
          inherit flags;
          # gcc warns about a precompiled header that it cannot use, and reads the text instead.
          unitFlags =
            (
              if first.isInside then
                [
                  "-include"
                  "@build/precompiled@/first.h"
                ]
              else
                [
                  "-isystem"
                  "@build/precompiled@"
                ]
            )
            ++ [
              "-Winvalid-pch"
              "-Wno-error=invalid-pch"
            ];
        }
      else
        null;

    /**
      The units of a variant, with `precompiled` null where it is not used. `wanted` is true to use it
      wherever possible, false for nowhere, and null where enough units share one header.

      # Type

      ```
      choosePrecompiledHeaders :: Bool | Null -> [Unit] -> [Unit]
      ```
    */
    choosePrecompiledHeaders =
      wanted: units:
      let
        served = groupBy keyOf (filter (unit: unit.precompiled != null) units);
        pays = unit: if wanted == null then length served.${keyOf unit} >= enough else wanted;
      in
      map (
        unit: if unit.precompiled == null || pays unit then unit else unit // { precompiled = null; }
      ) units;
  };
in
self
