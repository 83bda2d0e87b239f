# C, C++ and Objective-C as Apple's clang compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeFlags makeLanguage optimised;

  # Code with OpenMP's pragmas is right without it. Code that includes omp.h does not compile.
  absentFlags."-fopenmp" = "at::parallel_for and OpenMP's loops run on one thread there";
in
{
  /**
    Languages and linker for `least`, the oldest version of macOS that the code runs on. The flags `deployment` say so.
    Objective-C has no `-fobjc-arc`, because published kernels for Metal count references by hand.

    Type: makeClangLanguages :: { least :: String; } -> { deployment :: Flags; languages, objectiveC :: {
      ${ending} :: Language; }; linker :: Linker; }
  */
  makeClangLanguages =
    { least }:
    let
      deployment = makeFlags [ "compile" "link" ] [ "-mmacosx-version-min=${least}" ];
      c =
        flags:
        makeLanguage {
          compiler = "clang";
          standard = _: "gnu17";
          flags = [
            optimised
            deployment
            (makeFlags [ "compile" ] flags)
          ];
          inherit absentFlags;
        };
      cxx =
        flags:
        makeLanguage {
          compiler = "clang++";
          standard = year: "gnu++${year}";
          flagsKeys = [ "cxx-flags" ];
          flags = [
            optimised
            deployment
            # Torch is compiled with an older clang, which writes no condition of a template into a symbol's name. Without
            # this flag, Torch 2.11 has no `const_data_ptr<float>` for a kernel.
            (makeFlags [ "compile" ] ([ "-fclang-abi-compat=17" ] ++ flags))
          ];
          inherit absentFlags;
        };
    in
    {
      inherit deployment;

      languages = {
        c = c [ ];
        cc = cxx [ ];
        cpp = cxx [ ];
        cxx = cxx [ ];
      };
      objectiveC = { m = c [ "-x" "objective-c" ]; mm = cxx [ "-x" "objective-c++" ]; };
      linker = {
        program = "clang++";
        tools = [ ];
        libraries = [ ];
        portablePackages = [ ];
        flags = [
          # Apple's linker tells bundles, which are loaded at run time, from libraries.
          (makeFlags [ "link" ] [ "-bundle" ])
          deployment
          # Python is not linked: its symbols are there when the extension is loaded.
          (makeFlags [ "link" ] [ "-undefined" "dynamic_lookup" ])
          (makeFlags [ "portable" ] (
            { exports, ... }:
            [
              "-Wl,-exported_symbol,_${exports}"
              "-Wl,-dead_strip"
              "-Wl,-dead_strip_dylibs"
              # Torch has already loaded its libraries, but the loader requires a path for a name in `@rpath`.
              "-Wl,-rpath,@loader_path/lib"
            ]
          ))
        ];
      };
    };
}
