{ outputs, presence, values, ... }:
let
  inherit (builtins) filter;
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

  # One value for each backend, the first variant's; what throws is null.
  selectForMachine.firsts =
    let
      variant = name: backend: { inherit name backend; };
      outputs = {
        authorVariants = [ (variant "a" "cpu") (variant "b" "cuda") (variant "c" "cpu") ];
        values = { a = [ 1 ]; b = [ (throw "no Torch") ]; c = [ 3 ]; };
      };
      found =
        requested:
        presence.selectForMachine outputs { inherit requested; select = it: name: it.values.${name}; };
    in
    [
      (map (requested: (found requested).selected) [ null "c" "other" ])
      [ { a = [ 1 ]; b = null; } { c = [ 3 ]; } { } ]
    ];
  selectForMachine.says =
    let
      found = presence.selectForMachine { authorVariants = [ ]; } { requested = null; select = _: _: 1; };
    in
    [
      (builtins.removeAttrs found [ "script" ] // { isScript = found.script == presence.script; })
      { variants = [ ]; selected = { }; isScript = true; }
    ];
}
