# Builds a kernel in a folder without flakes.
{ values, messages, ... }:
let
  inherit (builtins) elem filter length;
  inherit (values) attributes;
  inherit (messages.check) showValue throwProblem;

  # The inputs whose library a flake calls: "kernel-builder" in
  # `kernel-builder.lib.genKernelFlakeOutputs`.
  calledInputs =
    text:
    map builtins.head (
      filter builtins.isList (builtins.split "([A-Za-z0-9_'-]+)[.]lib[.]gen(Kernel)?FlakeOutputs" text)
    );
  isCalled = text: length (builtins.split "gen(Kernel)?FlakeOutputs" text) > 1;

  problems = messages.catalogue.readCatalogue ./folder.json;
  refuse =
    root: problem: values:
    throwProblem "the kernel in ${toString root} cannot be built without flakes" (
      problem (values // { folder = toString root; })
    );

  # The outputs of a kernel's flake, called as Nix calls it. Its only input is this project; using
  # another input throws.
  outputsOf =
    library: root: text:
    let
      flake = import (root + "/flake.nix");
      names = filter (name: name != "self") (
        builtins.attrNames (flake.inputs or { } // builtins.functionArgs flake.outputs)
      );
      called = filter (name: elem name (calledInputs text)) names;
      builders =
        if called != [ ] then
          called
        else if length names == 1 then
          names
        else
          refuse root problems.no-input { names = showValue names; };
      inputs =
        attributes.generate names (
          name:
          if elem name builders then
            { lib = library; }
          else
            refuse root problems.other-input { inherit name; }
        )
        // { inherit self; };
      self = outputs // { inherit inputs outputs; outPath = toString root; };
      outputs = flake.outputs inputs;
    in
    outputs;
in
{
  /**
    The bundle of the kernel in the folder `root`, with the arguments that its flake.nix passes to
    `genKernelFlakeOutputs`, such as `torchVersions` and `overlays`. A folder without such a flake is
    built with the defaults, by `withoutFlake`. `library` is this project's `lib` output.

    Type: buildFolderBundle :: { library :: AttrSet; system :: String; withoutFlake :: Path -> AttrSet; } -> Path
      -> Derivation

    # Errors

    The flake uses another input than this project, or has no outputs of a kernel.
  */
  buildFolderBundle =
    { library, system, withoutFlake }:
    root:
    let
      file = root + "/flake.nix";
      text = if builtins.pathExists file then builtins.readFile file else "";
      outputs = outputsOf library root text;
    in
    if !isCalled text then
      (withoutFlake root).bundle
    else
      outputs.legacyPackages.${system}.bundle
        or (refuse root problems.no-outputs { inherit system; });
}
