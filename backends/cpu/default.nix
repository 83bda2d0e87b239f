# The CPU.
{ compilers, platforms, checks, ... }:
{
  systems = platforms.systems.all;
  preference = 5;
  aliases = [ "x86" ];
  isPresent = "true";
  isEverywhere = true;
  flags = [ (compilers.language.makeFlags [ "compile" ] [ "-DCPU_KERNEL" ]) ];
  inherit (compilers.gcc) languages linker;
  libraries = [ "torch_cpu" "torch" "c10" ];
  onDarwin = {
    inherit (compilers.clang.makeClangLanguages { least = checks.macos; }) languages linker;
  };
}
