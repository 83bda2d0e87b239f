# Compiles and links C and C++ for macOS on Linux: clang and lld of Debian, the headers of macOS's C library and of libc++ and the
# stub of libSystem from the wheel of Zig, and a stub of libc++, so that an extension uses the libc++ of macOS. There are no
# frameworks, no Objective-C and no shaders: only Xcode has these.
{
  buildSet,
  busybox,
  fetchWheel,
  patchelf,
  relocate,
  runStep,
}:
runStep {
  name = "mac-toolchain";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit busybox relocate;
    inherit (buildSet.architecture) loader triple;
    call = ./call.sh;
    clang = buildSet.debianClang;
    configSite = ./config_site.h;
    cxxfilt = "${buildSet.toolchain}/bin/c++filt";
    libcxx = builtins.path {
      name = "libcxx.tbd";
      path = ./. + "/libc++.tbd";
    };
    wheel = fetchWheel (builtins.fromJSON (builtins.readFile ./wheel.json));
  };
}
