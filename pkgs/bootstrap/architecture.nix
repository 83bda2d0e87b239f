# `architecture`: The names of a system's processor in Debian and GNU, and its dynamic loader.
{ system }:
{
  x86_64-linux = {
    machine = "x86_64";
    debian = "amd64";
    triple = "x86_64-linux-gnu";
    loader = "ld-linux-x86-64.so.2";
  };
  aarch64-linux = {
    machine = "aarch64";
    debian = "arm64";
    triple = "aarch64-linux-gnu";
    loader = "ld-linux-aarch64.so.1";
  };
}.${system}
