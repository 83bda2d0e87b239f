# The Python of the tests, with the linters that they run.
{
  pythonWith,
  shellcheck,
  testPackages,
  testTorch,
}:
pythonWith {
  name = "test-python";
  packages = [
    testTorch
    shellcheck
    testPackages.abi3audit
    testPackages.check-jsonschema
    testPackages.mkdocs-material
    testPackages.mypy
    testPackages.ruff
    testPackages.twine
    testPackages.uv
    testPackages.zizmor
    "abi3info"
    "apache-tvm-ffi"
    "auditwheel"
    "click"
    "cyclonedx-python-lib"
    "griffe"
    "huggingface-hub"
    "jinja2"
    "jsonschema"
    "kernels"
    "macholib"
    "numpy"
    "packaging"
    "pip"
    "pyelftools"
    "pytest"
    "pytest-xdist"
    "rich"
    "tabulate"
    "tomli"
    "tomlkit"
    "zstandard"
  ];
}
