# `macPython`: A relocatable Python for macOS, of the same series as Debian's. `dev` has its headers.
{ fetchVendor, runStep }:
let
  pythonVersion = "3.11";
  sitePackages = "lib/python${pythonVersion}/site-packages";
  pin = builtins.fromJSON (builtins.readFile ./pin.json);
  python = runStep {
    name = "python-${pythonVersion}";
    script = ./unpack.sh;
    outputs = [ "out" "dev" ];
    env = {
      inherit pythonVersion;
      source = fetchVendor { name = pin.file; inherit (pin) url sha256; };
    };
  };
in
python
// {
  inherit pythonVersion sitePackages;
  inherit (pin) version;
  /** The folder that contains pip, and the certificates that pip contains. */
  pip = "${python}/${sitePackages}";
  certificates = "${python}/${sitePackages}/pip/_vendor/certifi/cacert.pem";
}
