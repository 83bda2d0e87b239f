# What a source is, by the ending of its name: a header, or a translation unit
# of some backends.
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

    /** Endings of translation units, by backend. */
    units = mapAttrs (_: backend: attrNames backend.languages) backends.all;

    /**
      Is the file a translation unit of at least one of the backends?

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
