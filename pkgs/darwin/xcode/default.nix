# Apple's compilers. No licence lets them be packaged, so these are programs that call the machine's Xcode, and refuse one that
# is too old or not whole.
{ runStep }:
let
  # The first with Metal 4, and with the SDK of the macOS that kernels for Metal are for.
  least = "26.0";
in
runStep {
  name = "xcode-${least}-or-newer";
  script = ./assemble.sh;
  env = {
    inherit least;
    find = ./find.sh;
    call = ./call.sh;
    programs = [
      "ar"
      "c++"
      "c++filt"
      "cc"
      "clang"
      "clang++"
      "g++"
      "gcc"
      "ld"
      "metal"
      "metallib"
      "strip"
    ];
  };
}
// {
  inherit least;
}
