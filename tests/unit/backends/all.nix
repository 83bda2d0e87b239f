# Tests of the backends' fields and of the passes of CUDA units. More than 300 lines because backends are one module.
{ values, compilers, backends, config, matrix, plan, ... }:
let
  inherit (builtins) attrNames attrValues concatMap concatStringsSep elem filter length match;
  inherit (values) lists;
  inherit (values.lists) optionals;
  inherit (config) dependencies endings;
  inherit (compilers.language) selectFlags;
  all = attrValues backends.all;
  # The tables of flags of all backends.
  tables = concatMap (
    backend:
    [ backend.flags ]
    ++ map (language: language.flags) (attrValues backend.languages)
    ++ concatMap (link: optionals (link != null) [ link.flags ]) [ backend.linker backend.deviceLink ]
  ) (concatMap (backend: [ backend (backend // backend.onDarwin) ]) all);
  # The flags of a table, those of each row once.
  flagsIn =
    table:
    concatMap (row: filter (word: match "-.{2,}" word != null) (lists.unique row.flags)) (
      lists.unique (filter (row: builtins.isList row.flags) (builtins.concatLists (attrValues table)))
    );
  passesOf =
    language: arguments: changed:
    plan.unit.planPasses {
      inherit language;
      packages = [ ];
      arguments =
        { identity = "0123456789abcdef"; seesTargets = false; seesPass = false; flags = [ ]; } // arguments // changed;
    };
  cuPasses = passesOf backends.all.cuda.languages.cu { targets = [ "9.0" ]; toolkit = "13.0"; };
  cuPlan = changed: (cuPasses changed).device;
  packed =
    toolkit: flags:
    let
      passes = cuPasses { inherit toolkit flags; };
    in
    { inherit (passes) flags; inherit (passes.device) packing whole; };
  hipPlan =
    changed:
    (passesOf backends.all.rocm.languages.hip { targets = [ "gfx942" ]; toolkit = "7.2"; } changed).device;
  # A default that is left out would warn in every variant of a kernel without its own list.
  defaultsLeftOut =
    backend:
    concatMap (
      toolkit:
      (matrix.targets.selectTargets {
        inherit backend toolkit;
        requested = backends.all.${backend}.toolkit.releases.${toolkit}.default;
        at = "";
      }).warnings
    ) (attrNames backends.all.${backend}.toolkit.releases);
  # Devices, what a component lists, and the code that they run of it.
  bestTargets =
    let
      case = device: of: is: { inherit device of is; };
    in
    [
      (case "9.0" [ "8.0" "9.0" "9.0a" ] "9.0a")
      (case "9.0" [ "8.0" "9.0" ] "9.0")
      # Code for another major cannot be loaded, nor code for a newer minor.
      (case "9.0" [ "8.0" "10.0" ] null)
      (case "8.0" [ "8.6" ] null)
      (case "8.6" [ "7.5" "8.0" ] "8.0")
      (case "8.9" [ "8.0" "8.6" "8.9a" "9.0" ] "8.9a")
      # "9.0a" is for that device alone, with PTX as well.
      (case "9.1" [ "9.0a" "9.0a+PTX" ] null)
      # A family is a major, from that minor on.
      (case "10.3" [ "10.0" "10.0f" ] "10.0f")
      (case "10.3" [ "10.0f" "10.3f" ] "10.3f")
      (case "10.3" [ "10.0f" "10.3a" ] "10.3a")
      (case "10.0" [ "10.3f" ] null)
      (case "10.7" [ "10.0f" "10.3" ] "10.0f")
      (case "10.7" [ "10.3" "10.7f" "10.7a" ] "10.7a")
      (case "10.7" [ "10.3a" "11.0" ] null)
      (case "12.1" [ "10.0f" "12.0f" ] "12.0f")
      # The driver compiles PTX where there is nothing else, of the newest there is.
      (case "10.0" [ "8.0+PTX" "9.0+PTX" ] "9.0+PTX")
      (case "12.0" [ "9.0+PTX" "12.0" ] "12.0")
      (case "8.6" [ "9.0+PTX" ] null)
      (case "9.0" [ "9.0+PTX" ] "9.0+PTX")
      # Embedded ones neither run code for others of their major, nor have theirs run by them.
      (case "5.3" [ "5.0" "5.2" ] null)
      (case "6.2" [ "6.0" "6.1" ] null)
      (case "7.2" [ "7.0" ] null)
      (case "8.7" [ "8.0" "8.6" ] null)
      (case "8.9" [ "8.7" "8.6" ] "8.6")
      (case "8.7" [ "8.7" ] "8.7")
      (case "8.7" [ "8.0+PTX" ] "8.0+PTX")
      (case "10.1" [ "10.0f" ] null)
      (case "10.3" [ "10.1f" "10.0" ] "10.0")
      (case "9.0" [ ] null)
    ];
in
{
  cpu = {
    alone = [ (map (backend: backend.name) (filter (backend: backend.isEverywhere) all)) [ "cpu" ] ];
    # Rules for all backends.
    preferencesDiffer = [ (length (lists.unique (map (backend: backend.preference) all))) (length all) ];
    packagesAreNamedOnce = [
      (let
        names = concatMap (backend: attrNames backend.packages) all;
      in
      length (lists.unique names) == length names)
      true
    ];
    # As with the existing tool, `cxx-flags` go to the files that CMake knows as C++. They are also the only flags for
    # Objective-C++.
    keysOfFlags = [
      (map (
        backend:
        concatStringsSep ", " (
          map (ending: "${ending} ${toString backend.languages.${ending}.flagsKeys}") (attrNames backend.languages)
        )
      ) (filter (backend: backend.languages != { }) all))
      [
        "c , cc cxx-flags, cpp cxx-flags, cxx cxx-flags"
        "c , cc cxx-flags, cpp cxx-flags, cu cuda-flags, cxx cxx-flags"
        "c , cc cxx-flags, cpp cxx-flags, cxx cxx-flags, m , metal , mm cxx-flags"
        "c , cc cxx-flags, cpp cxx-flags, cu hip-flags, cxx cxx-flags, hip hip-flags"
        "c , cc cxx-flags sycl-flags, cpp cxx-flags sycl-flags, cxx cxx-flags sycl-flags, sycl cxx-flags sycl-flags"
      ]
    ];
    noHeaderIsAUnit = [
      (concatMap (backend: filter (ending: elem ending endings.headers) (attrNames backend.languages)) all)
      [ ]
    ];
  };
  # They compile nothing, and are there for kernels of Python code.
  cann.withoutCompiler = [
    (map (backend: backend.name) (filter (backend: backend.languages == { }) all))
    [ "cann" "neuron" "tpu" ]
  ];
  neuron.python = [ dependencies.table.python-depends.nki.backends [ "neuron" ] ];
  flags = {
    # One place decides whether a step gets a flag.
    onceInATable = [ (filter (flags: lists.unique flags != flags) (map flagsIn tables)) [ ] ];
    forKnownSteps = [
      (lists.unique (builtins.sort builtins.lessThan (concatMap attrNames tables)))
      [
        "build" "compile" "device" "device-link" "embed" "first" "host" "host-compiler" "libraries" "link"
        "portable" "portable-libraries" "stripped" "whole"
      ]
    ];
  };
  tpu.preferredLess = [ (backends.all.tpu.preference > backends.all.cpu.preference) true ];
  metal = { onDarwinOnly = [ backends.all.metal.systems [ "aarch64-darwin" ] ]; };
  rocm = {
    # Each architecture is a device of its own.
    bestTargetOfADevice = [
      (map (device: backends.all.rocm.targets.bestFor device [ "gfx90a" "gfx942" ]) [ "gfx942" "gfx940" "gfx90c" ])
      [ "gfx942" null null ]
    ];
    targetsOfFlags = [
      (map (flag: flag.targets) (
        backends.all.rocm.targets.readFlags [
          "-O3" "--offload-arch=gfx942,gfx90a:xnack+" "--cuda-gpu-arch=gfx1100" "--no-offload-arch=gfx942" "--offload-arch=native"
        ]
      ))
      [ [ "gfx942" "gfx90a" ] [ "gfx1100" ] [ ] [ ] ]
    ];
    targetFlagsReachNoPass = [
      (let
        passes = passesOf backends.all.rocm.languages.hip { targets = [ "gfx942" ]; toolkit = "7.2"; } {
          flags = [ "-O1" "--offload-arch=gfx90a" "--offload-arch=native" ];
        };
      in
      [ passes.flags passes.device.whole ])
      [ [ "-O1" ] null ]
    ];
    # A flag for each of the patterns.
    tyingFlags = [
      (filter (flag: (hipPlan { flags = [ flag ]; }).whole == null) [
        "-fgpu-rdc" "-fno-gpu-rdc" "-flto=thin" "-fno-lto" "-foffload-implicit-host-device-templates" "--offload-new-driver"
        "--no-offload-new-driver" "--cuda-path=/opt/rocm" "--gpu-bundle-output" "--no-gpu-bundle-output" "--hip-link"
        "-save-temps" "-save-temps=obj"
      ])
      [ ]
    ];
    targetsOnce = [ (backends.all.rocm.targets.inOrder [ "gfx942" "gfx90a" "gfx942" ]) [ "gfx942" "gfx90a" ] ];
    defaultsAreSupported = [ (defaultsLeftOut "rocm") [ ] ];
    # A change of the list leaves the host's part as it is.
    hostKnowsNoTarget = [ (hipPlan { targets = [ "gfx90a" ]; }).host (hipPlan { targets = [ "gfx1100" ]; }).host ];
    noHostWithoutTargets = [ (hipPlan { targets = [ ]; }).host null ];
    usualFlagsAreSeparable = [
      (hipPlan { flags = [ "-munsafe-fp-atomics" "-ffast-math" "-mllvm" "-amdgpu-early-inline-all=true" ]; }).whole
      null
    ];
    othersAreNamed = [
      (hipPlan { flags = [ "-O2" "-fgpu-rdc" "-foffload-lto" ]; }).whole
      "not known to concern one pass only: -fgpu-rdc -foffload-lto"
    ];
  };
  xpu = {
    # Objects of others have their code for GPUs whole.
    aloneWithDeviceLink = [
      (map (backend: backend.name) (filter (backend: backend.deviceLink != null) all))
      [ "xpu" ]
    ];
    # The units of a link may have code for more targets than the link, but not for fewer.
    targets = [
      (map
        (
          seen:
          concatMap (flag: optionals (match "-fsycl-targets=.*" flag != null) (match "-fsycl-targets=(.*)" flag)) (
            selectFlags "compile" seen backends.all.xpu.languages.cpp.flags
            ++ selectFlags "device-link" seen backends.all.xpu.deviceLink.flags
          )
        )
        [
          { toolkit = "2025.3"; packages = [ "torch" ]; }
          { toolkit = "2025.2"; packages = [ "sycl_tla" ]; }
          { toolkit = "2025.3"; packages = [ "sycl_tla" ]; }
          { toolkit = "2026.0"; packages = [ "sycl_tla" ]; }
        ])
      [ [ "spir64_gen,spir64" "spir64_gen,spir64" ] [ "spir64" "spir64" ] [ "spir64" "spir64" ] [ "spir64_gen,spir64" "spir64_gen,spir64" ] ]
    ];
  };
  cuda = {
    bestTargetOfADevice = [
      (map ({ device, of, ... }: backends.all.cuda.targets.bestFor device of) bestTargets)
      (map ({ is, ... }: is) bestTargets)
    ];
    targetsInOrder = [
      (backends.all.cuda.targets.inOrder [ "12.1+PTX" "9.0a" "10.0" "9.0" "10.0f" "9.0+PTX" "9.0" ])
      [ "9.0+PTX" "9.0a" "10.0" "10.0f" "12.1+PTX" ]
    ];
    deviceOfATarget = [ (map backends.all.cuda.targets.deviceOf [ "9.0" "9.0a" "10.0f+PTX" ]) [ "9.0" "9.0" "10.0" ] ];
    defaultsAreSupported = [ (defaultsLeftOut "cuda") [ ] ];
    # tests/golden has the other forms of targets.
    passes = [
      (cuPlan { targets = [ "12.0f" ]; }).passes
      [ { name = "120f"; ptx = false; flags = [ "-gencode" "arch=compute_120f,code=sm_120f" ]; } ]
    ];
    nothingLeft = [ (cuPlan { targets = [ ]; }).host null ];
    listIsTheSameForAllWhereNobodyLooks = [
      (map (targets: (cuPlan { inherit targets; }).archList) [ [ "9.0" ] [ "8.0" "12.0" ] ])
      [ "750" "750" ]
    ];
    listIsNumericAndWithoutRepeats = [
      (cuPlan { targets = [ "10.0" "9.0" "9.0a" "12.1+PTX" ]; seesTargets = true; }).archList
      "900,1000,1210"
    ];
    wholeKeepsTheList = [ (cuPlan { flags = [ "-rdc=true" ]; }).archList "900" ];
    # A compression that every driver of the toolkit can unpack.
    packingByDefault = [
      (lists.unique (map (toolkit: (packed toolkit [ ]).packing) [ "12.4" "12.9" "13.0" "13.5" ]))
      [ [ "--compress-all" ] [ "--compress-mode=size" ] ]
    ];
    flagsOfPackingAreOfNoPass = [
      (map ({ toolkit, flags }: packed toolkit flags) [
        {
          toolkit = "13.5";
          flags = [ "-O2" "-Xfatbin=-compress-all,-g" "--compress-mode" "speed" "-no-compress" "--concat" "-lineinfo" ];
        }
        # This toolkit lacks the flag.
        { toolkit = "12.6"; flags = [ "--compress-mode=none" ]; }
        { toolkit = "13.0"; flags = [ "-O3" "-lgomp" "--threads" "4" "-res-usage" ]; }
      ])
      [
        {
          flags = [ "-O2" "-lineinfo" ];
          packing = [ "-compress-all" "-g" "--compress-mode=speed" "--compress=false" "--concat" ];
          whole = null;
        }
        { flags = [ ]; packing = [ "--compress-all" ]; whole = null; }
        { flags = [ "-O3" "-res-usage" ]; packing = [ "--compress-mode=size" ]; whole = null; }
      ]
    ];
    # The newer toolkits are listed by their `--help`. For CUDA 12, "since" states what is known.
    optionsThatAToolkitLacks = [
      (map
        (
          toolkit:
          (packed toolkit [
            "-static-global-template-stub=false" "-frandom-seed=1" "-fmax-errors" "3"
            "-fdevice-sanitize=memcheck" "-O3"
          ]).flags
        )
        [ "12.6" "12.8" "12.9" "13.2" "13.5" ])
      [
        [ "-O3" ]
        [ "-static-global-template-stub=false" "-O3" ]
        [ "-static-global-template-stub=false" "-frandom-seed=1" "-O3" ]
        [ "-static-global-template-stub=false" "-frandom-seed=1" "-fdevice-sanitize=memcheck" "-O3" ]
        [ "-static-global-template-stub=false" "-frandom-seed=1" "-fmax-errors" "3" "-fdevice-sanitize=memcheck" "-O3" ]
      ]
    ];
    wholeHasReasons = [
      (packed "13.0" [ "-O3" "-rdc=true" "--new-flag" ]).whole
      ("-rdc=true (device code is linked after all targets are compiled), "
      + "--new-flag (gcc may do anything with it)")
    ];
    warningsOf = [
      (map
        (
          { toolkit, src ? "a.cu", flags }:
          map (warning: "${warning.at}: ${warning.found}") (
            backends.all.cuda.toolkit.warningsOf toolkit { src = [ src ]; flags.cuda-flags = flags; }
          )
        )
        [
          { toolkit = "12.6"; flags = [ "--compress-mode=none" ]; }
          { toolkit = "12.8"; flags = [ "--compress-mode=none" ]; }
          { toolkit = "13.0"; flags = [ "-static-global-template-stub" "false" ]; }
          { toolkit = "12.6"; flags = [ "-static-global-template-stub" "false" "-device-entity-has-hidden-visibility=false" ]; }
          { toolkit = "13.0"; flags = [ "-fopenmp" "-lgomp" "-rdc=true" ]; }
          # There is no device code.
          { toolkit = "13.0"; src = "a.cpp"; flags = [ "-lgomp" ]; }
        ])
      [
        [ "cuda-flags: --compress-mode=none, left out: CUDA 12.6 cannot pack code in this way" ]
        [ ]
        [ ]
        [
          "cuda-flags: -static-global-template-stub false, left out: nvcc of CUDA 12.6 does not have it"
          "cuda-flags: -device-entity-has-hidden-visibility=false, left out: nvcc of CUDA 12.6 does not have it"
        ]
        [
          "cuda-flags: -lgomp, left out for nvcc: only a link reads it, and a unit is compiled"
          "cuda-flags: -rdc=true, which keeps .cu files whole: device code is linked after all targets are compiled"
        ]
        [ ]
      ]
    ];
  };
}
