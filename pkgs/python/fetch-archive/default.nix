# A source tree from an archive, pinned by the hash of its contents, because hosts pack the same tree differently over
# time.
#
# Nix's built-in downloader does not unpack, so Python downloads and unpacks. `kernel-builder prefetch` gets the tree
# from the same address.
{ busybox, fetchWithPython, python, refuse }:
/**
  Fetch a tag or commit of a repository on GitHub, or the archive at `url`. If the archive has a single folder,
  that folder is the tree. `nix flake prefetch github:OWNER/REPO/REV` prints the `hash`.

  # Example

  ```nix
  fetchArchive { owner = "NVIDIA"; repo = "cutlass"; rev = "v4.4.2"; hash = "sha256-…"; }
  ```

  Type: fetchArchive :: { owner, repo, rev :: String; url :: String; hash :: String; } -> Derivation

  # Errors

  The arguments are neither a repository and revision on GitHub nor an address.
*/
{ hash, owner ? null, repo ? null, rev ? null, url ? null }@given:
let
  place = removeAttrs given [ "hash" ];
  isOnGithub = builtins.attrNames place == [ "owner" "repo" "rev" ];
  isElsewhere = builtins.attrNames place == [ "url" ];

  # GitHub names the archive without the letter of a tag such as v1.0.
  version = builtins.match "v?([0-9].*)" rev;
  file =
    if isElsewhere then
      baseNameOf url
    else
      "${repo}-${if version == null then rev else builtins.head version}.tar.gz";
in
if !isOnGithub && !isElsewhere then
  (refuse ./problems.json).no-place { given = builtins.toJSON place; }
else
  fetchWithPython {
    # Nix gives every fetched tree this name, so binary caches may have the tree already.
    name = "source";
    coordinates = {
      sourceKind = "archive";
      url = "https://github.com/${owner}/${repo}/archive/${rev}.tar.gz";
      inherit file;
    }
    // place;
    mode = "recursive";
    inherit hash python;
    program = ./download.py;
    # zip archives need unzip.
    variables.PATH = "${python}/bin:${busybox}/bin";
  }
