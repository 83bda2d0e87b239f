# `leanMacros`: Macros that Torch's own headers define and lean headers lack. A unit whose text names one of them is not
# compiled with lean headers: an `#if` would silently take the other branch.
{ leanHeaders, runStep, toolchain, torch }:
runStep {
  name = "lean-macros";
  script = ./list.sh;
  tools = [ toolchain ];
  env = { inherit leanHeaders; torch = torch.dev; };
}
