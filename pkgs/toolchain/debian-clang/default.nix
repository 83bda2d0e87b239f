# `debianClang`: LLVM's clang and lld from the packages of Debian 13, only unpacked: packages that use them make them
# run.
{ readDebs, unpackDebs }:
unpackDebs {
  name = "debian-clang-debs";
  archives = builtins.attrValues (readDebs ./pins.json);
}
