{ buildToml, config, dependencies, frameworks, ... }:
{
  # docs/reference/build-toml.md lists all.
  table.ofBothKeys = [ (dependencies.table.depends ? torch && dependencies.table.python-depends ? einops) true ];
  provided.namesOfModules = [
    (map (name: builtins.elem name dependencies.provided) [ "lib2to3" "pydoc_data" "typing_extensions" "scipy" ])
    [ true true true false ]
  ];
  assumed.areNotProvided = [
    (builtins.filter (name: builtins.elem name dependencies.provided) dependencies.assumed)
    [ ]
  ];
  checkDependencies.ofTheirBackends = [
    (map (problem: problem.at) (
      dependencies.checkDependencies {
        # A name of the table stays what it is.
        brought = [ "eigen" "sycl_tla" ];
        config = config.shape.fillConfig {
          general = {
            backends = [ "rocm" ];
            python-depends = [ "nvidia-cutlass-dsl" ];
            rocm.python-depends = [ "einops" "nvidia-cutlass-dsl" ];
          };
          kernel.a = { backend = "cuda"; depends = [ "torch" "sycl_tla" "eigen" ]; };
          # Another check reports the backend.
          kernel.b = { backend = "vulkan"; depends = [ "sycl_tla" ]; };
        };
      }
    ))
    [ "general.python-depends[0]" "general.rocm.python-depends[1]" "kernel.a.depends[1]" ]
  ];
  of.allAndThisOne = [
    (dependencies.of {
      general = {
        python-depends = [ "einops" ];
        kernel-depends = [ ];
        cuda = { python-depends = [ "nvidia-cutlass-dsl" ]; kernel-depends = [ ]; };
      };
    } "cuda")
    { python-depends = [ "einops" "nvidia-cutlass-dsl" ]; kernel-depends = [ ]; }
  ];
  listProjects = {
    statedAndOfTheFramework = [
      (dependencies.listProjects (buildToml.readConfig { root = ../../../examples/axpy; }) "cpu")
      [ "apache-tvm-ffi" ]
    ];
    ofTheBackend = [
      (dependencies.listProjects {
        framework = frameworks.all.torch;
        general = {
          python-depends = [ "tvm-ffi" ];
          kernel-depends = [ ];
          cuda = { python-depends = [ "nvidia-cutlass-dsl" ]; kernel-depends = [ ]; };
        };
      } "cuda")
      [ "apache-tvm-ffi" "nvidia-cutlass-dsl" ]
    ];
  };
}
