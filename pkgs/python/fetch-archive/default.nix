# A tree of sources out of an archive, pinned by what is in it: hosts pack the same tree anew.
#
# Nix's own downloader unpacks nothing, so Python fetches, and busybox unpacks. With
# `kernel-builder prefetch`, Nix gets the tree from the same address, or out of a folder of
# archives that the user has; the store path follows from name and hash alone.
{
  system,
  lib,
  hostAccess,
  busybox,
  python,
}:
/**
  A tag or commit of a repository on GitHub, or the archive at `url`; a single folder in it is
  the tree. `hash` is what `nix flake prefetch github:OWNER/REPO/REV` says.

  # Example

  ```nix
  fetchArchive { owner = "NVIDIA"; repo = "cutlass"; rev = "v4.4.2"; hash = "sha256-…"; }
  ```

  # Type

  ```
  fetchArchive :: { owner, repo, rev :: String; url :: String; hash :: String; } -> Derivation
  ```

  # Errors

  There is neither a whole name on GitHub nor an address.
*/
{
  hash,
  owner ? null,
  repo ? null,
  rev ? null,
  url ? null,
}@given:
let
  inherit (builtins) head match;

  isOnGithub = owner != null && repo != null && rev != null && url == null;
  isElsewhere = url != null && owner == null && repo == null && rev == null;

  # What a browser would call it: without the letter of a tag such as v1.0.
  version = match "v?([0-9].*)" rev;
  file =
    if isElsewhere then
      baseNameOf url
    else
      "${repo}-${if version == null then rev else head version}.tar.gz";
in
if !isOnGithub && !isElsewhere then
  lib.messages.check.throwProblem "an archive cannot be fetched" {
    at = "fetchArchive";
    found = builtins.toJSON (removeAttrs given [ "hash" ]);
    want = "`owner`, `repo` and `rev`, or `url`";
    fix = "name the repository on GitHub and its tag or commit, or give the address of an archive";
  }
else
  derivation (
    hostAccess
    // {
      # As all of Nix calls a fetched tree: so one that is in a binary cache is this one.
      name = "source";
      inherit system file;
      sourceKind = "archive";
      url = if isElsewhere then url else "https://github.com/${owner}/${repo}/archive/${rev}.tar.gz";
      builder = "${python}/bin/python3";
      args = [ (lib.values.paths.alone ./download.py) ];
      PATH = "${python}/bin:${busybox}/bin";
      outputHashMode = "recursive";
      outputHashAlgo = "sha256";
      outputHash = hash;
      preferLocalBuild = true;
      impureEnvVars = [
        "http_proxy"
        "https_proxy"
        "ftp_proxy"
        "all_proxy"
        "no_proxy"
      ];
    }
    // (if isOnGithub then { inherit owner repo rev; } else { })
  )
