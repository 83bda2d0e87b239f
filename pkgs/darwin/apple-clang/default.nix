# Apple's compilers of C, C++ and Objective-C, from Xcode or the Command Line Tools, for variants that need no compiler
# of shaders.
{ runStep, xcode }:
runStep {
  name = "apple-clang-${xcode.least}-or-newer";
  script = ../xcode/assemble.sh;
  env = {
    inherit (xcode) least;
    find = ./find.sh;
    call = ../xcode/call.sh;
    programs = xcode.compilers;
  };
}
