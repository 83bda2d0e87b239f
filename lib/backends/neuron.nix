# AWS's Trainium and Inferentia: kernels without compiled code.
_: {
  systems = [ "x86_64-linux" ];
  host = "registry";
  preference = 7;
  compute = "neuron";
  isPresent = "[ -e /dev/neuron0 ]";
}
