# `pythonWith` for what runs where the kernel does: the same, unless that is another processor.
{ pythonWith }: pythonWith
