# Modules of the library without a suite in this folder: data, and functions that return derivations, which
# tests/graph tests.
[
  "outputs.builds" "outputs.bundles" "outputs.extras" "outputs.flake" "outputs.folder" "outputs.kernel"
  "outputs.shells" "outputs.versions" "plan.kernel" "plan.pythonFiles"
]
