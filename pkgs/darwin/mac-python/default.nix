# Python for macOS, of the series that Debian has: a build that can lie anywhere. Its headers are apart in `dev`.
{ fetchVendor, runStep }:
let
  pin = builtins.fromJSON (builtins.readFile ./pin.json);
  python = runStep {
    name = "python-3.11";
    script = ./unpack.sh;
    outputs = [
      "out"
      "dev"
    ];
    env.source = fetchVendor {
      name = pin.file;
      inherit (pin) url sha256;
    };
  };
in
python
// {
  inherit (pin) version;
  /** The folder that has its pip, and the certificates which that brings along. */
  pip = "${python}/lib/python3.11/site-packages";
  certificates = "${python}/lib/python3.11/site-packages/pip/_vendor/certifi/cacert.pem";
}
