# Apple GPUs. Units embed the `.metal` files of a kernel as one library of compiled shaders.
{ compilers, checks, ... }:
let
  inherit (compilers.language) makeFlags makeLanguage;
  # macOS 26 is the first version with Metal 4.
  clang = compilers.clang.makeClangLanguages { least = checks.macos; };

  languages =
    clang.languages
    // clang.objectiveC
    // {
      metal = makeLanguage {
        compiler = "metal";
        standard = _: "metal4.0";
        flags = [
          (makeFlags [ "first" ] [ "-O2" ])
          clang.deployment
        ];
        isEmbedded = true;
      };
    };
in
{
  inherit languages;
  systems = [ "aarch64-darwin" ];
  crossObstacle = "it needs Apple's frameworks, Objective-C and shader compilers, which only Xcode on a Mac has; Linux compiles C and C++ for macOS alone";
  host = "developer.apple.com";
  preference = 4;
  aliases = [ "apple" "mps" ];
  isPresent = "[ \"$(uname -s)\" = Darwin ]";
  flags = [
    (makeFlags [ "compile" ] [ "-DMETAL_KERNEL" ])
    # Published kernels use these macros.
    (makeFlags [ "embed" ] [
      "-DEMBEDDED_METALLIB_HEADER=\"metallib.h\""
      "-DEMBEDDED_METALLIB_NAMESPACE=embedded_metallib"
    ])
  ];
  libraries = [ "torch_cpu" "torch" "c10" ];
  linker = clang.linker // {
    flags = clang.linker.flags ++ [
      (makeFlags [ "link" ] [
        "-framework"
        "Foundation"
        "-framework"
        "Metal"
        "-framework"
        "MetalPerformanceShaders"
        "-framework"
        "QuartzCore"
      ])
    ];
  };
}
