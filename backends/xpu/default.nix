# Intel GPUs. Intel's compiler compiles a file for the host and for the GPU at once. An object has portable code for the
# GPU, which the link of all objects turns into machine code (flags.nix).
{ compilers, ... }@library:
let
  inherit (compilers.language) makeFlags;
  flags = import ./flags.nix library;

  cxx =
    more:
    compilers.language.makeLanguage {
      compiler = "icpx";
      standard = year: "gnu++${year}";
      flags = flags.compileWith more;
      flagsKeys = [ "cxx-flags" "sycl-flags" ];
      packages = [ "sycl" ];
      tools = [ "sycl" ];
    };
in
{
  systems = [ "x86_64-linux" ];
  host = "yum.repos.intel.com";
  preference = 3;
  aliases = [ "intel" "oneapi" "sycl" ];
  # 0x8086 is Intel's vendor number.
  isPresent = "grep -q 0x8086 /sys/class/drm/renderD*/device/vendor 2>/dev/null";
  toolkit.name = "oneAPI";
  componentKeys.sycl-flags = {
    type = "flags";
    default = [ ];
    since = 2;
    meaning = "Additional flags of the SYCL compiler.";
  };
  flags = [ (makeFlags [ "compile" ] [ "-DXPU_KERNEL" "-DUSE_XPU=1" ]) ];
  packages = builtins.fromJSON (builtins.readFile ./packages.json);
  languages = {
    inherit (compilers.gcc.languages) c;
    cc = cxx [ ];
    cpp = cxx [ ];
    cxx = cxx [ ];
    sycl = cxx [ "-x" "c++" ];
  };
  libraries = [ "c10_xpu" "torch_xpu" "torch_cpu" "torch" "c10" "sycl" ];
  # Intel's compiler links, because it knows the libraries that its code requires. The flag is necessary because objects
  # with code for GPUs lack the mark for a stack that is not executable.
  linker = compilers.gcc.linker // {
    program = "icpx";
    tools = [ "sycl" ];
    flags = compilers.gcc.linker.flags ++ [ (makeFlags [ "link" ] [ "-Wl,-z,noexecstack" ]) ];
  };
  # Links the device code of all objects into one more object.
  deviceLink = {
    program = "icpx";
    tools = [ "sycl" "ocloc" "toolchain" ];
    flags = flags.deviceLink;
  };
}
