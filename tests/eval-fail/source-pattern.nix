import ./shared/odd.nix ''
  [general]
  name = "odd"
  backends = ["cpu"]

  [torch]
  src = ["src/*.cpp"]
''
