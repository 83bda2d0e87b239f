# Apple GPUs. Units embed the `.metal` files of a kernel as one library of compiled shaders.
{ compilers, checks, ... }:
let
  # macOS 26 is the first version with Metal 4.
  clang = compilers.clang.makeClangLanguages { least = checks.macos; };

  languages =
    clang.languages
    // clang.objectiveC
    // {
      metal = compilers.language.makeLanguage {
        compiler = "metal";
        standard = _: "metal4.0";
        optimisation = [ "-O2" ];
        flags = [ clang.deployment ];
        isUnique = false;
        isEmbedded = true;
      };
    };
in
{
  inherit languages;
  # Published kernels use these macros.
  embedding = [
    "-DEMBEDDED_METALLIB_HEADER=\"metallib.h\""
    "-DEMBEDDED_METALLIB_NAMESPACE=embedded_metallib"
  ];
  systems = [ "aarch64-darwin" ];
  host = "developer.apple.com";
  preference = 4;
  isPresent = "[ \"$(uname -s)\" = Darwin ]";
  definitions = [ "METAL_KERNEL" ];
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = clang.linker // {
    flags = clang.linker.flags ++ [
      {
        steps = [ "link" ];
        flags = [
          "-framework"
          "Foundation"
          "-framework"
          "Metal"
          "-framework"
          "MetalPerformanceShaders"
          "-framework"
          "QuartzCore"
        ];
      }
    ];
  };
}
