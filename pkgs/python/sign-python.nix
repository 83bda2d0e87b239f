# What signs and checks signatures: the command line runs itself again with it.
{ pythonWith }:
pythonWith {
  name = "sign-python";
  packages = [
    "click"
    "jinja2"
    "packaging"
    "rich"
    "sigstore"
    "tomli"
    "tomlkit"
  ];
}
