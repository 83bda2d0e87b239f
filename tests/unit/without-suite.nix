# Modules of the library that have no suite in this folder.
[
  "attributes"
  "backends"
  "flakeOutputs"
  "headers"
  "includes"
  "kernelOutputs"
  "modules"
  "paths"
  "plan"
  "scan"
  "shellOutputs"
  "storeName"
  "unit"
]
