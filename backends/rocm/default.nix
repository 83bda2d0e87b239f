# AMD GPUs. Torch's own tool translates `.cu` files to HIP first. clang compiles HIP once for the host and once for each
# architecture.
{ values, compilers, ... }:
let
  inherit (compilers.language) makeFlags optimised;

  hip =
    translator:
    compilers.language.makeLanguage {
      compiler = "clang++";
      inherit translator;
      standard = year: "gnu++${year}";
      flags = [
        optimised
        (makeFlags [ "compile" ] [ "-x" "hip" "-fno-gpu-rdc" ])
        # Without this option, clang derives the name from a file's path and flags.
        (makeFlags [ "build" ] ({ moduleId, ... }: [ "-cuid=${moduleId}" ]))
        (makeFlags [ "device" "whole" ] ({ passes, ... }: map (pass: "--offload-arch=${pass.name}") passes))
        (makeFlags [ "device" ] [ "--offload-device-only" "--no-gpu-bundle-output" ])
        (makeFlags [ "host" ] [ "--offload-host-only" ])
      ];
      flagsKeys = [ "hip-flags" ];
      # In HIP, Torch's headers of complex numbers include headers of rocThrust.
      packages = [ "hip" "rocprim" "rocthrust" ];
      tools = [ "hip" ];
      takeApart = import ./passes.nix;
      leanHeaders = false;
    };
in
{
  targets = import ./targets.nix values;
  languages = compilers.gcc.languages // { cu = hip "hipify"; hip = hip null; };
  inherit (compilers.gcc) linker;
}
