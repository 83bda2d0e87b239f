{ config, ... }:
let
  inherit (config) includeFlags;
  foundIn =
    flags:
    map (warning: warning.found) (
      includeFlags.listIncludeFlagWarnings {
        at = "kernel.a";
        key = "cxx-flags";
        include = [ "common" ];
        inherit flags;
      }
    );
  folder = flag: "${builtins.toJSON flag}, which finds no header: a compile has only those that `include` leads to";
  header = flag: "${builtins.toJSON flag}, which finds no header of the kernel: a compile has only those that sources include";
in
{
  listIncludeFlagWarnings = {
    foldersInEveryForm = {
      expr = foundIn [
        "-Isrc"
        "-O2"
        "-I"
        "src/"
        "-isystem"
        "src"
        "-iquotesrc"
        "--include-path=src"
      ];
      expected = map folder [
        "-Isrc"
        "-I src/"
        "-isystem src"
        "-iquotesrc"
        "--include-path=src"
      ];
    };
    headers = {
      expr = foundIn [
        "-include"
        "src/a.h"
      ];
      expected = [ (header "-include src/a.h") ];
    };
    # Folders that `include` lists, and folders outside the kernel.
    others = {
      expr = foundIn [
        "-Icommon"
        "-I"
        "./common/"
        "-I/usr/include"
        "-isystem"
        "@torch@/include"
        "-DI=1"
        "-Isrc"
        "-Isrc"
        "-I"
      ];
      expected = [ (folder "-Isrc") ];
    };
    whatToWrite = {
      expr = map (warning: { inherit (warning) at fix; }) (
        includeFlags.listIncludeFlagWarnings {
          at = "torch";
          key = "cxx-flags";
          include = [ ];
          flags = [ "-Isrc" ];
        }
      );
      expected = [
        {
          at = "torch.cxx-flags";
          fix = "write include = [\"src\"], and delete the flag";
        }
      ];
    };
  };
}
