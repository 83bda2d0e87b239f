{ editions, ... }:
let
  upgrade = toml: (editions.upgrade toml).toml;
  warnings = toml: map (warning: warning.at) (editions.upgrade toml).warnings;
  current = {
    general = {
      name = "relu";
      backends = [ "cpu" ];
    };
    torch.src = [ "a.cpp" ];
  };
in
{
  upgrade = {
    currentStays = {
      expr = editions.upgrade current;
      expected = {
        toml = current;
        warnings = [ ];
      };
    };
    currentByNumberStays = {
      expr = editions.upgrade {
        general = {
          edition = 5;
          universal = true;
        };
      };
      expected = {
        toml.general = {
          edition = 5;
          universal = true;
        };
        warnings = [ ];
      };
    };
    numberOfTheFutureStays = {
      expr = upgrade { general.edition = 6; };
      expected.general.edition = 6;
    };
    anyTypesStay = {
      expr = map upgrade [
        { }
        { general = 3; }
        {
          general.edition = "four";
          kernel = [ ];
        }
        {
          general = { };
          kernel.a = 3;
          torch = "x";
        }
      ];
      expected = [
        { }
        { general = 3; }
        {
          general.edition = "four";
          kernel = [ ];
        }
        {
          general = { };
          kernel.a = 3;
          torch = "x";
        }
      ];
    };
    one = {
      expr = upgrade {
        general.name = "relu";
        torch.src = [ "a.cpp" ];
        kernel = {
          a = {
            src = [ "a.cu" ];
            depends = [ ];
          };
          b = {
            language = "cuda-hipify";
            cuda-capabilities = [ "9.0" ];
            rocm-archs = [ "gfx942" ];
          };
          c.language = "metal";
        };
      };
      expected = {
        general = {
          name = "relu";
          backends = [
            "cuda"
            "metal"
            "rocm"
          ];
        };
        torch.src = [ "a.cpp" ];
        kernel = {
          a = {
            backend = "cuda";
            src = [ "a.cu" ];
            depends = [ ];
          };
          b = {
            backend = "cuda";
            cuda-capabilities = [ "9.0" ];
          };
          b_rocm = {
            backend = "rocm";
            rocm-archs = [ "gfx942" ];
          };
          c.backend = "metal";
        };
      };
    };
    oneWarns = {
      expr = (editions.upgrade { kernel.b.language = "metal"; }).warnings;
      expected = [
        {
          at = "kernel.b.language";
          found = "\"metal\", as edition 1 has it";
          want = "the key backend, and a component for each backend";
          fix = "run `kernel-builder update-build`";
        }
      ];
    };
    unknownLanguageStays = {
      expr = upgrade { kernel.a.language = "opencl"; };
      expected.kernel.a.language = "opencl";
    };
    forgottenBackendStays = {
      expr = upgrade (current // { kernel.a.src = [ ]; });
      expected = current // {
        kernel.a.src = [ ];
      };
    };
    twoUniversal = {
      expr = upgrade {
        general = {
          name = "relu";
          universal = true;
        };
        torch.pyext = [ "py" ];
      };
      expected = {
        general = {
          name = "relu";
          backends = [
            "cpu"
            "cuda"
            "metal"
            "rocm"
            "xpu"
          ];
        };
        torch-noarch.pyext = [ "py" ];
      };
    };
    twoNotUniversal = {
      expr = upgrade (
        current
        // {
          torch = {
            src = [ "a.cpp" ];
            universal = false;
          };
        }
      );
      expected = current;
    };
    twoBounds = {
      expr = (upgrade { general = { cuda-minver = "12.6"; cuda-maxver = "12.9"; }; }).general.cuda;
      expected = {
        minver = "12.6";
        maxver = "12.9";
      };
    };
    three = {
      expr = upgrade { inherit (current) general; };
      expected = {
        inherit (current) general;
        torch-noarch = { };
      };
    };
    threeWithEmptyTorch = {
      expr =
        (upgrade {
          inherit (current) general;
          torch.pyext = [ "json" ];
        }).torch-noarch;
      expected.pyext = [ "json" ];
    };
    four = {
      expr = upgrade {
        general = {
          edition = 4;
          backends = [ "cuda" ];
          cuda.capabilities = [ "9.0" ];
        };
        torch.src = [ "a.cpp" ];
        kernel = {
          a.backend = "cuda";
          b = {
            backend = "cuda";
            cuda-capabilities = [ "8.0" ];
          };
          c.backend = "cpu";
        };
      };
      expected = {
        general = {
          backends = [ "cuda" ];
          cuda = { };
        };
        torch.src = [ "a.cpp" ];
        kernel = {
          a = {
            backend = "cuda";
            cuda-capabilities = [ "9.0" ];
          };
          b = {
            backend = "cuda";
            cuda-capabilities = [ "8.0" ];
          };
          c.backend = "cpu";
        };
      };
    };
    fourWarns = {
      expr = warnings {
        general = {
          edition = 4;
          backends = [ "rocm" ];
          rocm.archs = [ "gfx942" ];
        };
        torch-noarch = { };
      };
      expected = [
        "general.edition"
        "general.rocm.archs"
      ];
    };
  };
}
