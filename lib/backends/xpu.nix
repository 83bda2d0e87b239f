# Intel GPUs: SYCL, compiled by Intel's compiler to portable code and, ahead of time, for the
# devices below.
_:
let
  inherit (import ./cxx.nix) language;

  sycl = [
    "-fsycl"
    "-fsycl-targets=spir64_gen,spir64"
    "--offload-compress"
  ];
  # What Intel's compiler would take as licence to compute otherwise than Torch does.
  exactness = [
    "-fhonor-nans"
    "-fhonor-infinities"
    "-fno-associative-math"
    "-fno-approx-func"
    "-foffload-fp32-prec-div"
    "-foffload-fp32-prec-sqrt"
    "-fno-sycl-instrument-device-code"
  ];
  cxx =
    flags:
    language {
      compiler = "icpx";
      standard = year: "gnu++${year}";
      flags = sycl ++ exactness ++ flags;
      flagsKey = "sycl-flags";
      packages = [ "sycl" ];
    };
in
{
  systems = [ "x86_64-linux" ];
  host = "yum.repos.intel.com";
  preference = 3;
  compute = "xpu";
  # Intel's number as a maker of devices.
  isPresent = "grep -q 0x8086 /sys/class/drm/renderD*/device/vendor 2>/dev/null";
  toolkit = {
    name = "oneAPI";
    minverKey = null;
    versions = null;
  };
  componentKeys.sycl-flags = {
    type = "strings";
    default = [ ];
    since = 2;
    meaning = "Additional flags of the SYCL compiler.";
  };
  definitions = [ "XPU_KERNEL" ];
  packages = {
    onednn = {
      libraries = [ ];
      names = [ ];
      prefixes = [
        "dnnl"
        "oneapi/dnnl/"
      ];
      suffixes = [ ];
    };
    sycl = {
      libraries = [ ];
      names = [ ];
      prefixes = [
        "CL/"
        "oneapi/"
        "sycl/"
      ];
      suffixes = [ ];
    };
  };
  languages = {
    c = language {
      compiler = "icx";
      standard = _: "gnu17";
      packages = [ "sycl" ];
    };
    cc = cxx [ ];
    cpp = cxx [ ];
    cxx = cxx [ ];
    sycl = cxx [
      "-x"
      "c++"
    ];
  };
  libraries = [
    "c10_xpu"
    "torch_xpu"
    "torch_cpu"
    "torch"
    "c10"
  ];
  linker = {
    program = "icpx";
    flags = sycl ++ [
      "-Xs"
      "-device pvc,xe-lpg,ats-m150"
    ];
  };
}
