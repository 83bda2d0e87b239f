# Apple GPUs. Units embed the `.metal` files of a kernel: as one compiled library of shaders, or as one text that is
# compiled when the kernel is loaded.
{
  values,
  compilers,
  checks,
  ...
}:
let
  inherit (values.attributes) optionalAttrs;

  # macOS 26 is the first version with Metal 4.
  clang = compilers.clang.makeClangLanguages { least = checks.macos; };

  shader =
    fields:
    compilers.language.makeLanguage (
      {
        isUnique = false;
        isEmbedded = true;
      }
      // fields
    );

  languages =
    clang.languages
    // clang.objectiveC
    // {
      metal = shader {
        compiler = "metal";
        standard = _: "metal4.0";
        optimisation = [ "-O2" ];
        flags = [ clang.deployment ];
      };
    };

  # Published kernels use these macros.
  embedding = [
    "-DEMBEDDED_METALLIB_HEADER=\"metallib.h\""
    "-DEMBEDDED_METALLIB_NAMESPACE=embedded_metallib"
  ];

  # The C++ compiler preprocesses the shaders, and the machine that loads the kernel compiles them.
  embeddedSource = {
    toolchain = "appleClang";
    embedding = embedding ++ [ "-DEMBEDDED_METALLIB_VERSION=MTLLanguageVersion4_0" ];
    languages = languages // {
      metal = shader {
        compiler = "clang++";
        # Metal 4 extends C++17.
        standard = _: "c++17";
        optimisation = [ ];
        flags = [
          "-E"
          "-x"
          "c++"
          "-undef"
          "-nostdinc"
          # All shaders become one text, so they share macros. Macros of Metal's headers are unknown here, so an `#if`
          # would take the wrong branch.
          "-Werror=macro-redefined"
          "-Werror=undef"
          "-D__METAL__"
          "-D__METAL_MACOS__"
          "-D__METAL_VERSION__=400"
          "-D__HAVE_BFLOAT__"
        ];
      };
    };
  };
in
{
  inherit embedding languages;
  systems = [ "aarch64-darwin" ];
  host = "developer.apple.com";
  preference = 4;
  isPresent = "[ \"$(uname -s)\" = Darwin ]";
  generalKeys.embed = {
    type = "string";
    default = "library";
    allowed = [
      "library"
      "source"
    ];
    since = 5;
    meaning = "How kernels contain their shaders: as a `library` that Xcode compiles, or as `source` that is compiled when the kernel is loaded.";
  };
  withSettings = { embed, ... }: optionalAttrs (embed == "source") embeddedSource;
  definitions = [ "METAL_KERNEL" ];
  libraries = [
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = clang.linker // {
    flags = clang.linker.flags ++ [
      "-framework"
      "Foundation"
      "-framework"
      "Metal"
      "-framework"
      "MetalPerformanceShaders"
      "-framework"
      "QuartzCore"
    ];
  };
}
