# Apple's compilers. Their licence does not allow packages of them, so these programs call the machine's Xcode, and
# refuse an Xcode that is too old or incomplete.
{ readWords, runStep }:
let
  # The first version with Metal 4 and with the SDK of the macOS that kernels for Metal require.
  least = "26.0";
in
runStep {
  name = "xcode-${least}-or-newer";
  script = ./assemble.sh;
  env = {
    inherit least;
    programs = readWords { } ./programs.json;
    find = ./find.sh;
    call = ./call.sh;
  };
}
// { inherit least; }
