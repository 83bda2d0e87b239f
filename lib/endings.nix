# What a source is, by the ending of its name: a header, or a translation unit
# of some backends.
{ paths, ... }:
let
  inherit (builtins) any elem;

  cxx = [
    "c"
    "cc"
    "cpp"
    "cxx"
  ];

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
    units = {
      cpu = cxx;
      cuda = cxx ++ [ "cu" ];
      metal = cxx ++ [
        "m"
        "metal"
        "mm"
      ];
      rocm = cxx ++ [
        "cu"
        "hip"
      ];
      xpu = cxx ++ [ "sycl" ];
    };

    /**
      Is the file a translation unit of at least one of the backends?

      # Type

      ```
      isUnit :: { backends :: [String]; } -> String -> Bool
      ```
    */
    isUnit =
      { backends }: file: any (backend: elem (paths.extension file) self.units.${backend}) backends;
  };
in
self
