# C, C++ and Objective-C as Apple's clang compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeLanguage;
in
{
  /**
    Languages and linker for `least`, the oldest version of macOS that the code runs on. `deployment` is the flag that says so.
    Objective-C has no `-fobjc-arc`, because published kernels for Metal count references by hand.

    # Type

    ```
    makeClangLanguages :: { least :: String; } -> {
      deployment :: String; languages, objectiveC :: { ${ending} :: Language; }; linker :: { program :: String; flags :: [String]; };
    }
    ```
  */
  makeClangLanguages =
    { least }:
    let
      deployment = "-mmacosx-version-min=${least}";
      c =
        flags:
        makeLanguage {
          compiler = "clang";
          standard = _: "gnu17";
          flags = [ deployment ] ++ flags;
          isUnique = false;
        };
      cxx =
        flags:
        makeLanguage {
          compiler = "clang++";
          standard = year: "gnu++${year}";
          flagsKeys = [ "cxx-flags" ];
          flags = [ deployment ] ++ flags;
          isUnique = false;
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
          "-undefined"
          "dynamic_lookup"
        ];
      };
    };
}
