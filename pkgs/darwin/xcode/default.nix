# Apple's compilers. Their licence does not allow packages of them, so these programs call the machine's Xcode, and
# refuse an Xcode that is too old or incomplete.
{ runStep }:
let
  # The first version with Metal 4 and with the SDK of the macOS that kernels for Metal require.
  least = "26.0";
  # The Command Line Tools also contain these programs.
  compilers = [
    "ar"
    "c++"
    "c++filt"
    "cc"
    "clang"
    "clang++"
    "g++"
    "gcc"
    "ld"
    "strip"
  ];
in
runStep {
  name = "xcode-${least}-or-newer";
  script = ./assemble.sh;
  env = {
    inherit least;
    programs = builtins.sort builtins.lessThan (
      compilers
      ++ [
        "metal"
        "metallib"
      ]
    );
    find = ./find.sh;
    call = ./call.sh;
  };
}
// {
  inherit least compilers;
}
