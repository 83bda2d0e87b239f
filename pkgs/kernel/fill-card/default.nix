# A kernel's card: its CARD.md with what the build knows filled in.
{
  pythonWith,
  runPython,
}:
/**
  `values` are the template's names beside those that the Python files give
  (`functions`, `layers`).

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
