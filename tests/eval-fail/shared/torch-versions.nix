# Uses what a kernel's flake gives as torchVersions.
torchVersions: (import ../../../lib).matrix.torchBuilds.readRows { inherit torchVersions; }
