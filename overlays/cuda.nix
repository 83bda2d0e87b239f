# CUDA toolkits, and headers for CUDA kernels. `cudaPackages` is set by each CUDA variant, on
# top of this set.
final: _: {
  cudaPackages = { };
  cudaToolkit = final.callPackage ../pkgs/cuda { };
  cutlassHeaders = final.callPackage ../pkgs/cutlass/headers.nix { };
  cutlass = final.callPackage ../pkgs/cutlass { };
  compileCudaUnit = final.callPackage ../pkgs/cuda-unit { };
}
