# Nix 2.34 with its libraries, out of Debian's packages: for machines whose own Nix is older than the repairs of CVE-2024-27297.
# Debian 12 has 2.8.0, by which a fixed-output derivation can change its output after its hash was checked.
{
  architecture,
  patchelf,
  readDebs,
  relocate,
  runStep,
  unpackDebs,
}:
runStep {
  name = "newer-nix";
  script = ./assemble.sh;
  tools = [ patchelf ];
  env = {
    inherit relocate;
    inherit (architecture) loader triple;
    tree = unpackDebs {
      name = "newer-nix-debs";
      packages = [ ];
      archives = builtins.attrValues (readDebs ./pins.json);
    };
  };
}
