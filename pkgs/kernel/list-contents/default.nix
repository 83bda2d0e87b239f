# Everything that was compiled for some variants of a kernel, as one store path that refers to it.
{ runStep }:
let
  inherit (builtins) filter;

  # The derivations among the arguments of a step.
  inputsOf =
    step:
    filter (value: value ? drvAttrs) (
      builtins.concatMap (value: if builtins.isList value then value else [ value ]) (
        builtins.attrValues step.drvAttrs
      )
    );
in
/**
  `steps` are the kernel's own steps: objects, extensions, checks. The text names their outputs and everything that they
  use (compilers, headers, the objects of single targets), so Nix finds references to all of them in the text. Source
  files are left out.

  # Example

  ```sh
  nix build .#contents -o kept                  # objects outlive the garbage collector
  nix copy --to file:///srv/cache .#contents    # other machines fetch them
  ```

  Type: listContents :: { kernel :: String; steps :: [Derivation]; bundle :: Derivation; } -> Derivation
*/
{ kernel, steps, bundle }:
let
  keyed = map (step: {
    key = builtins.unsafeDiscardStringContext step.drvPath;
    inherit step;
  });
  # The kernel's own steps have a kind. Steps for single targets are inputs of other steps.
  isOwn = step: step.drvAttrs ? step;
  kernelSteps = builtins.genericClosure {
    startSet = keyed steps;
    operator = { step, ... }: keyed (filter isOwn (inputsOf step));
  };
  text = builtins.toJSON {
    inherit bundle;
    steps = map (
      { step, ... }:
      step.drvAttrs // { outputs = map (output: step.${output}) (step.drvAttrs.outputs or [ "out" ]); }
    ) kernelSteps;
  };
  # Files that the evaluation itself puts into the store: files of the kernel, scripts and derivations.
  context = builtins.getContext text;
  files = filter (path: context.${path}.path or false) (builtins.attrNames context);
in
runStep {
  name = "${kernel}-contents";
  script = ./write.sh;
  env = {
    text = builtins.replaceStrings files (map (_: "") files) text;
    # The text is longer than an environment variable may be.
    passAsFile = [ "text" ];
    preferLocalBuild = true;
  };
}
