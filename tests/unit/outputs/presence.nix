{ values, outputs, ... }:
let
  inherit (builtins) filter;
  inherit (outputs) presence;
in
{
  script.asksForEachBackend = [
    (builtins.match ".*\n  rocm\\) \\[ -e /dev/kfd ] ;;\n.*" presence.script != null)
    true
  ];
  # A device file or a program of each.
  script.probes = [
    (filter (probe: !values.texts.mentions [ probe ] presence.script) [
      "cann) [ -e /dev/davinci_manager ]"
      "cpu) true"
      "cuda) [ -e /dev/nvidiactl ] ||"
      "metal) [ \"$(uname -s)\" = Darwin ]"
      "neuron) [ -e /dev/neuron0 ]"
      "tpu) [ -e /dev/accel0 ]"
      "xpu) grep -q 0x8086 /sys/class/drm/renderD*/device/vendor"
    ])
    [ ]
  ];
}
