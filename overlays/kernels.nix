# From a plan to objects, variants and bundles. `buildVariant` uses the set's `torch`: a
# variant brings its own by extending the set.
final: _: {
  # What `depends` may name besides Torch: a kernel's own flake adds to it with an overlay.
  dependencies = final.cutlass;
  glibcStubs = final.callPackage ../pkgs/glibc-stubs { } { };
  leanHeaders = final.callPackage ../pkgs/lean-headers { };
  unitInputs = final.callPackage ../pkgs/unit-inputs { };
  compileObject = final.callPackage ../pkgs/kernel-object { };
  compileUnit = final.callPackage ../pkgs/kernel-unit { };
  linkExtension = final.callPackage ../pkgs/kernel-extension { };
  assembleVariant = final.callPackage ../pkgs/kernel-variant { };
  buildVariant = final.callPackage ../pkgs/kernel { };
  listSources = final.callPackage ../pkgs/kernel-provenance { };
  fillCard = final.callPackage ../pkgs/kernel-card { };
  buildBundle = final.callPackage ../pkgs/kernel-bundle { };
}
