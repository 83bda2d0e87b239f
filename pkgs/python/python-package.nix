# A Python package from its pinned wheel.
{ fetchWheel, unpackWheel }:
/**
  `depends` are names of `pythonPackages`, or packages.

  Type: pythonPackage :: { project :: String; pin :: { version, file, sha256 :: String; };
    depends :: [String | Package]; } -> Package
*/
{ project, pin, depends }:
unpackWheel {
  name = "python-${project}-${pin.version}";
  inherit depends;
  source = fetchWheel { inherit project; inherit (pin) version file sha256; };
}
