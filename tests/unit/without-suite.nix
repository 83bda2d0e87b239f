# Modules of the library that have no suite in this folder: data, or functions that give
# derivations, which tests/graph looks at.
[
  "outputs.bundles"
  "outputs.extras"
  "outputs.flake"
  "outputs.folder"
  "outputs.kernel"
  "outputs.oldName"
  "outputs.provenance"
  "outputs.shells"
  "plan.kernel"
  "plan.pythonFiles"
]
