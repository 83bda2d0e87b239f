# `targetPythonWith`: `pythonWith` for programs that run on the kernel's processor. Package sets for another processor
# replace it.
{ pythonWith }: pythonWith
