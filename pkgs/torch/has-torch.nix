# Returns whether the wheel of a Torch build is pinned for this system.
{ system, torchPins }:
/** Type: hasTorch :: String -> Bool */
build: torchPins ? ${build}.${system}
