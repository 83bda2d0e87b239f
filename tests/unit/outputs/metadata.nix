library:
let
  inherit (library.config) buildToml;
  inherit (library.outputs) metadata;
  root = ../kernels/relu;
  config = buildToml.readConfig { inherit root; };
  of =
    backend: targets: general:
    metadata.makeMetadata {
      config = config // { general = config.general // general; };
      variant = { name = "v"; compiled = false; inherit backend targets; };
    };
  forTorch =
    framework: variant:
    metadata.makeMetadata {
      config = config // { framework = config.framework // framework; };
      variant = {
        name = "v"; backend = "cuda"; torch = "2.15.0"; compute = "cu135"; targets = { };
      }
      // variant;
    };
in
{
  makeMetadata = {
    least = [
      (of "cpu" { } { })
      {
        name = "relu"; variant = "v"; version = 1; license = "unknown"; kernels-minver = "0.14.0";
        python-depends = [ ]; backend.type = "cpu";
      }
    ];
    # Nothing is compiled for these backends, and nothing is stated for ROCm here.
    withoutTargets = [
      (map (backend: (of backend { } { }).backend) [ "cann" "neuron" "rocm" "tpu" ])
      [ { type = "cann"; } { type = "neuron"; } { type = "rocm"; } { type = "tpu"; } ]
    ];
    targetsOfAllComponents = [ (of "cuda" { a = [ "9.0" "8.0" ]; b = [ "9.0" ]; } { }).backend.archs [ "8.0" "9.0" ] ];
    aTorchOfItsOwn = [
      (let
        read =
          framework: compiled:
          (forTorch framework {
            inherit compiled;
            torchBuild = "2.16.0.dev1+cpu";
            wheel = { build = "2.16.0.dev1+cpu"; pin.file = "torch.whl"; };
          }).torch-wheel or null;
      in
      [ (read { } true) (read { } false) (read { isOfTorch = false; } true) ])
      [ "torch.whl" null null ]
    ];
    aPreReleaseNamesItsWheel = [
      (forTorch { } {
        compiled = true;
        pre = "2.13.0";
        torchBuild = "2.13.0+cu130";
        system = "x86_64-linux";
      }).torch-wheel
      library.matrix.origins.torchPins."2.13.0+cu130".x86_64-linux.file
    ];
    whatIsStated = [
      (let
        said = of "cuda" { } {
          license = "MIT";
          upstream = "u";
          python-depends = [ "einops" ];
          cuda = config.general.cuda // {
            python-depends = [ "helion" ];
            kernel-depends = [ { repo-id = "a/b"; version = 1; } { repo-id = "a/c"; revision = "main"; } ];
          };
        };
      in
      {
        inherit (said) license upstream kernels-minver python-depends kernel-depends;
        source = said ? source;
      })
      {
        license = "MIT";
        upstream = "u";
        python-depends = [ "einops" "helion" ];
        kernel-depends = [ { repo-id = "a/b"; version = 1; } { repo-id = "a/c"; revision = "main"; } ];
        # Clients before 0.17 do not load the kernels that a kernel names.
        kernels-minver = "0.17.0";
        source = false;
      }
    ];
  };
}
