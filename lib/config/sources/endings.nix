# Endings of file names: of headers, and of the units of each backend.
{ values, backends, ... }:
let
  inherit (builtins) any attrNames elem mapAttrs;
  inherit (values) paths;

  self = {
    /** Endings of headers. */
    headers = [ "cuh" "h" "hh" "hpp" "hxx" "inc" "inl" "ipp" "tpp" ];

    /**
      Endings of files that no compiler reads, whatever a macro stands for: an edit of the kernel's Python or of its
      documents compiles nothing.
    */
    neverIncluded = [ "lock" "md" "nix" "py" "pyi" "toml" ];

    /** Endings of sources in languages that no backend compiles. Other files in `src` are for includes. */
    foreignSources = [ "C" "CPP" "S" "asm" "c++" "cp" "cppm" "f" "f90" "ixx" "ptx" "py" "s" ];

    /** Endings of units, by backend. */
    units = mapAttrs (_: backend: attrNames backend.languages) backends.all;

    /**
      Whether a file is a unit of at least one of the backends.

      Type: isUnit :: { backends :: [String]; } -> String -> Bool
    */
    isUnit =
      { backends }: file: any (backend: elem (paths.ending file) self.units.${backend}) backends;
  };
in
self
