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
  languages = {
    inherit (compilers.gcc.languages) c;
    cc = cxx [ ];
    cpp = cxx [ ];
    cxx = cxx [ ];
    sycl = cxx [ "-x" "c++" ];
  };
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
