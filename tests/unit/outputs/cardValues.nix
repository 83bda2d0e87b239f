{ cardValues, frameworks, ... }:
let
  general = {
    name = "my-kernel";
    python-name = "my_kernel";
    version = 3;
    license = "MIT";
    upstream = null;
    source = null;
    backends = [ "cpu" "cuda" ];
    python-depends = [ "einops" ];
    kernel-depends = [ ];
    cpu = { python-depends = [ ]; kernel-depends = [ ]; };
    cuda = { python-depends = [ "nvidia-cutlass-dsl" ]; kernel-depends = [ { repo-id = "org/other"; version = 1; } ]; };
    hub = { repo-id = "org/my-kernel"; branch = null; };
  };
  variant = name: torch: targets: { inherit name torch targets; backend = "cuda"; };
  valuesOf = valuesFor frameworks.all.torch;
  valuesFor =
    framework: more:
    cardValues.makeCard {
      config = { inherit framework; general = general // more; };
      variants = [
        (variant "torch29-cxx11-cpu-x86_64-linux" "2.9.1" { })
        (variant "torch213-cxx11-cu130-x86_64-linux" "2.13.0" { one = [ "9.0a" "12.0+PTX" ]; two = [ "9.0a" ]; })
        (variant "torch-cpu" "2.13.0" { })
      ];
      benchmarks = [ "benchmarks/benchmark.py" ];
    };
in
{
  makeCard = {
    forAnyTorch = [ (valuesFor frameworks.all.tvm-ffi { }).torch_versions [ ] ];
    all = [
      (valuesOf { })
      {
        name = "my-kernel"; python_name = "my_kernel"; version = 3; license = "mit";
        upstream = null; source = null; backends = [ "cpu" "cuda" ]; repo_id = "org/my-kernel";
        branch = "v3";
        variants = [ "torch29-cxx11-cpu-x86_64-linux" "torch213-cxx11-cu130-x86_64-linux" "torch-cpu" ];
        torch_versions = [ "2.9.1" "2.13.0" ]; capabilities = [ "9.0a" "12.0+PTX" ];
        rocm_archs = [ ]; python_depends = [ "einops" "nvidia-cutlass-dsl" ];
        kernel_depends = [ "org/other" ]; benchmarks = [ "benchmarks/benchmark.py" ];
        has_benchmark = true;
      }
    ];
    branchOfItsOwn = [ (valuesOf { hub = { repo-id = "org/my-kernel"; branch = "nightly"; }; }).branch "nightly" ];
  };
}
