# Endings of file names: of headers, and of the units of each backend.
{ values, backends, ... }:
let
  inherit (builtins) any attrNames elem fromJSON mapAttrs readFile;
  inherit (values) paths;

  # Endings by their kind: of `headers`; of files that are `neverIncluded`, because no compiler reads them, whatever a
  # macro stands for, so that an edit of the kernel's Python or of its documents compiles nothing; of `foreignSources`,
  # in languages that no backend compiles (other files in `src` are for includes); of `objects`, which are compiled
  # already; and of files that are `unread` when the kernel runs: documentation, pictures, a developer's scripts, and
  # bytecode and libraries, which nobody wrote. A name without an ending is a LICENSE.
  self = fromJSON (readFile ./endings.json) // {
    /** Endings of units, by backend. */
    units = mapAttrs (_: backend: attrNames backend.languages) backends.all;

    /**
      Whether a file is a unit of at least one of the backends.

      Type: isUnit :: [String] -> String -> Bool
    */
    isUnit =
      backends: file: any (backend: elem (paths.ending file) self.units.${backend}) backends;
  };
in
self
