# What the tests of the set itself need.
final: _: {
  smoke = final.callPackage ../pkgs/smoke { };
  shellcheck = final.callPackage ../pkgs/shellcheck { };
  # The Torch that every machine can have: the first one for the CPU out of the registries.
  testTorch = final.torchWheel (
    final.lib.names.torchBuildOf (
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
      final.shellcheck
      "click"
      "huggingface-hub"
      "jinja2"
      "jsonschema"
      "kernels"
      "mypy"
      "numpy"
      "packaging"
      "pip"
      "pyelftools"
      "pytest"
      "pytest-xdist"
      "rich"
      "ruff"
      "tomli"
      "tomlkit"
    ];
  };
}
