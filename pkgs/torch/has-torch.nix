# Whether the wheel of a build of Torch is pinned for this system.
{ system, torchPins }:
/**
  # Type

  ```
  hasTorch :: String -> Bool
  ```
*/
build: torchPins ? ${build}.${system}
