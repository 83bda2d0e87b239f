# The units that are compiled with a precompiled header of Torch.
#
# gcc accepts a precompiled header only for the first include of a unit. If a token or a macro before it prevents that,
# gcc reads the header as text: a wrong guess here costs time and changes no object. If a unit begins with a header of
# the kernel, and this header begins with a header of Torch, `-include` names the precompiled header in the unit's
# flags.
{ plan, ... }:
let
  # With this many units, the time to compile the header pays on any number of cores: see
  # docs/decisions/torch-headers.md.
  enough = 8;

  # Matches flags that name no file of the kernel and add no debug information. Debug information records how the
  # compiler reads headers.
  isPlain = flag: builtins.match "-[DUOm].*|-W[^,]*|-f[^/]*|-std=.*|-pthread" flag != null;

  keyOf =
    unit:
    builtins.toJSON { inherit (unit) compiler; inherit (unit.precompiled) header flags; };

  self = {
    /**
      The header that a unit can use precompiled, the flags to compile this header, and the first flags of units that
      use it; or null. `first` is as in `describeReachedFiles`, `sectionFlags` are the flags that the kernel's author
      wrote, and `flags` are all flags of the unit that do not name folders of the kernel.

      Type: findPrecompiledHeader :: { first :: { quoted, isInside :: Bool; name :: String; owners :: [String];
        } | Null; sectionFlags :: [String]; flags :: [String]; } -> { header :: String; flags :: [String];
        unitFlags :: [String]; } | Null
    */
    findPrecompiledHeader =
      { first, sectionFlags, flags }:
      if first != null && !first.quoted && builtins.elem "torch" first.owners && builtins.all isPlain sectionFlags then
        {
          header = first.name;
          inherit flags;
          unitFlags = plan.flags.precompiled.${if first.isInside then "inside" else "first"};
        }
      else
        null;

    /**
      The units of a variant, with `precompiled` set to null in units that do not use it. If `wanted` is true, all units
      use a precompiled header that can; if it is false, no unit does. If it is null, units use a header that enough
      units share.

      Type: choosePrecompiledHeaders :: Bool | Null -> [Unit] -> [Unit]
    */
    choosePrecompiledHeaders =
      wanted: units:
      let
        served = builtins.groupBy keyOf (builtins.filter (unit: unit.precompiled != null) units);
        pays = unit: if wanted == null then builtins.length served.${keyOf unit} >= enough else wanted;
      in
      map (
        unit: if unit.precompiled == null || pays unit then unit else unit // { precompiled = null; }
      ) units;
  };
in
self
