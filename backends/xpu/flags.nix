# The flags of Intel's compiler. `tests/xpu/existing-tool.json` has the same facts as the existing tool states them.
#
# The device link makes code for the GPU: portable code (`spir64`), which the driver compiles at its first use, and code
# that ocloc compiles ahead of time for some devices (`spir64_gen`).
{ values, compilers, ... }:
let
  inherit (builtins) concatMap concatStringsSep elem;
  inherit (compilers.language) makeFlags;

  # The devices, the options of ocloc, and what differs for units that see sycl_tla.
  inherit (builtins.fromJSON (builtins.readFile ./device-code.json)) devices options sycl_tla;

  # Code for the GPU of units that see `packages`: its targets, the devices of `spir64_gen`, and the extensions of
  # SPIR-V that it needs besides the compiler's own.
  describeCode =
    { toolkit, packages, ... }:
    let
      hasTla = elem "sycl_tla" packages;
      isPortable = hasTla && elem toolkit sycl_tla.portableToolkits;
    in
    {
      targets = (if isPortable then [ ] else [ "spir64_gen" ]) ++ [ "spir64" ];
      devices = if hasTla then sycl_tla.devices else devices;
      extensions = if hasTla then sycl_tla.extensions else [ ];
    };

  # The flags that turn the code of all units into code for devices.
  linkCode =
    seen:
    let
      code = describeCode seen;
    in
    values.lists.optionals (elem "spir64_gen" code.targets) [
      "-Xsycl-target-backend=spir64_gen"
      "-device ${concatStringsSep "," code.devices} -options '${concatStringsSep " " options}'"
    ]
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
