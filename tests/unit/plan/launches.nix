{ backends, plan, ... }:
let
  of =
    backend: seen: targets:
    plan.launches.planLaunches {
      backend = backends.all.${backend};
      inherit seen;
      kernel = "relu";
      variant = {
        name = "torch213-cxx11-cu130-x86_64-linux";
        inherit targets;
      };
    };
  alike = {
    first = [
      "8.0"
      "9.0+PTX"
    ];
    second = alike.first;
  };
  none = {
    flags = [ ];
    libraries = [ ];
    nameFlags = [ ];
    packages = [ ];
  };
in
{
  planLaunches = {
    flagsAndLibraries = {
      expr =
        let
          planned = of "cuda" [ "cuda" ] alike;
        in
        [ (builtins.head planned.flags) ] ++ planned.libraries ++ planned.packages;
      expected = [
        "-Wl,--wrap=__cudaGetKernel"
        "-L@launch-errors@/lib"
        "-llaunch-errors"
        "launch-errors"
      ];
    };
    targetsOfAllComponents = {
      expr = (of "cuda" [ "cuda" ] alike).nameFlags;
      expected = [
        "-DBUILT_KERNEL=\"relu\""
        "-DBUILT_VARIANT=\"torch213-cxx11-cu130-x86_64-linux\""
        "-DBUILT_TARGETS=\"8.0, 9.0+PTX\""
        "-DTARGETS_KEY=\"cuda-capabilities\""
      ];
    };
    targetsOfEachComponent = {
      expr = builtins.elemAt (of "cuda" [ "cuda" ] (alike // { second = [ "9.0a" ]; })).nameFlags 2;
      expected = "-DBUILT_TARGETS=\"first: 8.0, 9.0+PTX; second: 9.0a\"";
    };
    # Without the runtime's headers no unit launches a kernel, and the runtime is not linked.
    unitsWithoutTheRuntime = {
      expr = of "cuda" [ "torch" ] alike;
      expected = none;
    };
    otherBackends = {
      expr = of "rocm" [ "hip" ] { first = [ "gfx942" ]; };
      expected = none;
    };
  };
}
