# Reads the rows that a flake's `torchVersions` returns.
torchVersions: (import ../../../lib).matrix.torchBuilds.readRows { inherit torchVersions; }
