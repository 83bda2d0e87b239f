{ plan, ... }@library:
let
  kernel = library.kernel.readKernel {
    root = ../../golden/five;
    torchVersions = defaults: defaults;
    brought = [ ];
  };
  planned =
    name:
    plan.planVariant {
      inherit (kernel) config graph;
      variant = builtins.head (builtins.filter (variant: variant.name == name) kernel.variants);
    };
  sources = name: map (unit: unit.source) (planned name).units;
in
{
  planVariant = {
    bindingAndOwnComponents = {
      expr = sources "torch213-cxx11-cpu-x86_64-linux";
      expected = [
        "torch-ext/torch_binding.cpp"
        "five_cpu/five.cpp"
        "five_cpu/plain.c"
      ];
    };
    # One component wants CUDA 13.
    withoutComponentsForNewerToolkits = {
      expr = sources "torch213-cxx11-cu126-x86_64-linux";
      expected = [
        "torch-ext/torch_binding.cpp"
        "five_cuda/five.cu"
      ];
    };
    libraryOfAPackageThatIsUsed = {
      expr = builtins.elem "cublas" (planned "torch213-cxx11-cu130-x86_64-linux").link.libraries;
      expected = true;
    };
    beginsTheNameOfTheExtension = {
      expr = (planned "torch213-cxx11-cpu-x86_64-linux").extensionPrefix;
      expected = "_five_cpu_";
    };
    moduleIsMadeByTheLink = {
      expr = (planned "torch213-cxx11-cpu-x86_64-linux").link.module;
      expected = true;
    };
  };
}
