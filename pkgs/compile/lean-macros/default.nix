# What the text of a unit must not name if lean headers are to serve: macros that only Torch's own headers have. Without them an
# `#if` takes the other branch, and no compiler says so.
{
  leanHeaders,
  runStep,
  toolchain,
  torch,
}:
runStep {
  name = "lean-macros";
  script = ./list.sh;
  tools = [ toolchain ];
  env = {
    inherit leanHeaders;
    torch = torch.dev;
  };
}
