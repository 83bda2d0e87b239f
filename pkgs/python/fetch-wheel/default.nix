# A Python wheel, by project, version, file and hash.
#
# If the pin has a `url`, Nix downloads the wheel from there. Other wheels come through the packaged pip, which takes
# index, mirror and login from the `PIP_*` variables of whoever runs the build. After `kernel-builder prefetch`, a build
# needs no download.
{ fetchPinned, fetchWithPython, python, pip, caCertificates }:
/** Type: fetchWheel :: { project, version, file, sha256 :: String; url :: String | null; } -> Derivation */
{ project, version, file, sha256, url ? null }:
let
  coordinates = { sourceKind = "wheel"; inherit project version file; };
in
if url != null then
  fetchPinned { name = file; inherit url sha256 coordinates; }
else
  fetchWithPython {
    name = file;
    inherit coordinates python;
    mode = "flat";
    hash = sha256;
    program = ./download.py;
    variables = {
      inherit pip;
      # pip's default certificates are outside the sandbox.
      certificates = caCertificates;
    };
    callers = [
      "PIP_CERT"
      "PIP_CLIENT_CERT"
      "PIP_CONFIG_FILE"
      "PIP_EXTRA_INDEX_URL"
      "PIP_FIND_LINKS"
      "PIP_INDEX_URL"
      "PIP_PROXY"
      "PIP_TRUSTED_HOST"
    ];
  }
