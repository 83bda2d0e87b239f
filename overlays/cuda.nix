# CUDA toolkits. `cudaPackages` is set by each CUDA variant, on top of this set.
final: _: {
  cudaPackages = { };
  cudaToolkit = final.callPackage ../pkgs/cuda { };
  compileCudaUnit = final.callPackage ../pkgs/cuda-unit { };
}
