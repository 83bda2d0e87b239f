# AMD GPUs. A `.cu` file is translated to HIP by Torch's own tool first; HIP is compiled by clang,
# once for the host and once for each architecture.
_:
let
  inherit (builtins) fromJSON readFile;
  inherit (import ../cxx.nix) language languages;

  hip =
    translator:
    language {
      compiler = "clang++";
      inherit translator;
      standard = year: "gnu++${year}";
      flags = [
        "-x"
        "hip"
        "-fno-gpu-rdc"
      ];
      flagsKey = "hip-flags";
      # Torch's headers of complex numbers include rocThrust's in HIP.
      packages = [
        "hip"
        "rocprim"
        "rocthrust"
      ];
      takeApart = import ./device.nix;
      leanHeaders = false;
      isUnique = false;
    };
in
{
  systems = [ "x86_64-linux" ];
  host = "repo.radeon.com";
  preference = 2;
  compute = "rocm";
  isPresent = "[ -e /dev/kfd ]";
  # Out of AMD's compatibility tables.
  toolkit = {
    name = "ROCm";
    minverKey = null;
    versions = fromJSON (readFile ./toolkits.json);
  };
  targets = {
    key = "rocm-archs";
    noun = "architecture";
    meaning = "ROCm architectures to compile for; when absent, the default list.";
    noarchMeaning = "ROCm architectures that the kernel runs on; they go into its metadata.";
    cardName = "rocm_archs";
  }
  // import ./targets.nix;
  componentKeys.hip-flags = {
    type = "strings";
    default = [ ];
    since = 2;
    meaning = "Additional flags of the HIP compiler.";
  };
  definitions = [
    "ROCM_KERNEL"
    "USE_ROCM=1"
    "__HIP_PLATFORM_AMD__=1"
    "HIP_ENABLE_WARP_SYNC_BUILTINS=1"
  ];
  packages = fromJSON (readFile ./packages.json);
  languages = languages // {
    cu = hip "hipify";
    hip = hip null;
  };
  libraries = [
    "c10_hip"
    "torch_hip"
    "torch_cpu"
    "torch"
    "c10"
    "amdhip64"
  ];
  linker = {
    program = "g++";
    flags = [ ];
  };
}
