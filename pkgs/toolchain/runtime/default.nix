# The shared libraries of this set's programs: glibc and its loader, libstdc++, and the libraries of gcc and binutils,
# in one flat folder `lib`.
{ architecture, readWords, runStep, unpackDebs }:
let
  runtime = runStep {
    name = "runtime";
    script = ./flatten.sh;
    env = {
      inherit (architecture) triple loader;
      tree = unpackDebs {
        name = "runtime-debs";
        packages = readWords { } ./debs.json;
      };
    };
  };
in
runtime
// {
  /** The path of the dynamic loader, which programs of this set name as their interpreter. */
  loader = "${runtime}/lib/${architecture.loader}";
}
