# AWS's Trainium and Inferentia: kernels without compiled code.
_: {
  systems = [ "x86_64-linux" ];
  preference = 7;
  aliases = [ "trainium" ];
  isPresent = "[ -e /dev/neuron0 ]";
}
