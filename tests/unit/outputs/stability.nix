library:
let
  inherit (library.outputs.stability) describeStability;
  unit = source: packages: {
    inherit source packages;
    headers = [ "common.h" ];
  };
  variant =
    { torch, compute, stableAbi ? null }:
    {
      name = "torch${torch}-${compute}";
      inherit compute stableAbi;
      backend = if compute == "cpu" then "cpu" else "cuda";
      compiled = true;
      plan = {
        isOfTorch = true;
        units = [
          (unit "binding.cpp" [ "torch" ])
          (unit "device.cu" [ "cuda" ])
        ];
      };
    };
  describe =
    variants:
    describeStability {
      kernel = "relu";
      inherit variants;
      fileOf = file: "/store/${file}";
    };
  three = map variant [
    { torch = "213"; compute = "cu130"; }
    { torch = "214"; compute = "cu130"; }
    { torch = "213"; compute = "cpu"; }
  ];
in
{
  describeStability = {
    # Without Torch's headers, a unit is compiled once for each compute platform already.
    numbers = {
      expr = { inherit (describe three) variants compiles; };
      expected = {
        variants = {
          now = 3;
          stable = 2;
        };
        compiles = {
          now = 5;
          stable = 4;
        };
      };
    };
    unitsThatSeeTorch = {
      expr = (describe three).units;
      expected = [
        {
          source = "binding.cpp";
          backends = [
            "cuda"
            "cpu"
          ];
          files = {
            "binding.cpp" = "/store/binding.cpp";
            "common.h" = "/store/common.h";
          };
        }
      ];
    };
    nothingToDoOnTheStableAbi = {
      expr =
        (describe [
          (variant {
            torch = "213";
            compute = "cpu";
            stableAbi = "2.10";
          })
        ]).units;
      expected = [ ];
    };
    kernelsWithoutCompiledCode = {
      expr = (describe (map (each: each // { compiled = false; }) three)).variants;
      expected = {
        now = 0;
        stable = 0;
      };
    };
  };
}
