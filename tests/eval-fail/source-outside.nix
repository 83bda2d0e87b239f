import ./shared/odd.nix ''
  [general]
  name = "odd"
  backends = ["cpu"]

  [torch]
  src = ["src/a.cpp", "../relu/relu_cpu/relu.cpp"]
''
