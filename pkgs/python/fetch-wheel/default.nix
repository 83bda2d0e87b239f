# A Python wheel, named by project, version, file and hash.
#
# A wheel that its vendor serves too is fetched from there; any other one comes through
# the packaged pip, which takes its index, mirror and login from the `PIP_*` variables of
# whoever runs the build. `kernel-builder prefetch` makes both unnecessary.
{
  system,
  lib,
  hostAccess,
  fetchPinned,
  python,
  pip,
  caCertificates,
}:
let
  impureEnvVars = [
    "PIP_CERT"
    "PIP_CLIENT_CERT"
    "PIP_CONFIG_FILE"
    "PIP_EXTRA_INDEX_URL"
    "PIP_FIND_LINKS"
    "PIP_INDEX_URL"
    "PIP_PROXY"
    "PIP_TRUSTED_HOST"
    "http_proxy"
    "https_proxy"
    "all_proxy"
    "no_proxy"
  ];
in
/**
  # Type

  ```
  fetchWheel :: { project, version, file, sha256 :: String; url :: String | null; } -> Derivation
  ```
*/
{
  project,
  version,
  file,
  sha256,
  url ? null,
}:
let
  coordinates = {
    sourceKind = "wheel";
    inherit project version file;
  };
in
if url != null then
  fetchPinned {
    name = file;
    inherit url sha256 coordinates;
  }
else
  derivation (
    hostAccess
    // coordinates
    // {
      name = lib.values.storeName.sanitize file;
      inherit system impureEnvVars;
      builder = "${python}/bin/python3";
      args = [ (lib.values.paths.alone ./download.py) ];
      PATH = "${python}/bin";
      inherit pip;
      # pip's own choice of certificates lies outside the sandbox.
      certificates = caCertificates;
      outputHashMode = "flat";
      outputHashAlgo = "sha256";
      outputHash = sha256;
      preferLocalBuild = true;
    }
  )
