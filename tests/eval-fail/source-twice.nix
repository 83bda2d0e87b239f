import ./shared/odd.nix ''
  [general]
  name = "odd"
  backends = ["cpu"]

  [torch]
  src = ["src/a.cpp"]

  [kernel.a]
  backend = "cpu"
  depends = ["torch"]
  cxx-flags = ["-DA"]
  include = ["src"]
  src = ["./src/a.cpp"]
''
