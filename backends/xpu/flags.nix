# The flags of Intel's compiler. `tests/xpu/existing-tool.json` has the same facts as the existing tool states them.
#
# The device link makes code for the GPU: portable code (`spir64`), which the driver compiles at its first use, and code
# that ocloc compiles ahead of time for some devices (`spir64_gen`).
{ compilers, ... }:
let
  inherit (builtins) concatMap concatStringsSep elem;
  inherit (compilers.language) makeFlags;

  # Published kernels are built for these devices.
  devices = [ "pvc" "xe-lpg" "ats-m150" ];
  # Options of ocloc. Some of the devices lack double precision, and tensors can be larger than 4 GB.
  options = [
    "-cl-intel-enable-auto-large-GRF-mode"
    "-cl-poison-unsupported-fp64-kernels"
    "-cl-intel-greater-than-4GB-buffer-required"
  ];

  # Code for the GPU of units that see `packages`: its targets, the devices of `spir64_gen`, and the extensions of
  # SPIR-V that it needs besides the compiler's own.
  describeCode =
    { toolkit, packages, ... }:
    let
      hasTla = elem "sycl_tla" packages;
      # ocloc cannot compile the code of releases of sycl-tla before 0.9.2.
      isPortable = hasTla && elem toolkit portableToolkits;
    in
    {
      targets = (if isPortable then [ ] else [ "spir64_gen" ]) ++ [ "spir64" ];
      devices = if hasTla then devicesOfTla else devices;
      extensions = if hasTla then extensionsOfTla else [ ];
    };
  portableToolkits = [ "2025.2" "2025.3" ];
  devicesOfTla = [ "pvc" "bmg-g21" "cri" ];
  extensionsOfTla = [
    "SPV_INTEL_split_barrier"
    "SPV_INTEL_2d_block_io"
    "SPV_INTEL_subgroup_matrix_multiply_accumulate"
  ];

  # The flags that turn the code of all units into code for devices.
  linkCode =
    seen:
    let
      code = describeCode seen;
    in
    concatMap (target: [
      "-Xsycl-target-backend=${target}"
      "-device ${concatStringsSep "," code.devices} -options '${concatStringsSep " " options}'"
    ]) (builtins.filter (target: target == "spir64_gen") code.targets)
    # The option replaces the compiler's list, so the list has to be complete. The step asks the compiler for its own
    # part. A target's options reach the code of this target alone.
    ++ concatMap (target: [
      "-Xspirv-translator=${target}"
      "-spirv-ext=@spirv-extensions@,${
        concatStringsSep "," (map (extension: "+${extension}") code.extensions)
      }"
    ]) (if code.extensions == [ ] then [ ] else code.targets);

  code = makeFlags [ "compile" "device-link" ] [
    "-fsycl"
    "--offload-compress"
    # The compile marks divisions and square roots, and the device link passes an option to ocloc. If one of them lacks
    # the flag, results are not rounded correctly.
    "-foffload-fp32-prec-div"
    "-foffload-fp32-prec-sqrt"
  ];
  targets = makeFlags [ "compile" "device-link" ] (
    seen: [ "-fsycl-targets=${concatStringsSep "," (describeCode seen).targets}" ]
  );
in
{
  inherit devices options;

  # The table of a language. `more` are flags of the compile for one kind of files.
  compileWith = more: [
    compilers.language.optimised
    code
    # Flags with which Torch's own kernels for Intel GPUs are built. With these flags, Intel's compiler still may
    # multiply by a reciprocal, contracts and ignores the sign of zero, as in Torch's build.
    (makeFlags [ "compile" ] (
      [
        "-fhonor-nans"
        "-fhonor-infinities"
        "-fno-associative-math"
        "-fno-approx-func"
        "-fno-sycl-instrument-device-code"
      ]
      ++ more
    ))
    targets
  ];
  deviceLink = [
    code
    (makeFlags [ "device-link" ] [ "-fsycl-link" "-fPIC" ])
    targets
    (makeFlags [ "device-link" ] linkCode)
  ];
}
