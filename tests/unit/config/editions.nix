{ editions, edits, ... }:
let
  upgrade = toml: (editions.upgradeToml toml).toml;
  warnings = toml: map (warning: warning.at) (editions.upgradeToml toml).warnings;
  current = { general = { name = "relu"; backends = [ "cpu" ]; }; torch.src = [ "a.cpp" ]; };
  old = {
    general = { edition = 2; cuda-minver = "12.6"; };
    torch.src = [ "a.cpp" ];
    kernel.a.language = "cuda-hipify";
  };
in
{
  upgradeToml = {
    currentStays = [ (editions.upgradeToml current) { toml = current; edits = [ ]; warnings = [ ]; } ];
    currentByNumberStays = [
      (editions.upgradeToml { general = { edition = 5; universal = true; }; })
      { toml.general = { edition = 5; universal = true; }; edits = [ ]; warnings = [ ]; }
    ];
    numberOfTheFutureStays = [ (upgrade { general.edition = 6; }) { general.edition = 6; } ];
    anyTypesStay = [
      (map upgrade [
        { }
        { general = 3; }
        { general.edition = "four"; kernel = [ ]; }
        { general = { }; kernel.a = 3; torch = "x"; }
      ])
      [ { } { general = 3; } { general.edition = "four"; kernel = [ ]; } { general = { }; kernel.a = 3; torch = "x"; } ]
    ];
    oneWarns = [
      (editions.upgradeToml { kernel.b.language = "metal"; }).warnings
      [
        {
          at = "kernel.b.language";
          found = "\"metal\", as edition 1 has it";
          want = "the key backend, and a component for each backend";
          fix = "run `kernel-builder update-build`";
        }
      ]
    ];
    oneTellsLostTargets = [
      (warnings { kernel.a = { language = "cuda"; rocm-archs = [ "gfx942" ]; }; })
      [ "kernel.a.language" "kernel.a.rocm-archs" ]
    ];
    oneKeepsTheOtherHalf = [
      (upgrade { kernel.a.language = "cuda-hipify"; kernel.a_rocm.backend = "rocm"; })
      { kernel.a.language = "cuda-hipify"; kernel.a_rocm.backend = "rocm"; }
    ];
    unknownLanguageStays = [ (upgrade { kernel.a.language = "opencl"; }) { kernel.a.language = "opencl"; } ];
    forgottenBackendStays = [ (upgrade (current // { kernel.a.src = [ ]; })) (current // { kernel.a.src = [ ]; }) ];
    twoShadingLanguage =
      let
        toml = current // { kernel.a = { backend = "metal"; metal-std-version = "metal3.2"; }; kernel.b = 3; };
      in
      [
        [ (upgrade toml).kernel (warnings toml) ]
        [ { a.backend = "metal"; b = 3; } [ "kernel.a.metal-std-version" ] ]
      ];
    twoNotUniversal = [ (upgrade (current // { torch = { src = [ "a.cpp" ]; universal = false; }; })) current ];
    twoUniversalWithMore =
      let
        toml = { general.name = "relu"; torch = { universal = true; minver = "2.9"; src = [ ]; }; };
      in
      [
        [ (upgrade toml).torch-noarch (warnings toml) ]
        [ { } [ "torch.universal" "torch.minver" "torch.src" ] ]
      ];
    twoUniversalWithSources = [
      (upgrade { general.universal = true; torch.src = [ "a.cpp" ]; }).torch-noarch
      { src = [ "a.cpp" ]; }
    ];
    twoBoundsOfBothForms = [
      (upgrade { general = { cuda-minver = "12.6"; cuda.minver = "12.8"; }; }).general
      { cuda.minver = "12.8"; }
    ];
    twoBounds = [
      (upgrade { general = { cuda-minver = "12.6"; cuda-maxver = "12.9"; }; }).general.cuda
      { minver = "12.6"; maxver = "12.9"; }
    ];
    threeName = [
      (map (name: (upgrade (current // { general = current.general // { inherit name; }; })).general.name) [
        "flash_attn3"
        "causal_conv1d"
        # A name that no edition allows.
        "Flash_attn"
        "flash_"
      ])
      [ "flash-attn3" "causal-conv1d" "Flash_attn" "flash_" ]
    ];
    threeLibrary = [
      (upgrade (current // { kernel.a.depends = [ "torch" "cutlass_sycl" ]; kernel.b.depends = "cutlass_sycl"; }))
      (current // { kernel.a.depends = [ "torch" "sycl_tla" ]; kernel.b.depends = "cutlass_sycl"; })
    ];
    fiveTargets =
      let
        written = { py_ext = [ ]; rocm_archs = [ ]; rocm-archs = [ ]; };
        toml = { general.edition = 5; torch-noarch = written // { cuda_capabilities = [ "9.0" ]; }; };
      in
      [
        [ (upgrade toml).torch-noarch (warnings toml) ]
        [ (written // { cuda-capabilities = [ "9.0" ]; }) [ "torch-noarch.cuda_capabilities" ] ]
      ];
    threeWithEmptyTorch = [
      (upgrade { inherit (current) general; torch.pyext = [ "json" ]; }).torch-noarch
      { pyext = [ "json" ]; }
    ];
    fourWarns = [
      (warnings { general = { edition = 4; backends = [ "rocm" ]; rocm.archs = [ "gfx942" ]; }; torch-noarch = { }; })
      [ "general.edition" "general.rocm.archs" ]
    ];
  };
  # Rewriting a file makes the edits of reading it, and states the edition.
  rewriteToml = {
    statesTheEdition = [
      (editions.rewriteToml current)
      {
        toml = current // { general = current.general // { edition = 5; }; };
        edits = [ (edits.setKey [ "general" "edition" ] 5) ];
        warnings = [ ];
      }
    ];
    leavesTheNewestAlone = [ (editions.rewriteToml { general.edition = 5; }).edits [ ] ];
    leavesTheFutureAlone = [ (editions.rewriteToml { general.edition = 6; }).edits [ ] ];
    editsGiveTheFile = [
      (edits.applyEdits (editions.rewriteToml old).edits old == (editions.rewriteToml old).toml)
      true
    ];
  };
}
