import ./shared/relu.nix ''
  [general]
  name = "relu
  backends = ["cpu"]
''
