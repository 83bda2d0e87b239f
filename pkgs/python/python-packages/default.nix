# The pinned wheels of this system, unpacked: `pythonPackages.numpy`. Each package has the names of its dependencies
# (`depends`) and its wheel (`source`).
{ pythonPackage, system }: import ./read-wheels.nix { inherit pythonPackage system; } ./pins.json
