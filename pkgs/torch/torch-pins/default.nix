# The pinned Torch wheels, by build and system.
{ }: builtins.fromJSON (builtins.readFile ./pins.json)
