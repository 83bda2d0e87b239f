# What talks to the Hub, and compares with what is there: the command line runs itself again with it.
{ pythonWith }:
pythonWith {
  name = "hub-python";
  packages = [
    "click"
    "huggingface-hub"
    "jinja2"
    "packaging"
    "pyelftools"
    "rich"
    "tomli"
    "tomlkit"
  ];
}
