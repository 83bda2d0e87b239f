# Which units are compiled with a precompiled header of Torch.
#
# gcc takes one only for what a unit includes first, so that is what is looked at. That no token stands
# before it, and that no macro does which the header asks for, gcc sees for itself: else it reads the
# header as ever, so a wrong guess here costs time and changes no object.
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

  # From here on fewer core seconds are used than without one, by more than a machine with any number of
  # cores can wait for it: see docs/design.md.
  enough = 8;

  # Flags that name no file of the kernel, and none that has debug information, where it is
  # written how headers were read.
  isPlain = flag: match "-[DUOm].*|-W[^,]*|-f[^/]*|-std=.*|-pthread" flag != null;

  keyOf = unit: toJSON { inherit (unit) compiler precompiled; };

  self = {
    /**
      The header that a unit might have precompiled, the flags to compile it, and the flags that come
      first for units with it; or null. `first` is the unit's first include, `componentFlags` are the flags
      that the kernel's author wrote, and `flags` are all that do not name folders of the kernel.

      # Type

      ```
      findPrecompiledHeader :: { first :: { quoted :: Bool; name :: String; owners :: [String]; } | Null; componentFlags :: [String]; flags :: [String]; } -> { header :: String; flags :: [String]; unitFlags :: [String]; } | Null
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
          unitFlags = [
            "-isystem"
            "@build/precompiled@"
            "-Winvalid-pch"
            "-Wno-error=invalid-pch"
          ];
        }
      else
        null;

    /**
      The units of a variant, with `precompiled` null where it does not pay: `wanted` is whether it is
      used wherever it can be (true), nowhere (false), or for as many units that one would serve (null).

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
