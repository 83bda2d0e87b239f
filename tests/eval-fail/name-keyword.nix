import ./shared/odd.nix ''
  [general]
  name = "lambda"
  backends = ["cpu"]

  [torch-noarch]
''
