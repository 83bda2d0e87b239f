import ./shared/odd.nix ''
  [general]
  name = "odd"
  backends = ["cpu"]

  [torch]
  src = ["src/a.cpp"]

  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  src = ["src/../src/a.cpp", "src/a.h"]
''
