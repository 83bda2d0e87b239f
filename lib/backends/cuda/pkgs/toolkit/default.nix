# One release of the CUDA toolkit out of NVIDIA's own packages.
#
# `cuda` is what every CUDA compile needs: `out` has the compiler and a stub of the driver's
# library, `dev` the headers of compiler, runtime and CCCL. Each math library is a package of its own (`dev`, `lib`), so
# that an object which uses none waits for none.
{
  lib,
  system,
  buildSet,
  fetchVendor,
  fetchWheel,
  runStep,
  patchelf,
  relocate,
  toolchain,
  cudaToolkit,
}:
/**
  The release `toolkit`; what makes code for GPUs in it (cicc, ptxas, nvlink) is that of the release
  `ptxas`, if that is not null.

  # Type

  ```
  cudaToolkit :: { toolkit :: String; ptxas :: String | Null; }
    -> { cuda; cublas; cufft; curand; cusolver; cusparse; nvjitlink; nvrtc; nvtx :: Package; }
  ```

  # Errors

  The release's nvcc does not accept the compiler of the package set.
*/
{ toolkit, ptxas }:
let
  release = toolkit;
  inherit (builtins) mapAttrs;

  pinned = lib.backends.all.cuda.toolkit.releases.${release};
  wheels = pinned.pins.${system};

  # Wheels of CUDA 12 have the release in their projects' names.
  wheel =
    name:
    let
      project = if wheels ? "${name}-cu12" then "${name}-cu12" else name;
    in
    fetchWheel {
      inherit project;
      inherit (wheels.${project}) version file sha256;
    };

  # The compiler: wheels have it from CUDA 13 on, NVIDIA's archives before.
  compilerSources =
    if pinned.kind == "redist" then
      map (
        component:
        fetchVendor {
          name = component.file;
          inherit (component) url sha256;
        }
      ) (builtins.attrValues (ofRuntime pinned.components.${system}))
    else
      map wheel (
        if isForeign then
          [ "nvidia-cuda-runtime" ]
        else
          [
            "nvidia-cuda-nvcc"
            "nvidia-nvvm"
            "nvidia-cuda-crt"
            "nvidia-cuda-runtime"
            "nvidia-cuda-cccl"
          ]
      );
  ofRuntime = components: if isForeign then { inherit (components) cuda_cudart; } else components;

  # Programs are those of the build machine, and headers are the same everywhere: what is fetched
  # for another processor is what a kernel is linked with.
  isForeign = system != buildSet.system;
  onBuild = buildSet.cudaToolkit { inherit toolkit ptxas; };

  # The compiler of the other release.
  other =
    if isForeign || ptxas == null || ptxas == release then
      null
    else
      (cudaToolkit {
        toolkit = ptxas;
        ptxas = null;
      }).cuda;

  common = {
    inherit relocate;
    inherit (buildSet) runtime;
    loader_path = buildSet.runtime.loader;
  };

  library =
    name: project:
    runStep {
      name = "${name}-cuda-${release}";
      script = ./library.sh;
      outputs = [
        "out"
        "dev"
      ];
      env = {
        sources = [ (wheel project) ];
        unpack = ./unpack.sh;
      };
    }
    // (if isForeign then { inherit (onBuild.${name}) dev; } else { });
  withHostCompiler = import ./host-compiler.nix { inherit lib toolchain; };
in
withHostCompiler release pinned.gcc (
  mapAttrs library {
    cublas = "nvidia-cublas";
    cufft = "nvidia-cufft";
    curand = "nvidia-curand";
    cusolver = "nvidia-cusolver";
    cusparse = "nvidia-cusparse";
    nvjitlink = "nvidia-nvjitlink";
    nvrtc = "nvidia-cuda-nvrtc";
    nvtx = "nvidia-nvtx";
  }
  // {
    cuda = runStep {
      name = "cuda-${release}${if other == null then "" else "-ptxas-${ptxas}"}";
      script = ./compiler.sh;
      tools = [
        patchelf
        toolchain
      ];
      outputs = [
        "out"
        "dev"
      ];
      env = common // {
        sources = compilerSources;
        unpack = if isForeign then ./unpack-beside.sh else ./unpack.sh;
      }
      // (if other == null then { } else { inherit other; })
      // (
        if isForeign then
          {
            unpackAlone = ./unpack.sh;
            programs = onBuild.cuda;
            headers = onBuild.cuda.dev;
          }
        else
          { }
      );
    };
  }
)
