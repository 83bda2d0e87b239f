# One release of the CUDA toolkit from NVIDIA's own packages.
#
# Every CUDA compile needs `cuda`: `out` has the compiler and a stub of the driver's library, `dev` the headers of
# compiler, runtime and CCCL. Each math library is a package of its own (`dev`, `lib`), so that an object does not wait
# for libraries that it does not use.
{
  lib,
  system,
  buildSet,
  fetchVendor,
  fetchWheel,
  readDebs,
  refuse,
  runStep,
  patchelf,
  relocate,
  toolchain,
  cudaToolkit,
}:
/**
  The release `toolkit`. If `ptxas` is not null, the programs that make code for GPUs (cicc, ptxas, nvlink) come from
  the release `ptxas`.

  Type: cudaToolkit :: { toolkit :: String; ptxas :: String | Null; } -> { cuda; cublas; cufft; curand; cusolver;
    cusparse; nvjitlink; nvrtc; nvtx :: Package; }

  # Errors

  The release's nvcc does not accept the compiler of the package set.
*/
{ toolkit, ptxas }:
let
  inherit (lib.values.attributes) optionalAttrs;

  pinned = lib.backends.all.cuda.toolkit.releases.${toolkit};
  wheels = pinned.pins.${system};

  # The projects of CUDA 12 end in `-cu12`.
  wheel =
    name:
    let
      project = if wheels ? "${name}-cu12" then "${name}-cu12" else name;
    in
    fetchWheel { inherit project; inherit (wheels.${project}) version file sha256; };

  # The compiler is in wheels from CUDA 13 on, and in NVIDIA's archives before. Debian has the programs of one release.
  compilerSources =
    if pinned.kind == "redist" then
      map (
        component:
        fetchVendor { name = component.file; inherit (component) url sha256; }
      ) (builtins.attrValues (ofRuntime pinned.components.${system}))
    else if isForeign then
      [ (wheel "nvidia-cuda-runtime") ]
    else
      # A release has some of these. `nvcc --enable-tile` needs the last one, since CUDA 13.4.
      map wheel (
        builtins.filter (project: wheels ? ${project} || wheels ? "${project}-cu12") [
          "nvidia-cuda-nvcc" "nvidia-nvvm" "nvidia-cuda-crt" "nvidia-cuda-runtime" "nvidia-cuda-cccl"
          "nvidia-cuda-tileiras"
        ]
      );
  debian = ./. + "/${pinned.programs}";
  ofRuntime = components: if isForeign then { inherit (components) cuda_cudart; } else components;

  # For another system, programs come from the build machine's set, and headers are the same on all systems. Only
  # the libraries that a kernel is linked with are fetched.
  isForeign = system != buildSet.system;
  onBuild = buildSet.cudaToolkit { inherit toolkit ptxas; };

  # The toolkit that provides ptxas in place of this release.
  other =
    if isForeign || ptxas == null || ptxas == toolkit then
      null
    else
      (cudaToolkit { toolkit = ptxas; ptxas = null; }).cuda;

  library =
    name: project:
    runStep {
      name = "${name}-cuda-${toolkit}";
      script = ./library.sh;
      outputs = [ "out" "dev" ];
      env = { sources = [ (wheel project) ]; unpack = ./unpack.sh; };
    }
    // optionalAttrs isForeign { inherit (onBuild.${name}) dev; };
  gcc = builtins.fromJSON toolchain.version;
in
# nvcc accepts some releases of gcc as its host compiler: see NVIDIA's installation guide and the toolkit's
# host_config.h.
if gcc < pinned.gcc.oldest || pinned.gcc.newest < gcc then
  (refuse ./problems.json).other-gcc {
    inherit toolkit;
    inherit (pinned.gcc) oldest newest;
    inherit (toolchain) version;
    toolchain = toolchain.name;
  }
else
  builtins.mapAttrs library (builtins.fromJSON (builtins.readFile ./libraries.json))
  // {
    cuda = runStep {
      name = "cuda-${toolkit}${if other == null then "" else "-ptxas-${ptxas}"}";
      script = ./compiler.sh;
      tools = [ patchelf toolchain ];
      outputs = [ "out" "dev" ];
      env = {
        inherit relocate;
        inherit (buildSet) runtime;
        loader_path = buildSet.runtime.loader;
        sources = compilerSources;
        unpack = if isForeign then ./unpack-beside.sh else ./unpack.sh;
      }
      // optionalAttrs (pinned ? programs && !isForeign) {
        programs = (readDebs (debian + "/pins.json")).nvidia-cuda-toolkit;
        profile = debian + "/nvcc.profile";
        unpack = debian + "/unpack.sh";
        unpackAlone = ./unpack.sh;
      }
      // optionalAttrs (other != null) { inherit other; }
      // optionalAttrs isForeign {
        unpackAlone = ./unpack.sh;
        programs = onBuild.cuda;
        headers = onBuild.cuda.dev;
      };
    }
    // optionalAttrs (pinned ? programs) { standIn = "the compiler of CUDA ${toolkit} from Debian"; };
  }
