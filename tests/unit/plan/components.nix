{ backends, plan, ... }:
let
  inherit (plan.components) joinComponents listSources readComponents;
  kernel = plan.kernel.readKernel {
    root = ../../golden/five;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
  read = readComponents { inherit (kernel) config graph; };
  cuda = read.named.five_cuda;
  second = cuda // {
    depends = [ "cutlass_4_0" ];
    cuda-flags = [ "-DSECOND" ];
  };
in
{
  readComponents = {
    names = {
      expr = builtins.attrNames read.named;
      expected = builtins.attrNames kernel.config.components;
    };
    bindingIsOfTheFramework = {
      expr = {
        inherit (read.binding) name depends;
      };
      expected = {
        name = "torch";
        depends = [ "torch" ];
      };
    };
  };
  joinComponents = {
    oneIsItself = {
      expr = (joinComponents kernel.graph [ cuda ]).cuda-flags;
      expected = cuda.cuda-flags;
    };
    flagsOfAll = {
      expr =
        (joinComponents kernel.graph [
          cuda
          second
        ]).cuda-flags;
      expected = cuda.cuda-flags ++ [ "-DSECOND" ];
    };
  };
  listSources.eachOnceInOrder = {
    expr =
      map
        (source: {
          inherit (source) source;
          components = builtins.length source.components;
        })
        (
          listSources backends.all.cuda [
            cuda
            second
          ]
        );
    expected = map (source: {
      inherit source;
      components = 2;
    }) (builtins.filter (file: builtins.match ".*[.]cu" file != null) cuda.src);
  };
}
