# Modules of the library without a suite in this folder: data, and functions that return derivations, which
# tests/graph tests.
[
  "outputs.author" "outputs.build" "outputs.bundles" "outputs.context" "outputs.extras" "outputs.flake"
  "outputs.folder" "outputs.kernel" "outputs.shells" "outputs.variant" "outputs.versions" "plan.kernel" "plan.pythonFiles"
]
