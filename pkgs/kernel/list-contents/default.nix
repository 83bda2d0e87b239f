# Everything that was compiled for some variants of a kernel, as one store path that refers to it.
{ runStep }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    filter
    genericClosure
    getContext
    isAttrs
    isList
    replaceStrings
    stringLength
    substring
    toJSON
    unsafeDiscardStringContext
    ;

  # The derivations among the arguments of a step.
  inputsOf =
    step:
    concatMap (
      value: filter (each: isAttrs each && each ? drvAttrs) (if isList value then value else [ value ])
    ) (attrValues step.drvAttrs);
in
/**
  `steps` are the kernel's own steps: objects, extensions, checks. The text names their outputs and
  everything that they use (compilers, headers, the objects of single targets), so Nix takes all of
  it for references of the text. Source files are left out.

  # Example

  ```sh
  nix build .#contents -o kept                  # objects outlive the garbage collector
  nix copy --to file:///srv/cache .#contents    # other machines fetch them
  ```

  # Type

  ```
  listContents :: { kernel :: String; steps :: [Derivation]; bundle :: Derivation; } -> Derivation
  ```
*/
{
  kernel,
  steps,
  bundle,
}:
let
  keyed = map (step: {
    key = unsafeDiscardStringContext step.drvPath;
    inherit step;
  });
  # Steps begin with the kernel's name: those for single targets are inputs of others.
  isOwn = step: substring 0 (stringLength kernel + 1) step.name == "${kernel}-";
  own = genericClosure {
    startSet = keyed steps;
    operator = { step, ... }: keyed (filter isOwn (inputsOf step));
  };
  text = toJSON {
    inherit bundle;
    steps = map (
      { step, ... }:
      step.drvAttrs // { outputs = map (output: step.${output}) (step.drvAttrs.outputs or [ "out" ]); }
    ) own;
  };
  # Files that an evaluation itself puts into the store: of the kernel, scripts, derivations.
  context = getContext text;
  files = filter (path: context.${path}.path or false) (attrNames context);
in
runStep {
  name = "${kernel}-contents";
  script = ./write.sh;
  env = {
    text = replaceStrings files (map (_: "") files) text;
    # It is longer than a variable may be.
    passAsFile = [ "text" ];
    preferLocalBuild = true;
  };
}
