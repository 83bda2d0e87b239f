# A folder of Python files as its own store path, without the bytecode that Python may have left in a checkout.
{ }:
/** Type: moduleFolder :: String -> Path -> StorePath */
name: path:
builtins.path {
  inherit name path;
  filter = file: _: baseNameOf file != "__pycache__";
}
