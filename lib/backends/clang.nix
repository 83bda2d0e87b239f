# C, C++ and Objective-C as Apple's clang compiles them, for machines from a version of macOS on, and how it links.
# Objects count their references themselves, as kernels for Metal are written (no `-fobjc-arc`).
{ least }:
let
  inherit (import ./cxx.nix) language;

  # The oldest macOS that objects are for.
  deployment = "-mmacosx-version-min=${least}";
  c =
    flags:
    language {
      compiler = "clang";
      standard = _: "gnu17";
      flags = [ deployment ] ++ flags;
      isUnique = false;
    };
  cxx =
    flags:
    language {
      compiler = "clang++";
      standard = year: "gnu++${year}";
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
    # Of Python, nothing is linked: it is there when the extension is loaded.
    flags = [
      deployment
      "-undefined"
      "dynamic_lookup"
    ];
  };
}
