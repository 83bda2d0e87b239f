# How a unit of CUDA has its code compressed.
{ backends, ... }:
let
  inherit (backends) cuda;
  packed =
    toolkit: flags:
    let
      parts = cuda.languages.cu.takeApart {
        inherit toolkit flags;
        targets = [ "9.0" ];
        seesTargets = false;
        seesPass = false;
      };
    in
    {
      inherit (parts) flags;
      inherit (parts.device) packing whole;
    };
in
{
  # What every driver of a toolkit can unpack.
  packingByDefault = {
    expr = builtins.mapAttrs (toolkit: _: (packed toolkit [ ]).packing) cuda.toolkit.versions;
    expected = {
      "12.6" = [ "--compress-all" ];
      "12.8" = [ "--compress-all" ];
      "12.9" = [ "--compress-all" ];
      "13.0" = [ "--compress-mode=size" ];
      "13.2" = [ "--compress-mode=size" ];
    };
  };
  packingIsOfNoPass = {
    expr = packed "13.0" [
      "-O2"
      "-Xfatbin=-compress-all,-g"
      "--compress-mode"
      "speed"
      "-no-compress"
      "-lineinfo"
    ];
    expected = {
      flags = [
        "-O2"
        "-lineinfo"
      ];
      packing = [
        "-compress-all"
        "-g"
        "--compress-mode=speed"
        "--compress=false"
      ];
      whole = null;
    };
  };
  packingThatAToolkitLacks = {
    expr = packed "12.6" [ "--compress-mode=none" ];
    expected = {
      flags = [ ];
      packing = [ "--compress-all" ];
      whole = null;
    };
  };
  warningsOf = {
    expr =
      map
        (
          toolkit:
          map (warning: warning.at) (
            cuda.toolkit.warningsOf toolkit {
              cxx-flags = [ ];
              cuda-flags = [ "--compress-mode=none" ];
            }
          )
        )
        [
          "12.6"
          "12.8"
        ];
    expected = [
      [ "cuda-flags" ]
      [ ]
    ];
  };
}
