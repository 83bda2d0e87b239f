# The Python of the tests, with the linters that they run.
{
  pythonWith,
  shellcheck,
  testTorch,
}:
pythonWith {
  name = "test-python";
  packages = [
    testTorch
    shellcheck
    "abi3audit"
    "abi3info"
    "apache-tvm-ffi"
    "auditwheel"
    "check-jsonschema"
    "click"
    "cyclonedx-python-lib"
    "griffe"
    "huggingface-hub"
    "jinja2"
    "jsonschema"
    "kernels"
    "macholib"
    "mkdocs-material"
    "mypy"
    "numpy"
    "packaging"
    "pip"
    "pyelftools"
    "pytest"
    "pytest-xdist"
    "rich"
    "ruff"
    "tabulate"
    "tomli"
    "tomlkit"
    "twine"
    "uv"
    "zizmor"
    "zstandard"
  ];
}
