# A smoke test of each stage of the package set, as derivations. A failure here is a defect of the stage, not of a kernel.
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
  /** The seed has the same bytes as the file in the pinned Debian package. */
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

  /** C and C++ programs compile, link with the libraries that kernels may use, and run. */
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

  /** Python imports its own modules, and an environment finds its packages. */
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

  /** Torch computes and finds its headers. */
  torch = runPython {
    name = "smoke-torch";
    script = ./torch_computes.py;
    interpreter = pythonWith {
      name = "smoke-torch-environment";
      packages = [ testTorch ];
    };
  };
}
