# One release of the CUDA toolkit out of NVIDIA's own packages.
#
# `cuda` is what every CUDA compile needs: `out` has the compiler and a stub of the driver's
# library, `dev` the headers of compiler, runtime and CCCL. Each math library is a package of its own (`dev`, `lib`), so
# that an object which uses none waits for none.
{
  lib,
  system,
  fetchVendor,
  fetchWheel,
  runStep,
  patchelf,
  relocate,
  runtime,
  architecture,
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

  No toolkit of that release is pinned, or its nvcc does not accept the set's compiler.
*/
{ toolkit, ptxas }:
let
  release = toolkit;
  inherit (builtins)
    attrNames
    filter
    fromJSON
    head
    mapAttrs
    match
    readDir
    readFile
    ;

  files = filter (file: match ".*[.]json" file != null) (attrNames (readDir ./toolkits));
  releases = map (file: head (match "(.*)[.]json" file)) files;
  pinned =
    if builtins.elem release releases then
      fromJSON (readFile (./toolkits + "/${release}.json"))
    else
      lib.check.refuse "CUDA ${release} is not in the package set" {
        at = "pkgs/cuda/cuda-toolkit/toolkits";
        found = "nothing for ${release}";
        want = lib.check.oneOfText releases;
        fix = "choose one of these in torchVersions, or add its pins";
      };
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
      ) (builtins.attrValues pinned.components.${system})
    else
      map wheel [
        "nvidia-cuda-nvcc"
        "nvidia-nvvm"
        "nvidia-cuda-crt"
        "nvidia-cuda-runtime"
        "nvidia-cuda-cccl"
      ];

  # The compiler of the other release.
  other =
    if ptxas == null || ptxas == release then
      null
    else
      (cudaToolkit {
        toolkit = ptxas;
        ptxas = null;
      }).cuda;

  common = {
    inherit runtime relocate;
    loader_path = "${runtime}/lib/${architecture.loader}";
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
    };
  withHostCompiler = import ./host-compiler.nix { inherit lib toolchain; };
in
withHostCompiler release (
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
        unpack = ./unpack.sh;
      }
      // (if other == null then { } else { inherit other; });
    };
  }
)
