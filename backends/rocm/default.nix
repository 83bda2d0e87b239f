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
  systems = [ "x86_64-linux" ];
  host = "repo.radeon.com";
  preference = 2;
  aliases = [ "amd" "hip" ];
  isPresent = "[ -e /dev/kfd ]";
  toolkit.name = "ROCm";
  targets = {
    key = "rocm-archs";
    noun = "architecture";
    meaning = "ROCm architectures to compile for; when absent, the default list.";
    noarchMeaning = "ROCm architectures that the kernel runs on; they go into its metadata.";
    cardName = "rocm_archs";
  }
  // import ./targets.nix values;
  componentKeys.hip-flags = {
    type = "flags";
    default = [ ];
    since = 2;
    meaning = "Additional flags of the HIP compiler.";
  };
  flags = [
    (makeFlags [ "compile" ] [
      "-DROCM_KERNEL"
      "-DUSE_ROCM=1"
      "-D__HIP_PLATFORM_AMD__=1"
      "-DHIP_ENABLE_WARP_SYNC_BUILTINS=1"
    ])
  ];
  packages = builtins.fromJSON (builtins.readFile ./packages.json);
  languages = compilers.gcc.languages // { cu = hip "hipify"; hip = hip null; };
  libraries = [ "c10_hip" "torch_hip" "torch_cpu" "torch" "c10" "amdhip64" ];
  inherit (compilers.gcc) linker;
}
