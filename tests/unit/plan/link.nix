{ backends, link, ... }:
let
  of =
    backend: system: packages:
    link.planLink {
      backend = backends.${backend};
      inherit system packages;
      module = false;
    };
  onLinux = of "cuda" "x86_64-linux" [
    "cuda"
    "cublas"
  ];
  onDarwin = of "metal" "aarch64-darwin" [ ];
in
{
  planLink = {
    foldersAndLibrariesOfPackages = {
      expr = onLinux.arguments;
      expected = [
        "-L@torch@/lib"
        "-L@cuda@/lib"
        "-L@cublas@/lib"
        "-Wl,--as-needed"
        "-lc10_cuda"
        "-ltorch_cuda"
        "-ltorch_cpu"
        "-ltorch"
        "-lc10"
        "-lcudart"
        "-lcuda"
        "-lcublas"
        "-lcublasLt"
        "-lgomp"
      ];
    };
    # Apple's linker knows none of these.
    nothingOfLinuxOnDarwin = {
      expr = onDarwin.portable // {
        inherit (onDarwin) arguments;
        program = onDarwin.name.program;
      };
      expected = {
        flags = [ ];
        libraries = [ ];
        arguments = [
          "-L@torch@/lib"
          "-ltorch_cpu"
          "-ltorch"
          "-lc10"
        ];
        program = "clang";
      };
    };
    moduleIsADefinition = {
      expr = builtins.elem "-DEXTENSION_MODULE" onLinux.name.flags;
      expected = false;
    };
  };
}
