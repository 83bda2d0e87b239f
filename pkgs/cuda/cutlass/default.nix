# CUTLASS by the names that build.toml has for it: the releases whose wheels carry the headers.
# lib/config/dependencies.json knows more; their archives have to be brought, see headers.nix.
{ fetchWheel, cutlassHeaders }:
/**
  # Type

  ```
  cutlass :: { ${name} :: Package; }
  ```
*/
builtins.mapAttrs (
  _: pin:
  cutlassHeaders {
    inherit (pin) version;
    source = fetchWheel {
      inherit (pin)
        project
        version
        file
        sha256
        ;
    };
  }
) (builtins.fromJSON (builtins.readFile ./pins.json))
