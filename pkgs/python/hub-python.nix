# The Python that talks to the Hub: the command line runs itself again with it.
{ pythonWith }:
pythonWith {
  name = "hub-python";
  packages = [
    "click"
    "huggingface-hub"
    "jinja2"
    "packaging"
    "rich"
    "tomli"
    "tomlkit"
  ];
}
