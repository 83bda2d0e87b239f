# C and C++ as gcc compiles and links them.
{ compilers, ... }:
let
  inherit (compilers.language) makeFlags makeLanguage;

  table = builtins.fromJSON (builtins.readFile ./gcc.json);

  cxx = makeLanguage {
    compiler = "g++";
    standard = year: "gnu++${year}";
    flagsKeys = [ "cxx-flags" ];
    # Up to a heap of this size, in kB, gcc does not look for memory to free. With Torch's headers, that saves 8 % of
    # its time and takes a quarter more memory.
    flags = self.optimised ++ [ (makeFlags [ "build" ] [ "--param=ggc-min-heapsize=4194304" ]) ];
  };

  self = {
    /**
      The first flags of each compile, a table. gcc shares templates' static data over the whole process
      (`STB_GNU_UNIQUE`) unless it is told not to, and two builds of one kernel must not share any.
    */
    optimised = [
      compilers.language.optimised
      (makeFlags [ "first" ] [ "-fno-gnu-unique" ])
    ];

    /** Language by ending. */
    languages = {
      c = makeLanguage {
        compiler = "gcc";
        standard = _: "gnu17";
        flags = self.optimised;
      };
      cc = cxx;
      cpp = cxx;
      inherit cxx;
    };

    /**
      The Linker. Kernels load on machines with an older C library and libstdc++ than the build's: symbol versions of
      the C library are old, and libstdc++ is linked statically. libstdc++ comes before Torch, because Torch's
      libraries export some of its functions, and each release exports different ones. gcc calls libatomic for 16-byte
      atomics without being told to link it. It is linked statically, because many machines do not have it. Names of
      local symbols are a quarter of a small extension, and most of them come from libstdc++.
    */
    linker = table.linker // {
      # The link replaces functions by those of a package (plan/link.nix).
      flags = table.linker.flags ++ [
        (makeFlags [ "portable" ] ({ wrapped, ... }: map (function: "-Wl,--wrap=${function}") wrapped))
      ];
    };
  };
in
self
