# Apple GPUs. Units embed the `.metal` files of a kernel as one library of compiled shaders.
{ compilers, checks, ... }:
let
  inherit (compilers.language) makeFlags makeLanguage;
  # macOS 26 is the first version with Metal 4.
  clang = compilers.clang.makeClangLanguages { least = checks.macos; };
in
{
  languages = clang.languages // clang.objectiveC // {
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
  linker = clang.linker // {
    flags = clang.linker.flags ++ [
      (makeFlags [ "link" ] (
        builtins.concatMap (name: [ "-framework" name ]) [
          "Foundation"
          "Metal"
          "MetalPerformanceShaders"
          "QuartzCore"
        ]
      ))
    ];
  };
}
