{ names, plan, ... }:
let
  base = {
    torch = "2.13.0";
    compute = "cu130";
    system = "x86_64-linux";
  };
in
{
  nameCompute = {
    cpu = [ (names.nameCompute "cpu" null) "cpu" ];
    cuda = [ (names.nameCompute "cuda" "12.6") "cu126" ];
    rocm = [ (names.nameCompute "rocm" "7.2.1") "rocm72" ];
    xpu = [ (names.nameCompute "xpu" "2025.3") "xpu20253" ];
    metal = [ (names.nameCompute "metal" null) "metal" ];
  };
  nameVariant = {
    linux = [ (names.nameVariant base) "torch213-cxx11-cu130-x86_64-linux" ];
    darwin = [
      (names.nameVariant (base // { torch = "2.11.0"; compute = "metal"; system = "aarch64-darwin"; }))
      "torch211-metal-aarch64-darwin"
    ];
    stableAbi = [ (names.nameVariant (base // { stableAbi = "2.11"; })) "torch-stable-abi211-cu130-x86_64-linux" ];
    tvmFfi = [ (names.nameVariant (base // { framework = "tvm-ffi"; })) "tvm-ffi01-cu130-x86_64-linux" ];
  };
  nameNoarchVariant.asTheClientLooksForIt = [ (names.nameNoarchVariant "cann") "torch-npu" ];
  nameNoarchVariant.perBackend = [ (names.nameNoarchVariant "xpu") "torch-xpu" ];
  # The names of kernels of all kinds are read as they were made; another test reads the same names with Python.
  readVariantName = {
    parts = [
      (map names.readVariantName [
        "torch213-cxx11-cu130-x86_64-linux"
        "torch-stable-abi211-xpu20253-aarch64-linux"
        "tvm-ffi01-metal-aarch64-darwin"
        "torch-npu"
        "torch213-cxx11-cu130-sparc-linux"
        "rest"
      ])
      [
        { label = "torch"; release = "2.13"; compute = "cu130"; system = "x86_64-linux"; }
        { label = "torch-stable-abi"; release = "2.11"; compute = "xpu20253"; system = "aarch64-linux"; }
        { label = "tvm-ffi"; release = "0.1"; compute = "metal"; system = "aarch64-darwin"; }
        { label = "torch"; release = null; compute = "npu"; system = null; }
        null
        null
      ]
    ];
    asNamed = [
      (builtins.filter
        (variant:
          let
            named = names.readVariantName variant.name;
          in
          named == null
          || named.system != (if variant.compiled then variant.system else null)
          || variant.compiled && named.compute != variant.compute)
        (builtins.concatMap
          (root: (plan.kernel.readKernel { inherit root; torchVersions = defaults: defaults; brought = [ ]; }).variants)
          [ ../../golden/five ../../../examples/axpy ../../../examples/rope ]))
      [ ]
    ];
  };
  nameTorchBuild.ofItsOwnWheel = [
    (names.nameTorchBuild { torch = "2.16.0"; compute = "cpu"; wheel.build = "2.16.0.dev20261101+cpu"; })
    "2.16.0.dev20261101+cpu"
  ];
  nameTorchBuild.asItsWheelsSay = [ (names.nameTorchBuild { torch = "2.13.0"; compute = "cu130"; }) "2.13.0+cu130" ];
}
