# What backends say, and how a unit of CUDA is taken apart. More than 300 lines because all of a backend is the value of one module.
{
  backends,
  endings,
  lists,
  targets,
  ...
}@library:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    elem
    filter
    length
    match
    ;
  all = attrValues backends;
  takeApart =
    changed:
    backends.cuda.languages.cu.takeApart (
      {
        targets = [ "9.0" ];
        toolkit = "13.0";
        seesTargets = false;
        seesPass = false;
        flags = [ ];
      }
      // changed
    );
  plan = changed: (takeApart changed).device;
  packed =
    toolkit: flags:
    let
      parts = takeApart { inherit toolkit flags; };
    in
    {
      inherit (parts) flags;
      inherit (parts.device) packing whole;
    };
  wholeOf = flags: (plan { inherit flags; }).whole;
  hipPlan =
    changed:
    (backends.rocm.languages.hip.takeApart (
      {
        targets = [ "gfx942" ];
        toolkit = "7.2";
        seesTargets = false;
        seesPass = false;
        flags = [ ];
      }
      // changed
    )).device;
  # Else every variant of a kernel without a list of its own would warn.
  defaultsLeftOut =
    backend:
    concatMap (
      toolkit:
      (targets.select {
        inherit backend toolkit;
        asked = null;
        at = "";
      }).warnings
    ) (attrNames backends.${backend}.toolkit.versions);
in
{
  cpu = {
    alone = {
      expr = map (backend: backend.name) (filter (backend: backend.isEverywhere) all);
      expected = [ "cpu" ];
    };
    # The checks of built variants read names with it.
    computesThatAreNoNames = {
      expr = builtins.listToAttrs (
        concatMap (
          backend:
          map (name: {
            inherit name;
            value = backend.name;
          }) (filter (name: name != backend.name) [ backend.compute backend.noarch ])
        ) all
      );
      expected = builtins.fromJSON (
        builtins.readFile ../../../pkgs/checks/run-check/checking/computes.json
      );
    };
    # What holds for all of them.
    preferencesDiffer = {
      expr = length (lists.unique (map (backend: backend.preference) all));
      expected = length all;
    };
    packagesAreNamedOnce = {
      expr =
        let
          names = concatMap (backend: attrNames backend.packages) all;
        in
        length (lists.unique names) == length names;
      expected = true;
    };
    noHeaderIsAUnit = {
      expr = concatMap (
        backend: filter (ending: elem ending endings.headers) (attrNames backend.languages)
      ) all;
      expected = [ ];
    };
  };
  # They compile nothing, and are there for kernels of Python code.
  cann.withoutCompiler = {
    expr = map (backend: backend.name) (filter (backend: backend.languages == { }) all);
    expected = [
      "cann"
      "neuron"
      "tpu"
    ];
  };
  neuron.python = {
    expr = library.config.dependencies.python-depends.nki.backends;
    expected = [ "neuron" ];
  };
  tpu.preferredLess = {
    expr = backends.tpu.preference > backends.cpu.preference;
    expected = true;
  };
  metal.onDarwinOnly = {
    expr = backends.metal.systems;
    expected = [ "aarch64-darwin" ];
  };
  rocm = {
    # The compilers before 7.0 lack one of the architectures that Torch is built for.
    newestDefaultsAreSupported = {
      expr = map (warning: warning.found) (defaultsLeftOut "rocm");
      expected = map (
        version:
        "\"gfx950\", left out: the compiler of ROCm ${version} does not know this architecture (7.0, 7.1, 7.2 can)"
      ) [ "6.3" "6.4" ];
    };
    passes = {
      expr = map (pass: pass.flags) (hipPlan { targets = [ "gfx90a" "gfx1100" ]; }).passes;
      expected = [
        [ "--offload-arch=gfx90a" ]
        [ "--offload-arch=gfx1100" ]
      ];
    };
    # A change of the list leaves the host's part as it is.
    hostKnowsNoTarget = {
      expr = (hipPlan { targets = [ "gfx90a" ]; }).host;
      expected = (hipPlan { targets = [ "gfx1100" ]; }).host;
    };
    noHostWithoutTargets = {
      expr = (hipPlan { targets = [ ]; }).host;
      expected = null;
    };
    usualFlagsAreSeparable = {
      expr =
        (hipPlan {
          flags = [
            "-munsafe-fp-atomics"
            "-ffast-math"
            "-mllvm"
            "-amdgpu-early-inline-all=true"
          ];
        }).whole;
      expected = null;
    };
    othersAreNamed = {
      expr =
        (hipPlan {
          flags = [
            "-O2"
            "-fgpu-rdc"
            "-foffload-lto"
          ];
        }).whole;
      expected = "not known to concern one pass only: -fgpu-rdc -foffload-lto";
    };
  };
  xpu = {
    anyToolkit = {
      expr = backends.xpu.toolkit.versions;
      expected = null;
    };
    # Objects of others have their code for GPUs whole.
    aloneWithDeviceLink = {
      expr = map (backend: backend.name) (filter (backend: backend.deviceLink != null) all);
      expected = [ "xpu" ];
    };
    targetsOfDeviceLink = {
      expr =
        map
          (
            packages:
            concatMap (
              flag: if match "-fsycl-targets=.*" flag == null then [ ] else match "-fsycl-targets=(.*)" flag
            ) (backends.xpu.deviceLink packages).flags
          )
          [
            [ "torch" ]
            [
              "sycl_tla"
              "torch"
            ]
          ];
      expected = [
        [ "spir64_gen,spir64" ]
        [ "spir64" ]
      ];
    };
  };
  cuda = {
    defaultsAreSupported = {
      expr = defaultsLeftOut "cuda";
      expected = [ ];
    };
    familyTargetsBegin = {
      expr = map (toolkit: elem "10.0f" backends.cuda.toolkit.versions.${toolkit}.supported) [
        "12.8"
        "12.9"
      ];
      expected = [
        false
        true
      ];
    };
    passes = {
      expr =
        (plan {
          targets = [
            "9.0a"
            "12.0f"
            "12.1+PTX"
          ];
        }).passes;
      expected = [
        {
          name = "90a";
          macro = "900";
          ptx = false;
          flags = [
            "-gencode"
            "arch=compute_90a,code=sm_90a"
          ];
        }
        {
          name = "120f";
          macro = "1200";
          ptx = false;
          flags = [
            "-gencode"
            "arch=compute_120f,code=sm_120f"
          ];
        }
        {
          name = "121";
          macro = "1210";
          ptx = true;
          flags = [
            "-gencode"
            "arch=compute_121,code=[sm_121,compute_121]"
          ];
        }
      ];
    };
    nothingLeft = {
      expr = (plan { targets = [ ]; }).host;
      expected = null;
    };
    listIsTheSameForAllWhereNobodyLooks = {
      expr = map (targets: (plan { inherit targets; }).archList) [
        [ "9.0" ]
        [
          "8.0"
          "12.0"
        ]
      ];
      expected = [
        "750"
        "750"
      ];
    };
    listIsNumericAndWithoutRepeats = {
      expr =
        (plan {
          targets = [
            "10.0"
            "9.0"
            "9.0a"
            "12.1+PTX"
          ];
          seesTargets = true;
        }).archList;
      expected = "900,1000,1210";
    };
    wholeKeepsTheList = {
      expr = (plan { flags = [ "-rdc=true" ]; }).archList;
      expected = "900";
    };
    usualFlagsAreSeparable = {
      expr = map wholeOf [
        [
          "-O3"
          "-DA=1"
          "--use_fast_math"
          "-Xptxas"
          "-v"
          "-Xcompiler=-Wall"
        ]
        [
          "-D"
          "A"
          "-lineinfo"
          "--maxrregcount=64"
          "--threads=4"
        ]
      ];
      expected = [
        null
        null
      ];
    };
    # What every driver of a toolkit can unpack.
    packingByDefault = {
      expr = builtins.mapAttrs (toolkit: _: (packed toolkit [ ]).packing) backends.cuda.toolkit.versions;
      expected = {
        "12.6" = [ "--compress-all" ];
        "12.8" = [ "--compress-all" ];
        "12.9" = [ "--compress-all" ];
        "13.0" = [ "--compress-mode=size" ];
        "13.2" = [ "--compress-mode=size" ];
      };
    };
    packingIsOfNoPass = {
      expr = packed "13.0" [
        "-O2"
        "-Xfatbin=-compress-all,-g"
        "--compress-mode"
        "speed"
        "-no-compress"
        "-lineinfo"
      ];
      expected = {
        flags = [
          "-O2"
          "-lineinfo"
        ];
        packing = [
          "-compress-all"
          "-g"
          "--compress-mode=speed"
          "--compress=false"
        ];
        whole = null;
      };
    };
    packingThatAToolkitLacks = {
      expr = packed "12.6" [ "--compress-mode=none" ];
      expected = {
        flags = [ ];
        packing = [ "--compress-all" ];
        whole = null;
      };
    };
    warningsOf = {
      expr =
        map
          (
            toolkit:
            map (warning: warning.at) (
              backends.cuda.toolkit.warningsOf toolkit {
                cxx-flags = [ ];
                cuda-flags = [ "--compress-mode=none" ];
              }
            )
          )
          [
            "12.6"
            "12.8"
          ];
      expected = [
        [ "cuda-flags" ]
        [ ]
      ];
    };
    othersAreNamed = {
      expr = map wholeOf [
        [
          "-O3"
          "-rdc=true"
        ]
        [
          "-dlto"
          "--new-flag"
        ]
      ];
      expected = [
        "not known to concern one pass only: -rdc=true"
        "not known to concern one pass only: -dlto --new-flag"
      ];
    };
  };
}
