{ backends, frameworks, plan, ... }:
let
  alike = { first = [ "8.0" "9.0+PTX" ]; second = alike.first; };
  # The library that reports failed launches, besides the libraries of every link.
  reportsOf =
    backend: seen: targets:
    let
      inherit
        (plan.link.planLink {
          inherit seen;
          kernel = "relu";
          backend = backends.all.${backend};
          framework = frameworks.all.torch;
          variant = {
            name = "torch213-cxx11-cu130-x86_64-linux";
            toolkit = null;
            system = "x86_64-linux";
            inherit targets;
          };
        })
        portable
        ;
    in
    portable.nameFlags
    ++ builtins.filter (each: builtins.match ".*(launch-errors|__cudaGetKernel)" each != null) (
      portable.flags ++ portable.libraries ++ portable.packages
    );
in
{
  # tests/golden has a link of each backend and framework.
  planLink = {
    targetsOfAllComponents = [
      (reportsOf "cuda" [ "cuda" ] alike)
      [
        "-DBUILT_KERNEL=\"relu\"" "-DBUILT_VARIANT=\"torch213-cxx11-cu130-x86_64-linux\""
        "-DBUILT_TARGETS=\"8.0, 9.0+PTX\"" "-DTARGETS_KEY=\"cuda-capabilities\""
        "-Wl,--wrap=__cudaGetKernel" "-llaunch-errors" "launch-errors"
      ]
    ];
    # Without the runtime's headers no unit launches a kernel, and the runtime is not linked.
    noReportsWithoutTheRuntime = [ [ (reportsOf "cuda" [ ] alike) (reportsOf "cpu" [ ] { }) ] [ [ ] [ ] ] ];
  };
}
