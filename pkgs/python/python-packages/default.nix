# The pinned wheels of this system, unpacked: `pythonPackages.numpy`.
# Each carries the names of those it needs (`depends`) and its source (`source`).
{ pythonPackage, system }: import ./read-wheels.nix { inherit pythonPackage system; } ./pins.json
