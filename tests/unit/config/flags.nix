{ flags, sections, shape, ... }:
let
  fill =
    file:
    sections.listSections {
      root = ../kernels/odd;
      config = shape.fillConfig (
        {
          general = { name = "odd"; backends = [ "cpu" "cuda" "rocm" "xpu" ]; };
          torch.src = [ "torch-ext/torch_binding.cpp" ];
        }
        // file
      );
    };
  check =
    file:
    map (problem: "${problem.at}: ${problem.found}") (flags.checkFlags (fill file));
  component = backend: more: { inherit backend; depends = [ ]; src = [ "a.cpp" ]; } // more;
  refused = list: builtins.length (check { kernel.a = component "cpu" { cxx-flags = list; }; });
  warn = file: flags.listFlagWarnings (fill file);
  targetsOf =
    more:
    builtins.concatMap (warning: [ warning.found warning.fix ]) (
      warn { kernel.a = component "cuda" ({ src = [ "a.cu" ]; } // more); }
    );
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
    # Torch's functions are called with the objects of its own ABI.
    abi = [
      (map (flags: refused flags) [
        [ "-D_GLIBCXX_USE_CXX11_ABI=0" ]
        [ "-D" "_GLIBCXX_USE_CXX11_ABI=0" ]
        [ "--define-macro=_GLIBCXX_DEBUG" ]
        [ "-D_GLIBCXX_DEBUG_PEDANTIC=1" ]
        [ "-Xcompiler=-O2,-fshort-enums" ]
        [ "-Xcompiler" "-fpack-struct=4" ]
        [ "--compiler-options=-fabi-version=2" ]
        [ "-fshort-wchar" ]
        [ "-mlong-double-64" ]
        [ "-mabi=ms" ]
        [ "-m32" ]
        [ "-Xcompiler=-fsanitize=address,undefined" "--coverage" "-fsanitize=undefined" "-fno-sanitize=address" ]
        [ "-D_GLIBCXX_USE_CXX11_ABI=1" "-D_GLIBCXX_ASSERTIONS" "-D_GLIBCXX_DEBUGGER" "-fno-short-enums" "-fabi-version=0" ]
        [ "-DTEXT=\"-fpack-struct\"" "-m64" "-mabi=lp64" "-mlong-double-80" "-Wabi" ]
      ])
      [ 1 1 1 1 1 1 1 1 1 1 1 2 0 0 ]
    ];
    # Options of gcc, and values of options, are nobody's misspelling.
    misspeltOptions = [
      (map (problem: "${problem.at}: ${problem.found}: ${problem.fix}") (
        flags.checkFlags (fill {
          kernel.a = component "cuda" {
            src = [ "a.cu" ];
            cuda-flags = [
              "--use-fast-math" "--use_fast_math" "-expt_relaxed-constexpr" "--ptxas_options=-v" "-Xcompiler"
              "--use-fast-math" "-ffast-math" "-DA=--use-fast-math" "--include-directory=a" "-std=c++17"
            ];
          };
          kernel.b = component "cpu" { cxx-flags = [ "--use-fast-math" ]; };
        })
      ))
      [
        "kernel.a.cuda-flags: \"--use-fast-math\", which the compiler does not have: write \"--use_fast_math\""
        "kernel.a.cuda-flags: \"-expt_relaxed-constexpr\", which the compiler does not have: write \"--expt-relaxed-constexpr\""
        "kernel.a.cuda-flags: \"--ptxas_options\", which the compiler does not have: write \"--ptxas-options\""
      ]
    ];
  };
  listFlagWarnings = {
    targetsOfCuda = [
      (map targetsOf [
        { cuda-flags = [ "-gencode" "arch=compute_80,code=sm_80" "-O3" "-gencode=arch=compute_103a,code=sm_103a" ]; }
        { cuda-capabilities = [ "9.0" ]; cuda-flags = [ "-arch=sm_90a" ]; }
        { cuda-capabilities = [ "9.0" ]; cuda-flags = [ "-arch=compute_90" "-code=sm_90" ]; }
        { cuda-flags = [ "-arch=all-major" ]; }
        { cuda-flags = [ "-arch=native" "-Xptxas" "-v" ]; }
      ])
      [
        [
          "\"-gencode arch=compute_80,code=sm_80\", \"-gencode=arch=compute_103a,code=sm_103a\", which add to the targets: \"8.0\", \"10.3a\""
          "write cuda-capabilities with all targets that the component needs, and delete the flags: without the key, it also has the default list"
        ]
        [
          "\"-arch=sm_90a\", which adds to the targets: \"9.0a+PTX\""
          "write cuda-capabilities = [\"9.0\", \"9.0a+PTX\"], and delete the flags"
        ]
        [
          "\"-arch=compute_90\", \"-code=sm_90\", which add to the targets: \"9.0\""
          "delete the flags: cuda-capabilities lists these targets"
        ]
        [
          "\"-arch=all-major\", which adds the targets that the compiler of each toolkit knows"
          "write cuda-capabilities with the targets that the component needs, and delete the flag"
        ]
        [
          "\"-arch=native\", left out: it names no target that is the same on every machine"
          "delete the flag: the component is compiled for cuda-capabilities, or for the default list without the key"
        ]
      ]
    ];
    # No source gets the flags, so they add nothing.
    targetsForNoSource = [
      (map (warning: warning.found) (warn { kernel.a = component "cuda" { cuda-flags = [ "-arch=sm_90" ]; }; }))
      [ "flags that no source gets" ]
    ];
    targetsOfRocm = [
      (map (warning: [ warning.at warning.found ]) (warn {
        kernel.a = component "rocm" {
          src = [ "a.hip" ];
          hip-flags = [ "--offload-arch=gfx942" "--offload-arch=native" "-munsafe-fp-atomics" "--offload-compress" ];
        };
      }))
      [
        [ "kernel.a.hip-flags" "\"--offload-arch=gfx942\", which adds to the targets: \"gfx942\"" ]
        [ "kernel.a.hip-flags" "\"--offload-arch=native\", left out: it names no target that is the same on every machine" ]
      ]
    ];
    foldersInEveryForm = [
      (foundIn [ "-Isrc" "-O2" "-I" "src/" "-isystem" "src" "-iquotesrc" "--include-path=src" ])
      (map folder [ "-Isrc" "-I src/" "-isystem src" "-iquotesrc" "--include-path=src" ])
    ];
    headers = [ (foundIn [ "-include" "src/a.h" ]) [ (header "-include src/a.h") ] ];
    # Folders that `include` lists, and folders outside the kernel.
    others = [
      (foundIn [
        "-Icommon" "-I" "./common/" "-I/nix/store/include" "-isystem" "@torch@/include" "-DI=1" "-Isrc" "-Isrc" "-I"
      ])
      [ (folder "-Isrc") ]
    ];
    ofTheMachine = [
      (foundIn [ "-I/usr/local/include" "-isystem" "/usr/include" "-include" "/opt/a.h" "-L/usr/lib" "-I$HOME/a" ])
      (map (flag: "${builtins.toJSON flag}, which is on your machine at most: a build has no files of it") [
        "-I/usr/local/include"
        "-isystem /usr/include"
        "-include /opt/a.h"
      ])
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
