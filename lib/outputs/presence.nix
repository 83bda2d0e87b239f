# A shell function that looks for the devices of a backend.
{ backends, ... }:
let
  inherit (builtins) attrNames concatStringsSep;
in
{
  /** Defines the shell function `has_backend NAME`, which is false for an unknown backend. */
  script = ''
    has_backend() {
      case $1 in
      ${concatStringsSep "\n  " (map (name: "${name}) ${backends.all.${name}.isPresent} ;;") (attrNames backends.all))}
      *) false ;;
      esac
    }
  '';
}
