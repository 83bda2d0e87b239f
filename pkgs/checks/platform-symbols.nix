# The symbols of the libraries that a machine has without Torch: glibc's up to the cap, and
# gcc's. libgomp is not among them, since a kernel uses the one that Torch has loaded.
{
  listSymbols,
  glibcStubs,
  runtime,
  architecture,
}:
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
