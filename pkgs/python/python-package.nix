# A package of Python out of its pinned wheel.
{ fetchWheel, unpackWheel }:
/**
  `depends` are names out of the package set, or packages.

  # Type

  ```
  pythonPackage :: { project :: String; pin :: { version, file, sha256 :: String; }; depends :: [String | Package]; } -> Package
  ```
*/
{
  project,
  pin,
  depends,
}:
unpackWheel {
  name = "python-${project}-${pin.version}";
  inherit depends;
  source = fetchWheel {
    inherit project;
    inherit (pin) version file sha256;
  };
}
