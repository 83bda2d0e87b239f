# Sources: pinned by hash, with coordinates that `kernel-builder prefetch` understands.
final: _: {
  fetchPinned = final.callPackage ../pkgs/fetch-pinned { };
  fetchVendor = final.callPackage ../pkgs/fetch-vendor { };
  fetchDeb = final.callPackage ../pkgs/fetch-deb { };
  fetchWheel = final.callPackage ../pkgs/fetch-wheel { };
  debs = final.callPackage ../pkgs/debian { };
  unpackDebs = final.callPackage ../pkgs/unpack-debs { };
}
