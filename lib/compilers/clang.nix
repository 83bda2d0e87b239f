# C, C++ and Objective-C as Apple's clang compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeLanguage;

  # Code with OpenMP's pragmas is right without it. Code that includes omp.h does not compile.
  absentFlags."-fopenmp" = "at::parallel_for and OpenMP's loops run on one thread there";
in
{
  /**
    Languages and linker for `least`, the oldest version of macOS that the code runs on. `deployment` is the row of a
    table of flags that says so.
    Objective-C has no `-fobjc-arc`, because published kernels for Metal count references by hand.

    Type: makeClangLanguages :: { least :: String; } -> { deployment :: Row; languages, objectiveC :: {
      ${ending} :: Language; }; linker :: { program :: String; flags :: [Row]; }; }
  */
  makeClangLanguages =
    { least }:
    let
      deployment = {
        steps = [
          "compile"
          "link"
        ];
        flags = [ "-mmacosx-version-min=${least}" ];
      };
      inStep = step: flags: {
        steps = [ step ];
        inherit flags;
      };
      c =
        flags:
        makeLanguage {
          compiler = "clang";
          standard = _: "gnu17";
          flags = [
            deployment
            (inStep "compile" flags)
          ];
          isUnique = false;
          inherit absentFlags;
        };
      cxx =
        flags:
        makeLanguage {
          compiler = "clang++";
          standard = year: "gnu++${year}";
          flagsKeys = [ "cxx-flags" ];
          flags = [
            deployment
            # Torch is compiled with an older clang, which writes no condition of a template into a symbol's name. Without
            # this flag, Torch 2.11 has no `const_data_ptr<float>` for a kernel.
            (inStep "compile" ([ "-fclang-abi-compat=17" ] ++ flags))
          ];
          isUnique = false;
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
      objectiveC = {
        m = c [
          "-x"
          "objective-c"
        ];
        mm = cxx [
          "-x"
          "objective-c++"
        ];
      };
      linker = {
        program = "clang++";
        # Python is not linked: its symbols are there when the extension is loaded.
        flags = [
          deployment
          (inStep "link" [
            "-undefined"
            "dynamic_lookup"
          ])
        ];
      };
    };
}
