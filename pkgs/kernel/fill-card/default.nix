# A kernel's card: its template CARD.md, filled with values of the build.
{ pythonWith, runPython }:
/**
  `values` are values for the template. The template also gets `functions` and `layers`, which the step reads from the
  Python files.

  Type: fillCard :: { kernel :: String; template :: StorePath; pythonFiles :: StorePath; values :: AttrSet; }
    -> Derivation
*/
{ kernel, template, pythonFiles, values }:
runPython {
  name = "${kernel}-card";
  script = ./fill.py;
  interpreter = pythonWith {
    name = "card-python";
    packages = [ "huggingface-hub" "jinja2" ];
    without = [ "hf-xet" ];
  };
  env = {
    inherit template pythonFiles;
    preferLocalBuild = true;
    values = builtins.toJSON values;
  };
}
