# From a plan to objects, variants and bundles. `buildVariant` uses the set's `torch`: a
# variant brings its own by extending the set.
final: _: {
  glibcStubs = final.callPackage ../pkgs/glibc-stubs { } { };
  unitInputs = final.callPackage ../pkgs/unit-inputs { };
  compileObject = final.callPackage ../pkgs/kernel-object { };
  compileUnit = final.callPackage ../pkgs/kernel-unit { };
  linkExtension = final.callPackage ../pkgs/kernel-extension { };
  assembleVariant = final.callPackage ../pkgs/kernel-variant { };
  buildVariant = final.callPackage ../pkgs/kernel { };
  fillCard = final.callPackage ../pkgs/kernel-card { };
  buildBundle = final.callPackage ../pkgs/kernel-bundle { };
}
