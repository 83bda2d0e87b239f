# The binary in a folder that looks like a variant, and the check of it.
{ packages, variant }:
let
  object = packages.runStep {
    name = "copy.o";
    script = builtins.toFile "compile.sh" ''
      exec gcc -O1 -fPIC -fno-inline -c "$source" -o "$out"
    '';
    tools = [ packages.toolchain ];
    env.source = ./copy.c;
  };
  folder = packages.runStep {
    name = "glibc-2.38-assembled";
    script = ./link.sh;
    tools = [ packages.toolchain ];
    env = {
      inherit object;
      libc = ./libc.s;
    };
  };
in
packages.checkAbi {
  name = "glibc-2.38";
  inherit variant;
  inherit (packages) system;
  backend = "cpu";
  torch = packages.torchWheel "2.13.0+cpu";
  objects."rows/copy.c" = object;
} folder
