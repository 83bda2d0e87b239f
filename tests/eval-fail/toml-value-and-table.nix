import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  hub = "kernels-community/relu"
  [general.hub]
  repo-id = "kernels-community/relu"
''
