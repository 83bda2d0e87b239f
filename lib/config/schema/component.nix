# The section [kernel.NAME]; a kernel has any number of them.
{ backends, declareSection }:
let
  inherit (builtins) attrNames attrValues filter foldl' mapAttrs;
  inherit (import ./key.nix) cxxFlags include targetsKey;

  # Keys that only components of this backend have.
  keysOf =
    backend:
    mapAttrs (_: key: key // { backends = [ backend.name ]; }) (
      backend.componentKeys
      // targetsKey backend (targets: { inherit (targets) meaning; })
    );
in
declareSection {
  meaning = "One component: sources of one backend that share their flags.";
  keys = {
    inherit include;
    backend = {
      type = "string";
      required = true;
      # A backend without languages supports only kernels without compiled code.
      allowed = filter (name: backends.${name}.languages != { }) (attrNames backends);
      since = 2;
      meaning = "Backend that the component is for.";
    };
    depends = {
      type = "strings";
      required = true;
      meaning = "Libraries whose headers the component uses, by the names that kernel-builder knows.";
    };
    src = {
      type = "strings";
      required = true;
      meaning = "Sources and headers, relative to the kernel's root.";
    };
    cxx-flags = cxxFlags;
  }
  // foldl' (keys: backend: keys // keysOf backend) { } (attrValues backends);
}
