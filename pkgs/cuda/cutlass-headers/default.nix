# The headers of one release of CUTLASS, out of its wheel or the archive of its tag. Those of
# its library and those of its tools (`cutlass/util/…`) are one folder here: no name is in both.
{ runStep }:
/**
  # Example

  ```nix
  cutlassHeaders {
    version = "3.9.2";
    source = fetchVendor { name = "cutlass-3.9.2.tar.gz"; url = "…"; sha256 = "…"; };
  }
  ```

  # Type

  ```
  cutlassHeaders :: { version :: String; source :: Derivation; } -> Package
  ```
*/
{ version, source }:
runStep {
  name = "cutlass-${version}";
  script = ./unpack.sh;
  env = { inherit source; };
}
