# The shell and small tools of all builders: the seed with a link for each applet.
{ system, seed }:
derivation {
  name = "busybox";
  inherit system;
  builder = "${seed}/bin/busybox";
  args = [
    "sh"
    "-euc"
    # Records the sandbox as make-step.nix does. This step cannot use make-step.nix, which needs busybox.
    ''
      case $NIX_BUILD_TOP in /build) seen=on ;; *) seen=off ;; esac
      printf '@nix {"action":"setPhase","phase":"sandbox: %s"}\n' "$seen" >&2
      ${seed}/bin/busybox mkdir -p $out/bin
      ${seed}/bin/busybox cp ${seed}/bin/busybox $out/bin/busybox
      $out/bin/busybox --install -s $out/bin
    ''
  ];
}
