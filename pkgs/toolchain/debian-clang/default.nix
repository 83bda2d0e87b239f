# LLVM's clang and lld from the packages of Debian 13, as they are unpacked: whoever uses them makes them run.
{ readDebs, unpackDebs }:
unpackDebs {
  name = "debian-clang-debs";
  packages = [ ];
  archives = builtins.attrValues (readDebs ./pins.json);
}
