library:
let
  inherit (library.config) buildToml;
  inherit (library.outputs) metadata;
  root = ../kernels/relu;
  config = buildToml.readConfig { inherit root; };
  of =
    backend: targets: general:
    metadata.makeMetadata {
      config = config // {
        general = config.general // general;
      };
      variant = {
        name = "v";
        inherit backend targets;
      };
    };
in
{
  makeMetadata = {
    least = {
      expr = of "cpu" { } { version = null; };
      expected = {
        name = "relu";
        variant = "v";
        version = 1;
        license = "unknown";
        kernels-minver = "0.14.0";
        python-depends = [ ];
        backend.type = "cpu";
      };
    };
    targetsOfAllComponents = {
      expr =
        (of "cuda" {
          a = [
            "9.0"
            "8.0"
          ];
          b = [ "9.0" ];
        } { }).backend.archs;
      expected = [
        "8.0"
        "9.0"
      ];
    };
    aTorchOfItsOwn = {
      expr =
        let
          read =
            framework: compiled:
            (metadata.makeMetadata {
              config = config // {
                framework = config.framework // framework;
              };
              variant = {
                name = "v";
                backend = "cpu";
                targets = { };
                wheel.pin.file = "torch.whl";
                inherit compiled;
              };
            }).torch-wheel or null;
        in
        [
          (read { } true)
          (read { } false)
          (read { isOfTorch = false; } true)
        ];
      expected = [
        "torch.whl"
        null
        null
      ];
    };
    whatIsStated = {
      expr =
        let
          said = of "cuda" { } {
            license = "MIT";
            upstream = "u";
            python-depends = [ "einops" ];
            cuda = config.general.cuda // {
              python-depends = [ "helion" ];
              kernel-depends = [
                {
                  repo-id = "a/b";
                  version = 1;
                }
              ];
            };
          };
        in
        {
          inherit (said) license upstream python-depends kernel-depends;
          source = said ? source;
        };
      expected = {
        license = "MIT";
        upstream = "u";
        python-depends = [
          "einops"
          "helion"
        ];
        kernel-depends = [
          {
            repo-id = "a/b";
            version = 1;
          }
        ];
        source = false;
      };
    };
  };
}
