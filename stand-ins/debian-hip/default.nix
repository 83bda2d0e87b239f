# HIP from Debian's packages: clang of Debian 13, device libraries for this clang from Debian's experimental, and
# headers of HIP 7.2 from experimental or of HIP 6.4 from sid. The package replaces AMD's packages on machines that
# cannot reach AMD's host.
{
  lib,
  architecture,
  busybox,
  debianClang,
  patchelf,
  readDebs,
  relocate,
  runStep,
  toolchain,
  unpackDebs,
}:
let
  inherit (builtins) attrValues;
  inherit (lib.values.versions) majorMinor;

  releases = builtins.concatMap (
    name:
    let
      found = builtins.match "hip-(.*)" name;
    in
    if found == null then [ ] else found
  ) (builtins.attrNames (builtins.readDir ./.));
  newest = readDebs ./hip-7.2/pins.json;
  tree =
    name: archives:
    unpackDebs { inherit name archives; packages = [ ]; };
in
/**
  Type: rocmDebianHip :: { toolkit :: String; ptxas :: String | Null; } -> { hip; hipblas; hiprand; hipsolver;
    hipsparse; rocprim; rocthrust :: Package; }

  # Errors

  Debian has no HIP of the release `toolkit`.
*/
{ toolkit, ... }:
let
  release = majorMinor toolkit;
  pinsOf = part: ./. + "/${part}-${release}/pins.json";
  hip = runStep {
    name = "debian-hip-${release}";
    script = ./assemble.sh;
    tools = [ patchelf ];
    outputs = [ "out" "dev" ];
    env = {
      inherit busybox relocate toolchain;
      gcc_version = toolchain.version;
      inherit (architecture) loader triple;
      clang = debianClang;
      prelude = if release == "6.4" then ./wavefront-size.h else "";
      hip = tree "debian-hip-debs" (
        attrValues ({ inherit (newest) rocm-device-libs-22; } // readDebs (pinsOf "hip"))
      );
    };
  };
  # Only the headers, because Torch contains the libraries.
  libraries = runStep {
    name = "debian-hip-libraries-${release}";
    script = ./headers.sh;
    env.tree = tree "debian-hip-libraries-debs" (attrValues (readDebs (pinsOf "libraries")));
  };
in
if !builtins.elem release releases then
  lib.messages.check.throwProblem "Debian has no HIP of ROCm ${toolkit}" {
    at = "rocmDebianHip";
    found = "HIP ${builtins.concatStringsSep " and " releases}";
    want = "HIP ${release}";
    fix = "leave other variants out with torchVersions, or take AMD's packages (rocmToolkit)";
  }
else
  builtins.mapAttrs (_: _: libraries) (removeAttrs lib.backends.all.rocm.packages [ "hip" ])
  // {
    hip = hip // { standIn = "HIP ${release} of Debian"; };
  }
