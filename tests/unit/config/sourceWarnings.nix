{ config, ... }@library:
let
  inherit (config) shape sourceWarnings;
  fill =
    file:
    let
      config = shape.fillConfig (
        {
          general = {
            name = "odd";
            backends = [
              "cpu"
              "cuda"
            ];
          };
        }
        // file
      );
    in
    config
    // {
      general = config.general // {
        python-name = "odd";
      };
    };
  warn = file: map (warning: warning.at) (sourceWarnings.listSourceWarnings { config = fill file; });
  # The warnings of a library with one more key, which is not a list.
  inherit (config.schema) sections;
  changed = config // {
    schema = config.schema // {
      sections = sections // {
        "kernel.NAME" = sections."kernel.NAME" // {
          keys = sections."kernel.NAME".keys // {
            unroll-loops = sections."kernel.NAME".keys.cxx-flags // {
              type = "bool";
              default = false;
            };
          };
        };
      };
    };
  };
  folder = ../../../lib/config/sources;
  withKey = import (folder + "/source-warnings.nix") (
    library
    // {
      config = changed // {
        sourceLists = import (folder + "/source-lists.nix") (library // { config = changed; });
      };
    }
  );
  component = backend: src: {
    inherit backend src;
    depends = [ ];
  };
in
{
  listSourceWarnings = {
    # `.cu` files alone get no flags of C++ files.
    flagsForNoSource = {
      expr = warn {
        torch.src = [ "torch-ext/torch_binding.cpp" ];
        kernel.a = component "cuda" [ "a.cu" ] // { cxx-flags = [ "-DA" ]; };
        kernel.b = component "cuda" [ "b.cu" "b.cpp" ] // { cxx-flags = [ "-DA" ]; };
        kernel.c = component "cpu" [ "c.c" ] // { cxx-flags = [ "-DA" ]; };
      };
      expected = [
        "kernel.a.cxx-flags"
        "kernel.c.cxx-flags"
      ];
    };
    sameSourceWithAnotherValue = {
      expr =
        let
          filled = fill {
            torch.src = [ "src/b.cpp" ];
            kernel.a = component "cpu" [ "src/a.cpp" ];
            kernel.b = component "cpu" [ "src/a.cpp" ];
          };
          values = unrolled: filled // {
            components = filled.components // {
              a = filled.components.a // {
                unroll-loops = unrolled;
              };
            };
          };
        in
        map
          (config: map (warning: { inherit (warning) found want; }) (withKey.listSourceWarnings { inherit config; }))
          [
            (values true)
            (values false)
          ];
      expected = [
        [
          {
            found = "\"src/a.cpp\", which kernel.a.src[0] lists with other unroll-loops";
            want = "the same in each section that lists it: it is compiled once, as kernel.a says";
          }
        ]
        [ ]
      ];
    };
    folderInAFlag = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cuda" [ "src/b.cu" ] // {
          cuda-flags = [ "-Isrc" ];
        };
      };
      expected = [ "kernel.a.cuda-flags" ];
    };
    headersOnly = {
      expr = warn { kernel.a = component "cpu" [ "src/a.h" ]; };
      expected = [ "kernel.a.src" ];
    };
    unitTwiceInASection = {
      expr = warn {
        torch.src = [
          "src/a.cpp"
          "./src/a.cpp"
        ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
      };
      expected = [ "torch.src[1]" ];
    };
    unitOfTwoSections = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ];
      };
      expected = [ ];
    };
    unitOfTwoSectionsWithOtherFlags = {
      expr = warn {
        torch.src = [ "src/a.cpp" ];
        kernel.a = component "cpu" [ "src/a.cpp" ] // {
          cxx-flags = [ "-DA" ];
        };
      };
      expected = [ "kernel.a.src[0]" ];
    };
  };
}
