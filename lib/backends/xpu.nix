# Intel GPUs: SYCL, compiled by Intel's compiler to portable code and, ahead of time, for the
# devices below.
let
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
  cxx = {
    compiler = "icpx";
    standard = "gnu++";
    flags = sycl ++ exactness;
    packages = [ "sycl" ];
  };
in
{
  definitions = [ "XPU_KERNEL" ];
  packages = [
    "onednn"
    "sycl"
  ];
  languages = {
    c = cxx // {
      compiler = "icx";
      standard = "gnu";
      flags = [ ];
    };
    cc = cxx;
    cpp = cxx;
    cxx = cxx;
    sycl = cxx // {
      flags = cxx.flags ++ [
        "-x"
        "c++"
      ];
    };
  };
  targetFlags = _: [ ];
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
