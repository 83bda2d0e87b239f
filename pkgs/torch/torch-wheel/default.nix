# Torch out of its own wheel, in two outputs: `dev` has the headers, `out` the libraries
# and modules. A compile sees only `dev`; its path stays the same to the compiler
# whatever else the wheel holds.
{
  lib,
  system,
  fetchWheel,
  lockedWheels,
  runStep,
  torchPins,
  pythonPackages,
}:
/**
  `build` names the wheel as Torch does: release and compute platform, `"2.13.0+cpu"`.

  # Type

  ```
  torchWheel :: String -> Package
  ```

  # Errors

  No wheel of that build is pinned for this system.
*/
build:
let
  pin =
    torchPins.${build}.${system}
      or (lib.messages.check.throwProblem "no Torch wheel is pinned for ${build} on ${system}" {
        at = "lib/matrix/torch-pins.json";
        found = "nothing of that name";
        want = lib.messages.check.listChoices (
          builtins.filter (name: torchPins.${name} ? ${system}) (builtins.attrNames torchPins)
        );
        fix = "leave this variant out with `torchVersions`, or pin its wheel there";
      });
  torch = runStep {
    name = "torch-${builtins.replaceStrings [ "+" ] [ "-" ] build}";
    script = ./unpack.sh;
    outputs = [
      "out"
      "dev"
    ];
    env = { inherit source; };
  };
  # What a build with a GPU backend loads beside itself, in the versions that it asks for:
  # those wheels of its lock that the package set does not have.
  companions = removeAttrs (lockedWheels (./locks + "/${build}.json")) (
    [ "torch" ] ++ builtins.attrNames pythonPackages
  );
  modules = [
    "filelock"
    "fsspec"
    "jinja2"
    "networkx"
    "setuptools"
    "sympy"
    "typing-extensions"
  ];
  source = fetchWheel (
    {
      project = "torch";
      inherit (pin) version file sha256;
    }
    // (if pin ? url then { inherit (pin) url; } else { })
  );
in
torch
// {
  inherit source companions modules;
  depends = builtins.attrValues companions ++ modules;
}
