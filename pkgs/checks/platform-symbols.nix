# `platformSymbols`: The symbols of the libraries that every machine has: glibc's up to the version of the policy, and
# gcc's. libgomp is not listed, because a kernel uses the one that Torch has loaded.
{ listSymbols, glibcStubs, runtime, architecture }:
listSymbols {
  name = "platform";
  libraries = [
    "${glibcStubs}/lib"
  ]
  ++ map (library: "${runtime}/lib/${library}") [
    architecture.loader
    "libatomic.so.1"
    "libgcc_s.so.1"
    "libstdc++.so.6"
    "libz.so.1"
  ];
}
