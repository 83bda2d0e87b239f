# Modules of the library that have no suite in this folder: data, or functions that give
# derivations, which tests/graph looks at.
[
  "extras"
  "flakeOutputs"
  "folder"
  "kernel"
  "kernelOutputs"
  "pythonFiles"
  "shellOutputs"
]
