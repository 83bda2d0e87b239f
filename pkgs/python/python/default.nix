# Debian's Python 3.11, made relocatable: what builders and checks run.
#
# The libraries that Torch's wheels take for granted are loaded with the program itself:
# those wheels carry run paths of their own, under which a loader no longer looks into the
# program's. So nothing here needs LD_LIBRARY_PATH.
{
  runStep,
  unpackDebs,
  runtime,
  patchelf,
  architecture,
}:
runStep {
  name = "python-3.11";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit runtime;
    inherit (architecture) triple;
    siteCustomisation = ./sitecustomize.py;
    loader_path = "${runtime}/lib/${architecture.loader}";
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
        "libpython3.11-minimal"
        "libpython3.11-stdlib"
        "libreadline8"
        "libsqlite3-0"
        "libssl3"
        "libtinfo6"
        "libuuid1"
        "python3.11"
        "python3.11-minimal"
      ];
    };
  };
}
