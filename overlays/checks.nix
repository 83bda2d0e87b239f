# What the tests of the set itself need.
final: _: {
  smoke = final.callPackage ../pkgs/smoke { };
  testPython = final.pythonWith {
    name = "test-python";
    packages = [
      (final.torchWheel "2.13.0+cpu")
      "click"
      "huggingface-hub"
      "kernels"
      "numpy"
      "packaging"
      "pyelftools"
      "pytest"
      "tomli"
    ];
  };
}
