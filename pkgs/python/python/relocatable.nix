# Debian's Python, made relocatable.
#
# Torch's wheels have run paths of their own, so the loader does not look into the program's run path for the
# libraries that these wheels expect on every machine. The program itself therefore loads them (`preloaded`),
# and nothing here needs LD_LIBRARY_PATH.
{ runStep, unpackDebs, runtime, patchelf, architecture, pythonVersion }:
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
      preloaded = [
        "libpthread.so.0"
        "libdl.so.2"
        "librt.so.1"
        "libm.so.6"
        "libutil.so.1"
        "libstdc++.so.6"
        "libgcc_s.so.1"
        "libz.so.1"
        "libgomp.so.1"
      ];
      tree = unpackDebs {
        name = "python-debs";
        packages = [
          "libbz2-1.0"
          "libcrypt1"
          "libexpat1"
          "libffi8"
          "liblzma5"
          "libncursesw6"
          "libpython${pythonVersion}-minimal"
          "libpython${pythonVersion}-stdlib"
          "libreadline8"
          "libsqlite3-0"
          "libssl3"
          "libtinfo6"
          "libuuid1"
          "python${pythonVersion}"
          "python${pythonVersion}-minimal"
        ];
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
