# The pinned wheels of this system, unpacked: `pythonPackages.numpy`. Each package has the names of its dependencies
# (`depends`) and its wheel (`source`).
{ readWheels }: readWheels { file = ./pins.json; dependsOf = pin: pin.depends; }
