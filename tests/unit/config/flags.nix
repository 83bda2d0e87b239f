{ config, ... }:
let
  inherit (config) flags sections shape;
  fill = file: {
    sections = sections.listSections {
      root = ../kernels/odd;
      config = shape.fillConfig (
        {
          general = { name = "odd"; backends = [ "cpu" "cuda" "rocm" "xpu" ]; };
          torch.src = [ "torch-ext/torch_binding.cpp" ];
        }
        // file
      );
    };
  };
  check =
    file:
    map (problem: "${problem.at}: ${problem.found}") (flags.checkFlags (fill file));
  component = backend: more: { inherit backend; depends = [ ]; src = [ "a.cpp" ]; } // more;
  refused = list: builtins.length (check { kernel.a = component "cpu" { cxx-flags = list; }; });
  targetsOf = backend: key: list: map (problem: problem.found) (
    flags.checkFlags (fill { kernel.a = component backend { ${key} = list; }; })
  );
  warn = file: flags.listFlagWarnings (fill file);
  foundIn =
    list:
    map (warning: warning.found) (warn { kernel.a = component "cpu" { include = [ "common" ]; cxx-flags = list; }; });
  folder = flag: "${builtins.toJSON flag}, which finds no header: a compile has only those that `include` leads to";
  header = flag: "${builtins.toJSON flag}, which finds no header of the kernel: a compile has only those that sources include";
in
{
  checkFlags = {
    processorOfTheMachine = [
      (check {
        torch = { src = [ "torch-ext/torch_binding.cpp" ]; cxx-flags = [ "-O3" "-march=native" ]; };
        kernel.a = component "cuda" { cuda-flags = [ "-Xcompiler" "-O3,-mtune=native" ]; };
        kernel.b = component "xpu" { sycl-flags = [ "-xHost" ]; };
        kernel.c = component "rocm" { hip-flags = [ "-Xarch_host" "-march=native" ]; };
      })
      [
        "torch.cxx-flags: \"-march=native\", which means the processor of the machine that compiles"
        "kernel.a.cuda-flags: \"-O3,-mtune=native\", which means the processor of the machine that compiles"
        "kernel.b.sycl-flags: \"-xHost\", which means the processor of the machine that compiles"
        "kernel.c.hip-flags: \"-march=native\", which means the processor of the machine that compiles"
      ]
    ];
    itsSpellings = [
      (map (flag: refused [ flag ]) [
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
      ])
      [ 1 1 1 1 1 1 1 1 1 1 1 ]
    ];
    otherFlags = [
      (map (flag: refused [ flag ]) [
        "-march=x86-64-v3"
        "-mavx512f"
        "-DNATIVE"
        "-DFLAGS=\"-march=native\""
        "-Wno-native"
        "-I/native"
        "-x"
      ])
      [ 0 0 0 0 0 0 0 ]
    ];
    targetsOfCuda = [
      (targetsOf "cuda" "cuda-flags" [
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
      ])
      (map (flag: "${builtins.toJSON flag}, which names targets") [
        "-gencode arch=compute_80,code=sm_80"
        "-gencode=arch=compute_80,code=[sm_80,compute_80]"
        "--generate-code arch=compute_80,code=sm_80"
        "-arch=native"
        "-arch sm_90"
        "--gpu-architecture=sm_90a"
        "-code=sm_90"
      ])
    ];
    targetsOfRocm = [
      (targetsOf "rocm" "hip-flags" [
        "--offload-arch=gfx942" "--offload-arch=native" "--no-offload-arch=all" "--cuda-gpu-arch=gfx942"
        "-munsafe-fp-atomics" "--offload-compress"
      ])
      (map (flag: "${builtins.toJSON flag}, which names targets") [
        "--offload-arch=gfx942" "--offload-arch=native" "--no-offload-arch=all" "--cuda-gpu-arch=gfx942"
      ])
    ];
  };
  listFlagWarnings = {
    foldersInEveryForm = [
      (foundIn [ "-Isrc" "-O2" "-I" "src/" "-isystem" "src" "-iquotesrc" "--include-path=src" ])
      (map folder [ "-Isrc" "-I src/" "-isystem src" "-iquotesrc" "--include-path=src" ])
    ];
    headers = [ (foundIn [ "-include" "src/a.h" ]) [ (header "-include src/a.h") ] ];
    # Folders that `include` lists, and folders outside the kernel.
    others = [
      (foundIn [
        "-Icommon" "-I" "./common/" "-I/usr/include" "-isystem" "@torch@/include" "-DI=1" "-Isrc" "-Isrc" "-I"
      ])
      [ (folder "-Isrc") ]
    ];
    whatToWrite = [
      (map (warning: { inherit (warning) at fix; }) (warn {
        torch = { src = [ "src/a.cpp" ]; cxx-flags = [ "-Isrc" ]; };
      }))
      [ { at = "torch.cxx-flags"; fix = "write include = [\"src\"], and delete the flag"; } ]
    ];
    # `.cu` files alone get no flags of C++ files.
    flagsForNoSource = [
      (map (warning: warning.at) (warn {
        kernel.a = component "cuda" { src = [ "a.cu" ]; cxx-flags = [ "-DA" ]; };
        kernel.b = component "cuda" { src = [ "b.cu" "b.cpp" ]; cxx-flags = [ "-DA" ]; };
        kernel.c = component "cpu" { src = [ "c.c" ]; cxx-flags = [ "-DA" ]; };
      }))
      [ "kernel.a.cxx-flags" "kernel.c.cxx-flags" ]
    ];
  };
}
