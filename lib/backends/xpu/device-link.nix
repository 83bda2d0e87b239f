# Code for the GPU: portable code (`spir64`), which the driver compiles at its first use, and code that is compiled
# ahead of time for the devices below.
let
  inherit (builtins) concatStringsSep elem;

  # Published kernels are built for these devices.
  devices = [
    "pvc"
    "xe-lpg"
    "ats-m150"
  ];
  # Options of ocloc. Some of the devices lack double precision, and tensors can be larger than 4 GB.
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
  # Units with sycl-tla get portable code alone, because ocloc may not know the extensions of SPIR-V that sycl-tla uses.
  # The flags name these extensions.
  portable = [
    "-fsycl-targets=spir64"
    "-Xspirv-translator"
    "-spirv-ext=+SPV_INTEL_split_barrier,+SPV_INTEL_2d_block_io,+SPV_INTEL_subgroup_matrix_multiply_accumulate"
  ];
in
{
  inherit devices options;

  # Flags of each unit.
  flags = [
    "-fsycl"
    "-fsycl-targets=spir64_gen,spir64"
    "--offload-compress"
  ];

  /**
    The command that links the device code of all objects into one more object, for units that see `packages`.

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
