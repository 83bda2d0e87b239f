{ config, ... }:
let
  inherit (config) refusedFlags shape;
  fill =
    file:
    shape.fillConfig (
      {
        general = {
          name = "odd";
          backends = [
            "cpu"
            "cuda"
            "rocm"
            "xpu"
          ];
        };
        torch.src = [ "torch-ext/torch_binding.cpp" ];
      }
      // file
    );
  check =
    file:
    map (problem: "${problem.at}: ${problem.found}") (
      refusedFlags.checkFlags { config = fill file; }
    );
  component = backend: flags: {
    inherit backend;
    depends = [ ];
    src = [ "a.cpp" ];
  }
  // flags;
  refused = flags: builtins.length (check { kernel.a = component "cpu" { cxx-flags = flags; }; });
  targetsOf = backend: key: flags: map (problem: problem.found) (
    refusedFlags.checkFlags { config = fill { kernel.a = component backend { ${key} = flags; }; }; }
  );
in
{
  checkFlags = {
    processorOfTheMachine = {
      expr = check {
        torch = {
          src = [ "torch-ext/torch_binding.cpp" ];
          cxx-flags = [ "-O3" "-march=native" ];
        };
        kernel.a = component "cuda" { cuda-flags = [ "-Xcompiler" "-O3,-mtune=native" ]; };
        kernel.b = component "xpu" { sycl-flags = [ "-xHost" ]; };
        kernel.c = component "rocm" { hip-flags = [ "-Xarch_host" "-march=native" ]; };
      };
      expected = [
        "torch.cxx-flags: \"-march=native\", which means the processor of the machine that compiles"
        "kernel.a.cuda-flags: \"-O3,-mtune=native\", which means the processor of the machine that compiles"
        "kernel.b.sycl-flags: \"-xHost\", which means the processor of the machine that compiles"
        "kernel.c.hip-flags: \"-march=native\", which means the processor of the machine that compiles"
      ];
    };
    itsSpellings = {
      expr = map (flag: refused [ flag ]) [
        "-march=native"
        "-mtune=native"
        "-mcpu=native"
        "-mcpu=native+nosve"
        "--machine-arch=native"
        "-Xcompiler=-march=native"
        "-Xcompiler=-O3,-march=native,-Wall"
        "--compiler-options=-march=native"
        "'-O3 -march=native'"
        "\"-march=native\""
        "-Wp,-march=native"
      ];
      expected = [ 1 1 1 1 1 1 1 1 1 1 1 ];
    };
    otherFlags = {
      expr = map (flag: refused [ flag ]) [
        "-march=x86-64-v3"
        "-mavx512f"
        "-DNATIVE"
        "-DFLAGS=\"-march=native\""
        "-Wno-native"
        "-I/native"
        "-x"
      ];
      expected = [ 0 0 0 0 0 0 0 ];
    };
    targetsOfCuda = {
      expr = targetsOf "cuda" "cuda-flags" [
        "-gencode"
        "arch=compute_80,code=sm_80"
        "-gencode=arch=compute_80,code=[sm_80,compute_80]"
        "--generate-code"
        "arch=compute_80,code=sm_80"
        "-arch=native"
        "-arch"
        "sm_90"
        "--gpu-architecture=sm_90a"
        "-code=sm_90"
        "-O3"
        "-Xptxas"
        "-v"
      ];
      expected = map (flag: "${builtins.toJSON flag}, which names targets") [
        "-gencode arch=compute_80,code=sm_80"
        "-gencode=arch=compute_80,code=[sm_80,compute_80]"
        "--generate-code arch=compute_80,code=sm_80"
        "-arch=native"
        "-arch sm_90"
        "--gpu-architecture=sm_90a"
        "-code=sm_90"
      ];
    };
    targetsOfRocm = {
      expr = targetsOf "rocm" "hip-flags" [
        "--offload-arch=gfx942"
        "--offload-arch=native"
        "--no-offload-arch=all"
        "--cuda-gpu-arch=gfx942"
        "-munsafe-fp-atomics"
        "--offload-compress"
      ];
      expected = map (flag: "${builtins.toJSON flag}, which names targets") [
        "--offload-arch=gfx942"
        "--offload-arch=native"
        "--no-offload-arch=all"
        "--cuda-gpu-arch=gfx942"
      ];
    };
  };
}
