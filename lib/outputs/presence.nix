# A shell function that looks for the devices of a backend.
{ backends, ... }:
let
  inherit (builtins) attrNames concatStringsSep;
in
{
  /**
    Defines the shell function `has_backend NAME`, which is false for an unknown backend. If KERNEL_BUILDER_BACKEND names
    a backend, it is the only one.
  */
  script = ''
    has_backend() {
      if [ -n "''${KERNEL_BUILDER_BACKEND:-}" ]; then
        [ "$1" = "$KERNEL_BUILDER_BACKEND" ]
        return
      fi
      case $1 in
      ${concatStringsSep "\n  " (map (name: "${name}) ${backends.all.${name}.isPresent} ;;") (attrNames backends.all))}
      *) false ;;
      esac
    }
  '';
}
