# A small proof of each stage of the package set, as derivations: what fails here is
# the stage's own fault and not a kernel's.
{
  runStep,
  runPython,
  unpackDebs,
  seed,
  toolchain,
  runtime,
  architecture,
  pythonHeaders,
  pythonWith,
  testTorch,
  pip,
  bash,
}:
{
  /** The seed is the file of the pinned Debian package, to the byte. */
  seed = runStep {
    name = "smoke-seed";
    script = ./seed.sh;
    env = {
      inherit seed;
      tree = unpackDebs {
        name = "busybox-deb";
        packages = [ "busybox-static" ];
      };
    };
  };

  /** C and C++ programs compile, link with what a kernel may use, and run. */
  toolchain = runStep {
    name = "smoke-toolchain";
    script = ./toolchain.sh;
    tools = [
      toolchain
      bash
    ];
    env = {
      inherit runtime;
      inherit (architecture) loader;
      source = ./program.cpp;
    };
  };

  /** Python imports what it is made with, and an environment finds its packages. */
  python = runPython {
    name = "smoke-python";
    script = ./python.py;
    interpreter = pythonWith {
      name = "smoke-python-environment";
      packages = [
        "numpy"
        "pytest"
      ];
    };
    env = { inherit pip pythonHeaders; };
  };

  /** Torch computes, and finds its headers. */
  torch = runPython {
    name = "smoke-torch";
    script = ./torch_computes.py;
    interpreter = pythonWith {
      name = "smoke-torch-environment";
      packages = [ testTorch ];
    };
  };
}
