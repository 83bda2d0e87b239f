# `opsTemplates`: Templates of the files that the builder adds to a variant's Python files: `_ops.py` for each
# framework, and `by_name.py`.
{ lib }: lib.values.paths.alone ../../python/src/kernel_builder/templates/ops
