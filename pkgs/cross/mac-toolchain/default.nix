# `macToolchain`: Compiles and links C and C++ for macOS on Linux: clang and lld of Debian, the headers of macOS's C
# library and of libc++ and the stub of libSystem from the wheel of Zig, and a stub of libc++, so that an extension uses
# the libc++ of macOS. There are no frameworks, no Objective-C and no shaders: only Xcode has these.
{ buildSet, busybox, fetchWheel, runStep }:
runStep {
  name = "mac-toolchain";
  script = ./assemble.sh;
  env = {
    inherit busybox;
    call = ./call.sh;
    clang = buildSet.runnableClang;
    configSite = ./config_site.h;
    cxxfilt = "${buildSet.toolchain}/bin/c++filt";
    libcxx = builtins.path { name = "libcxx.tbd"; path = ./. + "/libc++.tbd"; };
    wheel = fetchWheel (builtins.fromJSON (builtins.readFile ./wheel.json));
  };
}
