# What the tests of the set itself need.
final: _: {
  smoke = final.callPackage ../pkgs/smoke { };
  # The Torch that every machine can have: the first one for the CPU out of the registries.
  testTorch = final.torchWheel (
    final.lib.kernelOutputs.torchBuildOf (
      builtins.head (
        builtins.filter (entry: entry.backend == "cpu") final.lib.matrix.fromRegistries
      )
      // {
        compute = "cpu";
      }
    )
  );
  testPython = final.pythonWith {
    name = "test-python";
    packages = [
      final.testTorch
      "click"
      "huggingface-hub"
      "jsonschema"
      "kernels"
      "numpy"
      "packaging"
      "pip"
      "pyelftools"
      "pytest"
      "tomli"
      "tomlkit"
    ];
  };
}
