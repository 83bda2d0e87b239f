{ backends, frameworks, plan, ... }:
let
  inherit (plan) link;
  of = ofFramework frameworks.all.torch;
  ofFramework =
    framework:
    backend: system: packages:
    link.planLink {
      backend = backends.all.${backend};
      inherit framework system packages;
      toolkit = null;
      seen = packages;
      linkable = backends.all.${backend}.packages // {
        tvm-ffi = {
          libraries = [ "tvm_ffi" ];
          alone = [ "tvm_ffi" ];
        };
      };
      launches = {
        flags = [ "-Wl,--wrap=launch" ];
        libraries = [ "-llaunch-errors" ];
        nameFlags = [ "-DBUILT" ];
        packages = [ "launch-errors" ];
      };
    };
  onLinux = of "cuda" "x86_64-linux" [
    "cuda"
    "cublas"
  ];
  forTvmFfi = ofFramework frameworks.all.tvm-ffi "cpu" "x86_64-linux" [ "tvm-ffi" ];
  onDarwin = of "metal" "aarch64-darwin" [ ];
in
{
  planLink = {
    foldersAndLibrariesOfPackages = {
      expr = onLinux.arguments;
      expected = [
        "-L@torch@/lib"
        "-L@cuda@/lib"
        "-L@cuda@/lib/stubs"
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
    # The wrapped functions are in an archive, and may call libstdc++ after it.
    launchesInBuildsOnLinux = {
      expr = {
        inherit (onLinux.portable) libraries nameFlags packages;
        flag = builtins.elem "-Wl,--wrap=launch" onLinux.portable.flags;
      };
      expected = {
        libraries = [
          "-llaunch-errors"
          "-L@glibc@/lib"
          "-Wl,-Bstatic"
          "-lstdc++"
          "-latomic"
          "-Wl,-Bdynamic"
        ];
        nameFlags = [ "-DBUILT" ];
        packages = [
          "glibc"
          "launch-errors"
        ];
        flag = true;
      };
    };
    # Apple's linker has words of its own.
    onDarwin = {
      expr = onDarwin.portable // {
        inherit (onDarwin) arguments;
        made = builtins.head onDarwin.flags;
        program = onDarwin.name.program;
      };
      expected = {
        flags = [
          "-Wl,-exported_symbol,_PyInit_@extension@"
          "-Wl,-dead_strip"
          "-Wl,-dead_strip_dylibs"
          "-Wl,-rpath,@loader_path/lib"
        ];
        libraries = [ ];
        nameFlags = [ ];
        packages = [ ];
        made = "-bundle";
        arguments = [
          "-L@torch@/lib"
          "-ltorch_cpu"
          "-ltorch"
          "-lc10"
        ];
        program = "clang";
      };
    };
    deviceCodeBeforeTheLink = {
      expr = map (backend: (of backend "x86_64-linux" [ ]).device == null) [
        "rocm"
        "xpu"
      ];
      expected = [
        true
        false
      ];
    };
    fileOfTheFramework = {
      expr = [
        onLinux.file
        onLinux.exports
        forTvmFfi.file
        forTvmFfi.exports
      ];
      expected = [
        "@extension@.abi3.so"
        "PyInit_@extension@"
        "@extension@.so"
        "__tvm_ffi_*"
      ];
    };
    nothingOfTorchForTvmFfi = {
      expr = forTvmFfi.arguments;
      expected = [
        "-L@tvm-ffi@/lib"
        "-Wl,--as-needed"
        "-ltvm_ffi"
        "-lgomp"
      ];
    };
    # Torch loads the CUDA runtime; TVM FFI does not.
    runtimeOfItsOwnForTvmFfi = {
      expr = (ofFramework frameworks.all.tvm-ffi "cuda" "x86_64-linux" [ "cuda" ]).libraries;
      expected = [
        "cudart_static"
        "cuda"
        "dl"
        "pthread"
        "rt"
      ];
    };
    moduleOfPythonExtensions = {
      expr = map (planned: builtins.elem "-DEXTENSION_MODULE" planned.name.flags) [
        onLinux
        onDarwin
        forTvmFfi
      ];
      expected = [
        true
        true
        false
      ];
    };
  };
}
