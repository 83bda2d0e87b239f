# The shared libraries of this set's programs: glibc and its loader, libstdc++, and the libraries of gcc and binutils,
# in one flat folder `lib`.
{ runStep, unpackDebs, architecture }:
let
  runtime = runStep {
    name = "runtime";
    script = ./flatten.sh;
    env = {
      inherit (architecture) triple loader;
      tree = unpackDebs {
        name = "runtime-debs";
        packages = [
          "libatomic1"
          "libc6"
          "libgcc-s1"
          "libgmp10"
          "libgomp1"
          "libisl23"
          "libjansson4"
          "libmpc3"
          "libmpfr6"
          "libstdc++6"
          "libzstd1"
          "zlib1g"
        ];
      };
    };
  };
in
runtime
// {
  /** The path of the dynamic loader, which programs of this set name as their interpreter. */
  loader = "${runtime}/lib/${architecture.loader}";
}
