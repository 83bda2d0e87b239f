import ./shared/odd.nix ''
  [general]
  name = "odd"
  backends = ["cpu"]

  [torch]
  src = ["src/a.cpp", "src/b.f90"]
''
