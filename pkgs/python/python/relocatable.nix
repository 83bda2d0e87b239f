# Debian's Python, made relocatable.
#
# Torch's wheels have run paths of their own, so the loader does not look into the program's run path for the
# libraries that these wheels expect on every machine. The program itself therefore loads them (`preloaded`),
# and nothing here needs LD_LIBRARY_PATH.
{
  architecture,
  patchelf,
  pythonVersion,
  readWords,
  runStep,
  runtime,
  unpackDebs,
}:
let
  python = runStep {
    name = "python-${pythonVersion}";
    script = ./assemble.sh;
    tools = [ patchelf ];
    env = {
      inherit pythonVersion runtime;
      inherit (architecture) triple;
      siteCustomisation = ./sitecustomize.py;
      loader_path = runtime.loader;
      preloaded = readWords { } ./preloaded.json;
      tree = unpackDebs {
        name = "python-debs";
        packages = readWords { inherit pythonVersion; } ./debs.json;
      };
    };
  };
in
python
// {
  inherit pythonVersion;
  /** The folder of Python packages below a prefix. */
  sitePackages = "lib/python${pythonVersion}/site-packages";
}
