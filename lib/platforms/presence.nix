# Whether a machine has a backend's devices, as shells ask.
{ backends, ... }:
let
  inherit (builtins) attrNames concatStringsSep;
in
{
  /** A function of the shell, `has_backend NAME`; no backend that is unknown is there. */
  script = ''
    has_backend() {
      case $1 in
      ${concatStringsSep "\n  " (map (name: "${name}) ${backends.all.${name}.isPresent} ;;") (attrNames backends.all))}
      *) false ;;
      esac
    }
  '';
}
