# Code for the GPU: portable code (`spir64`), which the driver compiles when it is first used, and
# beside it, ahead of time, code for the devices below.
let
  inherit (builtins) concatStringsSep elem;

  # Those that published kernels are built for.
  devices = [
    "pvc"
    "xe-lpg"
    "ats-m150"
  ];
  # For ocloc, which makes that code: not all of the devices have double precision, and tensors may
  # be larger than 4 GB.
  options = [
    "-cl-intel-enable-auto-large-GRF-mode"
    "-cl-poison-unsupported-fp64-kernels"
    "-cl-intel-greater-than-4GB-buffer-required"
  ];
  ahead = [
    "-fsycl-targets=spir64_gen,spir64"
    "-Xs"
    "-device ${concatStringsSep "," devices} -options '${concatStringsSep " " options}'"
  ];
  # With sycl-tla portable code alone, which has to name the extensions of SPIR-V that it uses: ocloc
  # may not know them.
  portable = [
    "-fsycl-targets=spir64"
    "-Xspirv-translator"
    "-spirv-ext=+SPV_INTEL_split_barrier,+SPV_INTEL_2d_block_io,+SPV_INTEL_subgroup_matrix_multiply_accumulate"
  ];
in
{
  # Of each unit.
  flags = [
    "-fsycl"
    "-fsycl-targets=spir64_gen,spir64"
    "--offload-compress"
  ];

  /**
    What gathers the code for the GPU of all objects in one more, for units that see `packages`.

    # Type

    ```
    deviceLink :: [String] -> { program :: String; tools :: [String]; flags :: [String]; }
    ```
  */
  deviceLink = packages: {
    program = "icpx";
    tools = [
      "sycl"
      "ocloc"
      "toolchain"
    ];
    flags = [
      "-fsycl"
      "-fsycl-link"
      "--offload-compress"
      "-fPIC"
    ]
    ++ (if elem "sycl_tla" packages then portable else ahead);
  };
}
