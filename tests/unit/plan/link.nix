{ backends, frameworks, plan, ... }:
let
  inherit (plan) link;
  alike = { first = [ "8.0" "9.0+PTX" ]; second = alike.first; };
  # The library that reports failed launches, besides the libraries of every link.
  reportsOf =
    backend: seen: targets:
    let
      inherit (withTargets targets frameworks.all.torch backend "x86_64-linux" seen) portable;
    in
    {
      inherit (portable) nameFlags;
      flag = builtins.elemAt (portable.flags ++ [ null ]) 8;
      isLinked = builtins.elem "-llaunch-errors" portable.libraries;
      hasPackage = builtins.elem "launch-errors" portable.packages;
    };
  none = {
    nameFlags = [ ];
    flag = null;
    isLinked = false;
    hasPackage = false;
  };
  of = ofFramework frameworks.all.torch;
  ofFramework = withTargets { };
  withTargets =
    targets: framework: backend: system: packages:
    link.planLink {
      kernel = "relu";
      backend = backends.all.${backend};
      inherit framework packages;
      variant = { name = "torch213-cxx11-cu130-x86_64-linux"; toolkit = null; inherit system targets; };
      seen = packages;
      linkable = backends.all.${backend}.packages // {
        tvm-ffi = { libraries = [ "tvm_ffi" ]; alone = [ "tvm_ffi" ]; };
      };
    };
  onLinux = of "cuda" "x86_64-linux" [ "cuda" "cublas" ];
  forTvmFfi = ofFramework frameworks.all.tvm-ffi "cpu" "x86_64-linux" [ "tvm-ffi" ];
  onDarwin = of "metal" "aarch64-darwin" [ ];
in
{
  planLink = {
    foldersAndLibrariesOfPackages = [
      onLinux.arguments
      [
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
      ]
    ];
    # The wrapped functions are in an archive, and may call libstdc++ after it.
    launchesBeforeOtherLibraries = [
      (withTargets alike frameworks.all.torch "cuda" "x86_64-linux" [ "cuda" ]).portable.libraries
      [ "-L@launch-errors@/lib" "-llaunch-errors" "-L@glibc@/lib" "-Wl,-Bstatic" "-lstdc++" "-latomic" "-Wl,-Bdynamic" ]
    ];
    targetsOfAllComponents = [
      (reportsOf "cuda" [ "cuda" ] alike)
      {
        nameFlags = [
          "-DBUILT_KERNEL=\"relu\""
          "-DBUILT_VARIANT=\"torch213-cxx11-cu130-x86_64-linux\""
          "-DBUILT_TARGETS=\"8.0, 9.0+PTX\""
          "-DTARGETS_KEY=\"cuda-capabilities\""
        ];
        flag = "-Wl,--wrap=__cudaGetKernel";
        isLinked = true;
        hasPackage = true;
      }
    ];
    targetsOfEachComponent = [
      (builtins.elemAt (reportsOf "cuda" [ "cuda" ] (alike // { second = [ "9.0a" ]; })).nameFlags 2)
      "-DBUILT_TARGETS=\"first: 8.0, 9.0+PTX; second: 9.0a\""
    ];
    # Without the runtime's headers no unit launches a kernel, and the runtime is not linked.
    noReportsWithoutTheRuntime = [ [ (reportsOf "cuda" [ ] alike) (reportsOf "cpu" [ ] { }) ] [ none none ] ];
    # Apple's linker has words of its own.
    onDarwin = [
      (onDarwin.portable // {
        inherit (onDarwin) arguments;
        made = builtins.head onDarwin.flags;
        program = onDarwin.name.program;
      })
      {
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
        arguments = [ "-L@torch@/lib" "-ltorch_cpu" "-ltorch" "-lc10" ];
        program = "clang";
      }
    ];
    deviceCodeBeforeTheLink = [
      (map (backend: (of backend "x86_64-linux" [ ]).device == null) [ "rocm" "xpu" ])
      [ true false ]
    ];
    fileOfTheFramework = [
      [ onLinux.file onLinux.exports forTvmFfi.file forTvmFfi.exports ]
      [ "@extension@.abi3.so" "PyInit_@extension@" "@extension@.so" "__tvm_ffi_*" ]
    ];
    nothingOfTorchForTvmFfi = [ forTvmFfi.arguments [ "-L@tvm-ffi@/lib" "-Wl,--as-needed" "-ltvm_ffi" "-lgomp" ] ];
    # Torch loads the CUDA runtime; TVM FFI does not.
    runtimeOfItsOwnForTvmFfi = [
      (ofFramework frameworks.all.tvm-ffi "cuda" "x86_64-linux" [ "cuda" ]).libraries
      [ "cudart_static" "cuda" "dl" "pthread" "rt" ]
    ];
    moduleOfPythonExtensions = [
      (map (planned: builtins.elem "-DEXTENSION_MODULE" planned.name.flags) [ onLinux onDarwin forTvmFfi ])
      [ true true false ]
    ];
  };
}
