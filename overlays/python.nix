# Python for builders and checks, and environments of wheels.
final: _: {
  python = final.callPackage ../pkgs/python { };
  runPython = final.callPackage ../pkgs/python-step { };
  pythonHeaders = final.callPackage ../pkgs/python-headers { };
  caCertificates = final.callPackage ../pkgs/ca-certificates { };
  pip = final.callPackage ../pkgs/pip { };
  unpackWheel = final.callPackage ../pkgs/unpack-wheel { };
  pythonPackages = final.callPackage ../pkgs/wheels { };
  pythonWith = final.callPackage ../pkgs/python-env { };
  # What talks to the Hub: the command line runs itself again with it.
  hubPython = final.pythonWith {
    name = "hub-python";
    packages = [
      "click"
      "huggingface-hub"
      "tomli"
    ];
  };
}
