# A kernel's card: its CARD.md, a template, with the values of the build.
{
  pythonWith,
  runPython,
}:
/**
  `values` are values for the template. It also has `functions` and `layers`, which are read from the
  Python files.

  # Type

  ```
  fillCard :: { kernel :: String; template :: StorePath; pythonFiles :: StorePath; values :: AttrSet; } -> Derivation
  ```
*/
{
  kernel,
  template,
  pythonFiles,
  values,
}:
runPython {
  name = "${kernel}-card";
  script = ./fill.py;
  interpreter = pythonWith {
    name = "card-python";
    packages = [
      "huggingface-hub"
      "jinja2"
    ];
  };
  env = {
    inherit template pythonFiles;
    preferLocalBuild = true;
    values = builtins.toJSON values;
  };
}
