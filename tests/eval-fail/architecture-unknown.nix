import ./shared/relu.nix ''
  [general]
  name = "relu"
  backends = ["cpu"]
  [torch-noarch]
  rocm-archs = ["gfx94"]
''
