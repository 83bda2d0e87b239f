# The CPU.
{ compilers, platforms, checks, ... }:
{
  systems = platforms.systems.all;
  inherit (compilers.gcc) languages linker;
  onDarwin = {
    inherit (compilers.clang.makeClangLanguages { least = checks.macos; }) languages linker;
  };
}
