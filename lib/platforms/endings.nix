# Endings of file names: of headers, and of the units of each backend.
{ values, backends, ... }:
let
  inherit (builtins)
    any
    attrNames
    elem
    mapAttrs
    ;
  inherit (values) paths;

  self = {
    /** Endings of headers. */
    headers = [
      "cuh"
      "h"
      "hh"
      "hpp"
      "hxx"
      "inc"
      "inl"
      "ipp"
      "tpp"
    ];

    /** Endings of units, by backend. */
    units = mapAttrs (_: backend: attrNames backend.languages) backends.all;

    /**
      Whether a file is a unit of at least one of the backends.

      # Type

      ```
      isUnit :: { backends :: [String]; } -> String -> Bool
      ```
    */
    isUnit =
      { backends }: file: any (backend: elem (paths.ending file) self.units.${backend}) backends;
  };
in
self
