# Modules of the library that have no suite in this folder.
[
  "attributes"
  "backends"
  "device"
  "flakeOutputs"
  "headers"
  "includes"
  "kernelOutputs"
  "modules"
  "paths"
  "plan"
  "scan"
  "storeName"
  "unit"
]
