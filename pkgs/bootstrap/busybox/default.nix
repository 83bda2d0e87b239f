# The seed with a link for each applet: the shell and the small tools of all builders.
{ system, seed }:
derivation {
  name = "busybox";
  inherit system;
  builder = "${seed}/bin/busybox";
  args = [
    "sh"
    "-euc"
    ''
      ${seed}/bin/busybox mkdir -p $out/bin
      ${seed}/bin/busybox cp ${seed}/bin/busybox $out/bin/busybox
      $out/bin/busybox --install -s $out/bin
    ''
  ];
}
